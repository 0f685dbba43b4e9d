"""The state of MLPP, divided into parts and made whole again: each part has one of every n tiles of 64 pairs.

``learners/native/store.hpp`` writes the arrays. A feature's weights are either rows of all tiles or a list of columns;
which of the two each part decides for itself by what it has, so in a whole state that parts make more features may have
rows than in that of one process. The weights are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import row_starts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from telex.learners.base import Offsets, State

TILE = 64
_TILES = {"rows": "list_weights", "rows_sum": "list_sums"}
"""Tables of a row a tile, and what the lists have instead."""
_OF_PAIRS = {"row_features", "trainings", "list_features", "list_ends", "list_columns", *_TILES, *_TILES.values()}


def split_pairs(state: Mapping[str, Any], part: int, parts: int) -> State:
    """Return the state of a part."""
    mine: State = {name: value for name, value in state.items() if name not in _OF_PAIRS}
    mine |= {name: state[name] for name in ("row_features", "list_features")}
    mine |= {name: np.ascontiguousarray(state[name][part::parts]) for name in _TILES if name in state}
    columns = state["list_columns"]
    here = columns // TILE % parts == part
    mine["list_columns"] = (columns[here] // TILE // parts * TILE + columns[here] % TILE).astype(np.int32)
    mine["list_ends"] = row_starts(here)[state["list_ends"]]
    mine |= {name: state[name][here] for name in _TILES.values() if name in state}
    if "trainings" in state:
        mine["trainings"] = state["trainings"][_pairs(part, parts, len(state["trainings"]))]
    return mine


def merge_pairs(states: Sequence[Mapping[str, Any]]) -> State:
    """Return the whole state; a feature that has rows in any part has rows in it."""
    parts, known = len(states), len(states[0]["hashes"])
    pairs = known * (known - 1) // 2
    whole: State = {name: value for name, value in states[0].items() if name not in _OF_PAIRS}
    features = np.array(sorted(set().union(*(state["row_features"].tolist() for state in states))), np.int32)
    whole["row_features"] = features
    for table, lists in _TILES.items():
        if table not in states[0]:
            continue
        tiles = np.zeros((-(-pairs // TILE), len(features), TILE), np.float32)
        for part, state in enumerate(states):
            own = tiles[part::parts]
            at = np.searchsorted(features, state["row_features"])
            own[:, at] = state[table].reshape(len(own), len(at), TILE)
            rows, columns, kept = _listed(state, features)
            own[columns // TILE, rows, columns % TILE] = state[lists][kept]
        whole[table] = tiles.reshape(len(tiles), len(features) * TILE)
    return whole | _merged_lists(states, features) | _merged_trainings(states, pairs)


def _pairs(part: int, parts: int, pairs: int) -> Offsets:
    """Return the numbers of a part's pairs, of so many in all.

    >>> _pairs(1, 2, 66).tolist(), len(_pairs(0, 2, 66))
    ([64, 65], 64)
    """
    tiles = np.arange(part, -(-pairs // TILE), parts)
    found = (tiles[:, None] * TILE + np.arange(TILE)).ravel()
    return found[found < pairs]


def _owners(state: Mapping[str, Any]) -> npt.NDArray[np.int32]:
    """Return the feature of each entry of the lists."""
    owners: npt.NDArray[np.int32] = np.repeat(state["list_features"], np.diff(state["list_ends"], prepend=0))
    return owners


def _listed(state: Mapping[str, Any], features: npt.NDArray[np.int32]) -> tuple[Any, Any, Any]:
    """Return the places in ``features``, and the columns, of a part's list entries that belong there; and which."""
    kept = np.isin(_owners(state), features)
    return np.searchsorted(features, _owners(state)[kept]), state["list_columns"][kept], kept


def _merged_lists(states: Sequence[Mapping[str, Any]], rows: npt.NDArray[np.int32]) -> State:
    parts, kept = len(states), [~np.isin(_owners(state), rows) for state in states]
    own = [state["list_columns"][keep].astype(np.int64) for state, keep in zip(states, kept, strict=True)]
    columns = np.concatenate([(one // TILE * parts + part) * TILE + one % TILE for part, one in enumerate(own)])
    owners = np.concatenate([_owners(state)[keep] for state, keep in zip(states, kept, strict=True)])
    order = np.lexsort((columns, owners))
    lists = states[0]["list_features"]
    lists = lists[~np.isin(lists, rows)]
    whole: State = {
        "list_features": lists,
        "list_ends": np.searchsorted(owners[order], lists, side="right").astype(np.int64),
        "list_columns": columns[order].astype(np.int32),
    }
    for name in _TILES.values():
        if name in states[0]:
            values = [state[name][keep] for state, keep in zip(states, kept, strict=True)]
            whole[name] = np.concatenate(values)[order]
    return whole


def _merged_trainings(states: Sequence[Mapping[str, Any]], pairs: int) -> State:
    if "trainings" not in states[0]:
        return {}
    whole = np.zeros(pairs, np.int64)
    for part, state in enumerate(states):
        whole[_pairs(part, len(states), pairs)] = state["trainings"]
    return {"trainings": whole}
