"""The stages that a run explains are those that its documents pass."""

from telex.learners import BR, MMP
from telex.learners.base import Span
from telex.stream import Run
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Archive, Features


class Untouched(Archive):
    """An archive that must not be read."""

    title = "wire"

    def __iter__(self):
        raise AssertionError("it is read")


def names(run):
    return [line.name for line in run.explain()]


def test_the_stages_are_those_of_the_source_and_of_the_run():
    source = Features(Untouched(), "products=true", features="unit", bias=True, ahead=True, unique_ids=True)
    run = Run(source, {"mmp": MMP(), "br": BR()}, test_after="n:7", lateness=Lateness(Span(documents=5)), drift="ADWIN")
    stages = [stage.name for stage in source.stages]
    assert names(run)[1 : 1 + len(stages)] == stages
    later = ["train or test", "delayed labels", "predict", "judge", "learn", "curves", "watch"]
    assert names(run)[1 + len(stages) :] == later
    lines = {line.name: line for line in run.explain()}
    assert lines["read"].summary == "wire"
    assert lines["predict"].summary == "mmp, br"
    assert lines["train or test"].summary == "end the training part after 7 documents"


def test_what_is_before_a_queue_runs_in_a_thread():
    threads = [line.thread for line in Run(Features(Untouched(), ahead=True), {"mmp": MMP()}).explain()]
    assert threads == sorted(threads, key=["thread 1", "thread 2", "thread 3", "run"].index)
    assert {line.thread for line in Run(Features(Untouched()), {"mmp": MMP()}).explain()} == {"run"}


def test_a_plain_list_of_batches_is_explained_too():
    assert names(Run([], {"mmp": MMP()})) == ["read", "predict", "judge", "learn", "curves"]
