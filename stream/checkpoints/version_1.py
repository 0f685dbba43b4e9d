"""The upgrade of checkpoints of version 1, which stored names of classes, to the stored names of version 2."""

from __future__ import annotations

from typing import Any

_CLASSES = {
    "Accuracy": "accuracy",
    "AdaBoostLC": "adaboost-lc",
    "AdaBoostMH": "adaboost-mh",
    "AfterDocuments": "after documents",
    "AfterId": "after id",
    "AfterTime": "after time",
    "AvgP": "avgp",
    "BoostingMH": "boosting-mh",
    "BR": "br",
    "Champion": "champion",
    "Coverage": "coverage",
    "CoverHM": "cover_hm",
    "CoverTS": "cover_ts",
    "CoverWN": "cover_wn",
    "CoverWP": "cover_wp",
    "CoverZO": "cover_zo",
    "DriftSettings": "drift",
    "ErrSetSize": "errsetsize",
    "Hamming": "hamming",
    "IsErr": "iserr",
    "Last": "last",
    "Lateness": "delayed labels",
    "Margin": "margin",
    "MLPP": "mlpp",
    "MMP": "mmp",
    "MPBoost": "mpboost",
    "NB": "nb",
    "OneErr": "oneerr",
    "Prior": "prior",
    "Refit": "refit",
    "RiverLearner": "river",
    "Selected": "select",
    "SklearnModel": "sklearn",
    "Span": "span",
    "Windowed": "windowed",
    "ZeroOne": "zero_one",
}
_SINKS = {
    "OrderFile": "order.bin",
    "PredictionsFile": "predictions",
    "PutBack": "kafka results",
    "RunFolder": "run folder",
}
_FILES = {
    "CurvesFile": "curves.csv",
    "DeadLettersFile": "dead-letters.jsonl",
    "EventsFile": "events.jsonl",
    "LabelHistoryFile": "label-history.csv",
    "LabelsFile": "labels.csv",
    "LossesFile": "losses.bin",
    "LossesOfTest": "losses-test.bin",
    "SpeedFile": "speed.csv",
}


def upgraded(state: Any) -> Any:
    """Return the state of a run as version 2 stores it; a state of anything else stays as it is.

    >>> upgraded({"settings": {"labels-after": {"class": "Span", "documents": 5}}, "sinks": [["CurvesFile", None]]})
    {'settings': {'labels-after': {'kind': 'span', 'documents': 5}}, 'sinks': []}
    """
    if not isinstance(state, dict) or not {"settings", "sinks"} <= state.keys():
        return state
    sinks = [[_SINKS.get(name, name), _files(name, saved)] for name, saved in state["sinks"] if _stored(name, saved)]
    found = {**state, "settings": _settings(state["settings"]), "sinks": sinks}
    return found | _counts(state) if "parts" in state else found


def _counts(state: Any) -> Any:
    """Return the counts that version 2 stores elsewhere: version 1 stored those of answers with its monitors."""
    learnt = sum(part["counts"][1] for part in state["parts"] if part["name"] == "train")
    if state["late"] is not None:
        learnt += state["late"]["counts"]["corrections"]
    watching = {key: one for key, one in state["watching"].items() if key != "answered"}
    return {"learnt": learnt, "watching": {**watching, "newest": state["watching"]["answered"][1]}}


def _stored(name: str, saved: Any) -> bool:
    return saved is not None or name in _SINKS


def _files(name: str, saved: Any) -> Any:
    return {_FILES.get(file, file): one for file, one in saved.items()} if name == "RunFolder" and saved else saved


def _settings(value: Any) -> Any:
    if isinstance(value, list):
        return [_settings(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "class" in value:
        rest = {key: _settings(one) for key, one in value.items() if key != "class"}
        return {"kind": _CLASSES.get(value["class"], value["class"]), **rest}
    return {key: _settings(one) for key, one in value.items()}
