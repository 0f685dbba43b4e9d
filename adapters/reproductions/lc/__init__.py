"""Figures 3 and 4 of AdaBoost.LC's paper, and its two updates beside each other.

`figure3`, `figure4` and `updates` are the reproductions; `topics` prepares RCV1 for them.
"""
