"""Figure 6 of MLPP's paper: is-error of MMP, MLPP, BR and naive Bayes along RCV1."""

from telex.adapters.reproductions.mlpp.curves import CurveFigure

TITLE = "learning curves of iserr (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0, "runs": 3}
FIGURE = CurveFigure(
    "iserr",
    "with an increasing number of examples, MLPP accumulates a clear advantage.",
    lambda _, lead: lead["from"] > 0,
)
reproduce, lines, picture, misses = FIGURE.reproduce, FIGURE.lines, FIGURE.picture, FIGURE.misses
