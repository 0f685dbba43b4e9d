"""Precision at 5."""

from __future__ import annotations

from telex.learners.losses.prec1 import Prec1


class Prec5(Prec1):
    """Share of relevant labels among the first five of the ranking."""

    name = "prec5"
    k = 5
    order = 63
    priority = 122
