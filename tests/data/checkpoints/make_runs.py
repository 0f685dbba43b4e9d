"""Writes run-vN.tar.xz, watched-vN.tar.xz and folder-vN.tar.xz beside this file, N being the version of checkpoints.

Every later Telex resumes these runs. Run it (``PYTHONPATH=tests``) for a new version, never to mend a test: the files
on users' disks do not change with it. ``watched`` holds detectors of river, which belong to the version of river that
wrote them. ``folder`` is a run folder with all its files, and predictions.
"""

import json
import random
import tarfile
import tempfile
from pathlib import Path

from batch_models.models import Centroids

from telex.adapters.formats import open_source
from telex.learners import BR, MLPP, MMP, NB, Prior
from telex.learners.base import Span
from telex.stream import Checkpoints, Lateness, PredictionsFile, Refit, Run, RunFolder
from telex.stream.checkpoints.writer import VERSION

HERE = Path(__file__).parent
STOPPED = 70
TOPICS = ("crops", "metals", "sport", "trade", "war")
WORDS = [a + b for a in ("bar", "cor", "dun", "fel", "gri", "hos") for b in ("lok", "min", "nur", "pas", "tes")]


def write_wire(path):
    """Write the documents: one about every hour, whose labels change their words half-way."""
    draw = random.Random(20)
    with path.open("w", encoding="utf-8") as file:
        for number in range(140):
            labels = sorted({draw.choice(TOPICS) for _ in range(draw.choice([0, 1, 1, 2]))})
            turn = 0 if number < 90 else 7
            said = [WORDS[(5 * TOPICS.index(label) + turn + draw.randrange(4)) % len(WORDS)] for label in labels * 2]
            text = " ".join([*said, *draw.choices(WORDS, k=draw.randint(1, 5))])
            time = 3600 * number + draw.randrange(3600)
            known = {"labels": labels} if draw.randrange(9) else {}
            file.write(json.dumps({"id": f"d{number}", "time": time, "text": text, **known}) + "\n")


def made(name, folder, *, limit=None, resume=False, sinks=(), losses=None):
    """Make the run of that name, with its checkpoints in ``folder``; that of the name folder keeps all there."""
    learners = {
        "br": BR(averaged=True),
        "mmp": MMP(),
        "mlpp": MLPP(threads=1),
        "nb": NB(),
        "prior": Prior(),
        "counted": Refit(Centroids(), every=20, window=30),
        "timed": Refit(Centroids(), every="19h", window="30h"),
    }
    if name == "watched":
        learners["drifting"] = Refit(Centroids(), every="drift", after=15, window=25)
    if name == "folder":
        kept = RunFolder(folder, {"seed": 0}, resume=resume)
        sinks = [kept, PredictionsFile(folder.parent / "predictions.jsonl", top=2)]
    return Run(
        open_source(HERE / "wire.jsonl", words="vocabulary=bounded,size=24,stop=none"),
        learners,
        losses=losses,
        window=20,
        points=10,
        limit=limit,
        lateness=Lateness(after=Span(documents=9), limit=4),
        checkpoints=sinks[0].checkpoints if name == "folder" else Checkpoints(folder),
        sinks=sinks,
        checkpoint_every=10**6,
        drift="PageHinkley:threshold=3,min_instances=10,loss=hamming" if name == "watched" else None,
        champion="window=20,margin=0.02,least=5",
    )


def nameless(entry):
    """Leave out who packed the archive, and when."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def main():
    write_wire(HERE / "wire.jsonl")
    for name in ("run", "watched", "folder"):
        with tempfile.TemporaryDirectory() as folder:
            for _ in made(name, Path(folder) / "run" if name == "folder" else Path(folder), limit=STOPPED):
                pass
            with tarfile.open(HERE / f"{name}-v{VERSION}.tar.xz", "w:xz") as packed:
                packed.add(folder, ".", filter=nameless)


if __name__ == "__main__":
    main()
