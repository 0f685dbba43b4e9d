"""Figure 4 of MLPP's paper: is-error of MMP, MLPP, BR and naive Bayes over the beginning of RCV1."""

from telex.adapters.reproductions.mlpp.curves import CurveFigure

TITLE = "learning curves of iserr, the beginning (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0, "runs": 3}
FIGURE = CurveFigure(
    "iserr",
    "differences are less pronounced, and MMP has a somewhat better performance.",
    lambda points, lead: lead["better"] * 2 <= points,
    part=10,  # the paper's axis is only in its picture
)
reproduce, lines, picture, misses = FIGURE.reproduce, FIGURE.lines, FIGURE.picture, FIGURE.misses
