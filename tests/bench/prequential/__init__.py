"""Learners and peers on real collections: predict each document, judge the prediction, learn the document.

Read `collections` first, what is learnt; then `contenders`, who learns it. `measure` runs one contender on one collection in a
process of its own, and `judging` scores it: one judge for all. `telex_learners`, `vw`, `sgd`, `river` and `meka` drive them.
`results` keeps what was measured, `table` writes it down, `goals` says where ours are ahead.
"""
