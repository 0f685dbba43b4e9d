"""Comparisons of learners: which is better, by how much, and since when. docs/compare.md explains the method."""

from telex.stream.compare.compared import Bounds, Pair, Tested, compared, sequence, sequences
from telex.stream.compare.comparison import ALPHA, Comparison, Standing, contestants
from telex.stream.compare.comparisons import comparisons
from telex.stream.compare.holm import holm
from telex.stream.compare.kept import Kept, kept
from telex.stream.compare.wald import wald
from telex.stream.compare.wilcoxon import wilcoxon

__all__ = [
    "ALPHA",
    "Bounds",
    "Comparison",
    "Kept",
    "Pair",
    "Standing",
    "Tested",
    "compared",
    "comparisons",
    "contestants",
    "holm",
    "kept",
    "sequence",
    "sequences",
    "wald",
    "wilcoxon",
]
