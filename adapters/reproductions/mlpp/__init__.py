"""The tables and figures of MLPP's paper.

`table1` to `table4` and `figure4` to `figure7` are the reproductions. `newest` reads RCV1 in order of time, `learners`
has the paper's learners and losses, `curves` makes figures 4 to 6, `operations` counts for tables I and IV, and
`products` gives table III its products of features.
"""
