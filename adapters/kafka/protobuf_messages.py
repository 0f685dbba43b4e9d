"""Messages of Protocol Buffers, by the text of their schema."""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.kafka.schema_registry import Schema

_NAME = "telex_record.proto"


def message_reader(schema: Schema) -> Callable[[bytes], Any]:
    """Return what decodes the messages of a schema: their index in it, then the message.

    Fields have the names of the schema, and those that are not set their defaults. Timestamps are texts of ISO 8601,
    numbers of 64 bits texts, and bytes base64, as in the JSON form of Protocol Buffers.
    """
    try:
        from google.protobuf import (  # noqa: PLC0415 - an extra
            descriptor_pb2,
            descriptor_pool,
            json_format,
            message_factory,
        )
    except ImportError as error:
        raise _missing() from error
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(_compiled(schema)).file:
        pool.Add(file)
    top = list(pool.FindFileByName(_NAME).message_types_by_name.values())

    def read(data: bytes) -> Any:
        indexes, start = message_indexes(data)
        found = top[indexes[0]]
        for index in indexes[1:]:
            found = found.nested_types[index]
        message = message_factory.GetMessageClass(found).FromString(data[start:])
        return json_format.MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, descriptor_pool=pool
        )

    return read


def message_indexes(data: bytes) -> tuple[list[int], int]:
    r"""Return which message of a schema a value is, from the outermost to the innermost, and where it begins.

    They are numbers with a sign: how many there are, then each. A single zero is the first message.

    >>> message_indexes(b"\0rest"), message_indexes(b"\4\2\0rest"), message_indexes(b"\2\6rest")
    (([0], 1), ([1, 0], 3), ([3], 2))
    """
    count, at = _number(data, 0)
    found = list[int]()
    for _ in range(count):
        number, at = _number(data, at)
        if number < 0:
            raise BrokenRecordError("the index of the message is below 0")
        found.append(number)
    return found or [0], at


def _number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(data) or shift > 28:
            raise BrokenRecordError("the value ends before its message, or has no index of one")
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return (number >> 1) ^ -(number & 1), at


def _compiled(schema: Schema) -> bytes:
    """Return the descriptors of a schema and of all that it imports."""
    try:
        from grpc_tools import protoc  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise _missing() from error
    with tempfile.TemporaryDirectory(prefix="telex-schema-") as folder:
        for name, text in {**schema.references, _NAME: schema.text}.items():
            if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                raise BrokenRecordError(f"its schema imports {name!r}, which is no name inside of a registry")
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        out, usual = Path(folder, "compiled.bin"), files("grpc_tools") / "_proto"
        if protoc.main(["protoc", f"-I{folder}", f"-I{usual}", "--include_imports", f"-o{out}", _NAME]):
            raise BrokenRecordError(
                "its Protobuf schema cannot be compiled; what it imports must be among its references"
            )
        return out.read_bytes()


def _missing() -> UsageError:
    return UsageError("Protobuf needs other libraries: pip install 'telex[registry]'")
