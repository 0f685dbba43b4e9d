"""Streams as batches, what a learner says as it follows them, and states as a file gives them back."""

import dataclasses
import json

import numpy as np

from telex.learners import BatchBuilder, Forget, Names

NAN = float("nan")


def batch_of(stream, *, forget=False, hours=False):
    """The whole stream as one batch; a document an hour, features that leave before every tenth document."""
    builder = BatchBuilder(Names([f"t{i}" for i in range(60)]))
    for i, (x, y) in enumerate(stream):
        # every seventh has no time, every eleventh is late
        builder.add(x, y, time=NAN if i % 7 == 3 else 3600.0 * (i - 20 * (i % 11 == 5)) if hours else NAN)
    batch = builder.take()
    return forgetting(batch, every=10, count=3, features=60) if forget else batch


def forgetting(batch, *, every, count, features):
    """The batch, in which ``count`` features leave before every tenth document, or as ``every`` says."""
    rows = np.repeat(np.arange(0, len(batch), every, dtype=np.int32), count)
    return dataclasses.replace(batch, forget=Forget(rows, (np.arange(len(rows)) * 7 % features).astype(np.int32)))


def positive_batch(stream):
    """The stream as one batch, without a sign."""
    builder = BatchBuilder()
    for x, y in stream:
        builder.add({name: abs(value) for name, value in x.items()}, y)
    return builder.take()


def signed_batch(stream, negative):
    """The stream as one batch, all values of which are below 0 from the document ``negative`` on."""
    builder = BatchBuilder()
    for i, (x, y) in enumerate(stream):
        builder.add({name: -abs(value) if i >= negative else abs(value) for name, value in x.items()}, y)
    return builder.take()


def met_anew(batch):
    """The rest of a stream as a source that was restored hands it out: equal tables, other objects."""
    return dataclasses.replace(batch, feature_names=Names(batch.feature_names), label_names=Names(batch.label_names))


def told(predictions, labels=None):
    """Each ask: {label: (score, in the set)}."""
    names = list(labels or predictions.labels)
    return [
        {
            names[c]: (float(predictions.scores[k, c]), bool(predictions.relevant[k, c]))
            for c in range(predictions.known[k])
        }
        for k in range(len(predictions))
    ]


def told_by_row(predictions, labels=None):
    """The same, each with its row."""
    return list(zip(predictions.rows.tolist(), told(predictions, labels), strict=True))


def through_json(state):
    """A state as it comes back from a file."""
    if isinstance(state, dict):
        return {key: through_json(value) for key, value in state.items()}
    return state.copy() if isinstance(state, np.ndarray) else json.loads(json.dumps(state))


def without_clock(events):
    return [{key: value for key, value in event.items() if key != "seconds"} for event in events]
