"""Table 1 and the curve of H-M3's paper, and its learners on other trees of labels.

`table1`, `curve` and `hierarchies` are the reproductions. `tree_collections` reads the documents and their trees,
`peers` learns H-M3 beside the learners it is compared with, and `tables` shows their figures.
"""
