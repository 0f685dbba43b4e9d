from pathlib import Path

from telex import replay

TITLE = "the excess of Votes on six telegrams"
PAPER = 0.4


def reproduce(data, progress):
    progress("reading telegrams.morse")
    run = replay(Path(data, "telegrams.morse"), ["votes"], baselines=False)
    for _ in run:
        pass
    summary = run.summary()
    return {"documents": summary["documents"], "excess": summary["learners"]["votes"]["excess"], "paper": PAPER}


def lines(found):
    return [f"{'':8}  ours  paper", f"excess    {found['excess']:.2f}   {found['paper']:.2f}"]
