"""Streaming online learning for labelling news: predict, score, learn, one document at a time.

A source gives documents, learners predict the labels of each and then learn them, and the run is an iterator over the
points of their learning curves::

    import telex

    run = telex.Run(telex.open_source("news.jsonl"), {"mmp": telex.MMP(), "mlpp": telex.MLPP()})
    for point in run:
        print(point.documents, point.learners["mmp"]["iserr"])

``telex.replay`` makes such a run by the names that ``telex learners`` lists, and stores it in a folder;
``telex.report`` makes a page of the folder::

    for point in telex.replay("news.jsonl", ["mmp", "nb"], run="first"):
        print(point.documents, point.learners["nb"]["iserr"])
    telex.report(["first"], "first.html")

Learners are estimators of river too, for its pipelines and metrics:

>>> import telex
>>> model = telex.MMP()
>>> model.learn_one({"cup": 1.0}, ["sport"])
>>> model.predict_one({"cup": 1.0})
{'sport': True}

Where to look further:

telex.learners
    What learns, ``Batch`` and ``Predictions``: AROW, PA, Logistic, BR, MMP, MLPP, NB, MPBoost and others.
telex.stream
    What happens to a document: sources, words, runs, sinks, late labels, refits, drift, checkpoints.
telex.adapters
    The outside world: formats, Kafka, Prometheus, reports, scikit-learn, and the command line ``telex``.
telex.testing
    What tests work with: an archive made of a list, a sink that records, a broker's script, faults at a write.

A source, a learner, a loss and a sink are small protocols; a class of your own that meets one takes its place. Derive a
learner from ``telex.PerDocument``, a loss from ``telex.Loss``, a format from ``telex.FiledStories`` or
``telex.Archive``, make a command with ``telex.Command``, and name them in entry points: CONTRIBUTING.md says how.

Errors that you can fix are ``telex.UsageError``; the base class of all errors of Telex is ``telex.TelexError``.
"""

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    # Loaded when first used: the command line answers --help without numpy, river and the native core.
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("telex")
    return _attribute(name)
