"""Figure 5 of MLPP's paper: error set size of MMP, MLPP, BR and naive Bayes along RCV1."""

from telex.adapters.reproductions.mlpp.curves import CurveFigure

TITLE = "learning curves of errsetsize (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0, "runs": 3}
FIGURE = CurveFigure(
    "errsetsize",
    "MLPP clearly has a better performance from the start.",
    lambda points, lead: lead["better"] * 10 >= 9 * points,
)
reproduce, lines, picture, misses = FIGURE.reproduce, FIGURE.lines, FIGURE.picture, FIGURE.misses
