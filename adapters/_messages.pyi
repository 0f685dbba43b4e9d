from collections.abc import Mapping, Sequence

from telex.learners.base import Bytes, Flags, Ids, Keys, Offsets, Reals, Values

PackedHeaders = tuple[bytes, int, int]  # packed one behind the other, their number, the bytes of their names and values

# two pieces for each document, as bytes and ends: the set, the best labels with their scores
def predicted_labels(
    scores: Values | Reals,
    relevant: Flags,
    known: Ids,
    numbers: Offsets,
    keys: Keys,
    *,
    seed: int,
    top: int,
    names: Bytes,
    name_ends: Offsets,
    ranks: Ids,
) -> tuple[Bytes, Offsets]: ...

# messages as bytes and ends, and how many were left out
def predictions(
    topic: str,
    ids: list[str],
    *,
    rows: Ids,
    whose: Ids,
    made_by: Sequence[tuple[Bytes, Offsets]],
    learners: Sequence[bytes],
    positions: Offsets,
    moment: str,
    origin_topics: Sequence[str],
    places: Ids,
    partitions: Ids,
    offsets: Offsets,
    stamps: Offsets,
    times: Reals,
    texts: Mapping[int, str],
    revises: Mapping[int, str],
    common: PackedHeaders,
    carried: Mapping[int, PackedHeaders],
    longest: int,
    envelope: int,
) -> tuple[Bytes, Offsets, int]: ...

# the number of each message's topic, and its partition
def places(data: Bytes, ends: Offsets, topics: Sequence[str], counts: Sequence[int]) -> tuple[Ids, Ids]: ...

# records, how many, the first timestamp, the latest
def records(
    data: Bytes, ends: Offsets, rows: Offsets, start: int, *, offset: int, first: int | None, now: int, room: int
) -> tuple[bytes, int, int | None, int]: ...
