"""The values behind the magic byte of a schema registry: Avro, JSON and Protobuf."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.kafka.protobuf_messages import message_reader
from telex.adapters.kafka.schema_registry import SchemaRegistry
from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.kafka.schema_registry import Schema

_HEAD = 5
"""The bytes before a value: a zero, and the id of its schema in four."""


def is_registered(data: bytes) -> bool:
    r"""Tell whether a value begins with the magic byte and the id of a schema.

    >>> is_registered(b"\0\0\0\0\7{}"), is_registered(b"{}")
    (True, False)
    """
    return len(data) >= _HEAD and data[0] == 0


def without_registry(data: bytes) -> str:
    """Return why a value with the magic byte cannot be read where no registry is named."""
    return f"the value is encoded by schema {_number(data)} of a schema registry; name the registry with --registry URL"


class RegisteredValues:
    r"""Decodes values by the schemas of ``registry``, each of which it asks for once.

    >>> class Registry:
    ...     def schema(self, number):
    ...         return Schema("JSON", "{}", {})
    >>> from telex.adapters.kafka.schema_registry import Schema
    >>> RegisteredValues(Registry()).decode(b'\0\0\0\0\7{"text": "Gold fell."}')
    {'text': 'Gold fell.'}
    """

    def __init__(self, registry: SchemaRegistry) -> None:
        self._registry = registry
        self._readers: dict[int, Callable[[bytes], Any] | str] = {}  # or why there is none

    @classmethod
    def of(cls, url: str | None) -> RegisteredValues | None:
        """Return the values of the registry at ``url``; None without one."""
        return None if url is None else cls(SchemaRegistry(url))

    def decode(self, data: bytes) -> Any:
        """Return a value as JSON would hold it; one that its schema does not fit raises a BrokenRecordError.

        A schema that the registry did not have is not asked for again: what a record becomes must not depend on when
        it is read.
        """
        number = _number(data)
        found = self._readers.get(number)
        if found is None:
            try:
                found = _reader(self._registry.schema(number))
            except BrokenRecordError as error:
                found = str(error)
            self._readers[number] = found
        if isinstance(found, str):
            raise BrokenRecordError(found)
        try:
            return found(data[_HEAD:])
        except Exception as error:  # the libraries raise what their C code meets
            raise BrokenRecordError(
                f"the value does not fit schema {number}: {error or type(error).__name__}"
            ) from error


def _number(data: bytes) -> int:
    return int.from_bytes(data[1:_HEAD], "big")


def _reader(schema: Schema) -> Callable[[bytes], Any]:
    match schema.kind:
        case "AVRO":
            return _avro_reader(schema)
        case "JSON":
            return msgspec.json.decode
        case "PROTOBUF":
            return message_reader(schema)
    raise BrokenRecordError(f"its schema is {schema.kind}, which is none of AVRO, JSON and PROTOBUF")


def _avro_reader(schema: Schema) -> Callable[[bytes], Any]:
    try:
        import fastavro  # noqa: PLC0415 - an extra
        from fastavro.schema import SchemaParseException  # noqa: PLC0415
    except ImportError as error:
        raise UsageError("Avro needs another library: pip install 'telex[registry]'") from error
    named: dict[str, Any] = {}
    try:
        for text in schema.references.values():
            fastavro.parse_schema(msgspec.json.decode(text), named_schemas=named)
        parsed = fastavro.parse_schema(msgspec.json.decode(schema.text), named_schemas=named)
    except (SchemaParseException, msgspec.MsgspecError, ValueError, TypeError, LookupError) as error:
        raise BrokenRecordError(f"its Avro schema cannot be read: {error}") from error
    # Times become texts of ISO 8601, decimals and UUIDs texts, and bytes base64.
    return lambda data: msgspec.to_builtins(fastavro.schemaless_reader(io.BytesIO(data), parsed, None))
