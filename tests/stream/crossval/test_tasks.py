"""Folds that are learnt elsewhere: the outcome does not tell, however many are begun ahead."""

import pytest
from oracles.compare import batch_of
from oracles.streams import zipf

from telex.learners import AROW, NB, MPBoost
from telex.stream.crossval import Corpus, Here, cross_validate, stratified


class Fails(NB):
    """Fails on the second fold that it is taught."""

    taught = 0

    def learn(self, batch):
        type(self).taught += 1
        if self.taught == 2:
            raise ValueError("two are enough")
        super().learn(batch)


class Ahead(Here):
    """Makes each call at once; its result or error comes when it is waited for."""

    def __init__(self, ahead):
        self.ahead, self.begun, self.most = ahead, 0, 0

    def begin(self, function, *arguments):
        self.begun += 1
        self.most = max(self.most, self.begun)
        try:
            result, error = function(*arguments), None
        except ValueError as raised:
            result, error = None, raised

        def wait():
            self.begun -= 1
            if error:
                raise error
            return result

        return wait


@pytest.mark.parametrize("ahead", [0, 1, 4, 100])
def test_the_outcome_is_that_of_one_process(ahead):
    documents = Corpus.read([batch_of(zipf(5, 120, 30, 5))])
    parts = stratified(documents.batch, 4)

    def outcome(tasks):
        Fails.taught = 0
        learners = {"arow": AROW(), "fails": Fails(), "mpboost": MPBoost(rounds=2)}
        return cross_validate(documents, learners, parts, tasks=tasks)

    tasks = Ahead(ahead)
    found, expected = outcome(tasks), outcome(None)
    assert found.plain() == expected.plain()
    assert found.failed == expected.failed
    assert list(found.failed) == ["fails"]
    assert tasks.most <= ahead + 1
