"""What surrounds the row of a record: the envelopes of Kafka Connect and of Debezium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl import decode_object
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CONNECT, DEBEZIUM = "connect", "debezium"
_WITH_SCHEMA = {"schema", "payload"}
_ROWS = {"before", "after"}
_NO_ROW = {"d", "t", "m"}
"""What a change may be that leaves no row: a delete, a truncated table, a message."""


def payload_of(value: Any) -> Any:
    """Return what is beside a schema, or the value itself where it comes without one.

    >>> payload_of({"schema": {"type": "struct"}, "payload": {"id": 7}}), payload_of({"id": 7})
    ({'id': 7}, {'id': 7})
    """
    return value["payload"] if isinstance(value, dict) and value.keys() == _WITH_SCHEMA else value


def envelope_of(values: Iterable[Any]) -> str | None:
    """Return the envelope that all of some values have, None if there is none.

    >>> envelope_of([{"before": None, "after": {"id": 7}, "op": "c", "ts_ms": 1}])
    'debezium'
    >>> envelope_of([{"schema": None, "payload": {"id": 7}}]), envelope_of([{"id": 7}])
    ('connect', None)
    """
    kinds = set(map(_kind, values))
    if not kinds or None in kinds:
        return None
    return DEBEZIUM if DEBEZIUM in kinds else CONNECT


def is_gone(name: str, value: Any) -> bool:
    """Tell whether a value says that a row is gone, or concerns none."""
    payload = payload_of(value)
    return payload is None or (name == DEBEZIUM and _is_change(payload) and payload["op"] in _NO_ROW)


def row_of(name: str, value: Any) -> dict[str, Any]:
    """Return the row in an envelope as it now is; a BrokenRecordError says what is missing.

    >>> row_of("debezium", {"before": {"id": 7}, "after": {"id": 7, "text": "Gold fell."}, "op": "u"})
    {'id': 7, 'text': 'Gold fell.'}
    """
    found = payload_of(value)
    if name == DEBEZIUM:
        if not _is_change(found):
            raise BrokenRecordError(
                "this is no change of Debezium: there is no op, or neither before nor after; rows alone "
                "are --format connect or jsonl"
            )
        found = found.get("after")
        if isinstance(found, str):  # of MongoDB
            found = decode_object(found.encode())
    if not isinstance(found, dict):
        raise BrokenRecordError(f"there is no row in the record, but {type(found).__name__}")
    return found


def key_text(data: bytes, decode: Callable[[bytes], Any]) -> str:
    """Return the key of a row as text; several columns have a / between them.

    >>> import json
    >>> key_text(b'{"schema": {}, "payload": {"id": 7}}', json.loads), key_text(b'{"a": 7, "b": "x"}', json.loads)
    ('7', '7/x')
    >>> key_text(b"k7", json.loads)
    'k7'
    """
    try:
        found = payload_of(decode(data))
    except ValueError:  # no JSON
        return data.decode()
    columns = list(found.values()) if isinstance(found, dict) else [found]
    return (
        "/".join(map(str, columns)) if columns and all(isinstance(one, (str, int)) for one in columns) else str(found)
    )


def _kind(value: Any) -> str | None:
    payload = payload_of(value)
    if _is_change(payload) and ("ts_ms" in payload or "source" in payload):
        return DEBEZIUM
    return CONNECT if payload is not value and isinstance(payload, dict | None) else None


def _is_change(payload: Any) -> bool:
    return (
        isinstance(payload, dict)
        and isinstance(payload.get("op"), str)
        and (bool(payload.keys() & _ROWS) or payload["op"] in _NO_ROW)
    )
