"""The tables and the figure of MP-Boost's paper, and how the cost of boosting grows.

`table1`, `table2`, `figure2` and `growth` are the reproductions. `committees` fits on both collections, `tables` shows
the figures of all committees, beside those that the paper has `printed`.
"""
