"""Learners declare what they can do: one without more than the protocol runs, and no code looks members up by name.

The protocols of learner.py, batch_learner.py and base/savable.py are tested together here.
"""

import ast
from pathlib import Path

import numpy as np
import pytest

import telex.learners as learners_room
from telex.adapters.formats import open_source
from telex.adapters.river.family import RIVER
from telex.adapters.sklearn.family import SklearnModel
from telex.learners import (
    BR,
    AdaBoostLC,
    AdaBoostMH,
    BatchLearner,
    FitsLabelsApart,
    FollowsStream,
    KeepsStages,
    Learner,
    MeasuresMemory,
    MPBoost,
    Names,
    Preallocates,
    Predictions,
    ReadsFiles,
    Refits,
    Selected,
    Staged,
    WarmStarts,
    files_of,
)
from telex.learners.base import ChecksSaving, Explains, Savable, UsageError, as_savable, is_savable
from telex.learners.boosting import SlidingCommittee
from telex.learners.trees.fitted import HM3, HSVM
from telex.stream import Refit, Run

OPTIONAL = (
    Savable, ChecksSaving, Explains, Refits, Preallocates,
    MeasuresMemory, ReadsFiles, Staged, KeepsStages, WarmStarts, FitsLabelsApart,
)  # fmt: skip
CAN = [
    (BR(), {Savable, Explains, Preallocates, MeasuresMemory}),
    (RIVER.make("linear_model.PAClassifier", {}), {Savable, ChecksSaving, Explains}),
    (MPBoost(), {Savable, Explains, Staged, FitsLabelsApart}),
    (AdaBoostMH(), {Savable, Explains, Staged}),
    (AdaBoostLC(), {Savable, Explains, ReadsFiles, Staged, KeepsStages}),
    (SklearnModel("LinearSVC"), {Explains}),
    (SlidingCommittee(MPBoost(), add=1, rounds=2), {Savable, Explains, WarmStarts}),
    (HM3(), {Savable, Explains, Staged, KeepsStages, WarmStarts}),
    (HSVM(), {Savable, Explains}),
    (Selected(SklearnModel("LinearSVC")), {Savable, ChecksSaving, Explains, ReadsFiles, Staged, KeepsStages}),
    (Refit(SklearnModel("LinearSVC")), {Savable, Explains, ReadsFiles, Refits}),
]


class Bare:
    """Ranks labels by how often they came: the four members of the protocol, and nothing else."""

    def __init__(self):
        self.labels, self.counts = Names(), []

    def scores(self, batch):
        scores = np.tile(np.array(self.counts, np.float32), (len(batch), 1))
        return Predictions.of_all(scores, scores > np.float32(9), batch, self.labels, 0)

    def learn(self, batch):
        for row in range(len(batch)):
            for label in batch.labels_of(row) if batch.labelled[row] else ():
                if (column := self.labels.id(label)) == len(self.counts):
                    self.counts.append(0)
                self.counts[column] += 1

    def progress(self, events):
        assert events.steps is None  # no answer is late here
        predictions = self.scores(events.batch)
        self.learn(events.batch)
        return predictions


@pytest.mark.parametrize(("learner", "can"), CAN, ids=[type(learner).__name__ for learner, _ in CAN])
def test_what_a_learner_can_do_is_declared(learner, can):
    assert {one for one in OPTIONAL if isinstance(learner, one)} == can


def test_four_members_are_enough_for_a_run():
    bare = Bare()
    assert isinstance(bare, Learner)
    assert isinstance(bare, FollowsStream)
    assert not isinstance(bare, BatchLearner)
    assert not any(isinstance(bare, one) for one in OPTIONAL)
    assert (files_of(bare), is_savable(bare)) == ((), False)
    run = Run(open_source("synthetic:n=60,seed=1"), {"bare": bare, "br": BR()})
    for _ in run:
        pass
    assert sum(bare.counts) > 60
    with pytest.raises(UsageError, match="the learner bare cannot be stored in a checkpoint: it has no save and load"):
        as_savable("learner bare", bare)


def test_nobody_looks_up_by_name_what_is_declared():
    protocols = (*OPTIONAL, FollowsStream, Learner, BatchLearner)
    members = {name for one in protocols for name in (*one.__dict__, *one.__annotations__)}
    declared = {name for name in members if not name.startswith("_")}
    assert {"take_events", "reacts_to_drift", "make_room", "files", "copy_for_next_fit"} <= declared
    top = Path(learners_room.__file__).parent.parent
    found = [
        f"{path}:{node.lineno}"
        for layer in ("learners", "stream", "adapters")
        for path in (top / layer).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"getattr", "hasattr"}
        if isinstance(node.args[1], ast.Constant) and node.args[1].value in declared
    ]
    assert not found, "test isinstance(learner, Protocol) instead; learners/learner.py has the protocols"
