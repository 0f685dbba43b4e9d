"""The order of equal scores: by a hash of (seed, stream number, label name), the same on every machine.

docs/definitions.md gives the arithmetic. The native core has its own implementation; a test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base.array_types import Keys, Offsets

_MASK = (1 << 64) - 1


def mix(z: int) -> int:
    """Return the SplitMix64 step of ``z``, modulo 2**64.

    >>> hex(mix(0))
    '0xe220a8397b1dcdaf'
    """
    z = (z + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def name_hash(label: object) -> int:
    """Return FNV-1a (64 bits) over the UTF-8 of ``str(label)``.

    >>> hex(name_hash("a"))
    '0xaf63dc4c8601ec8c'
    """
    h = 0xCBF29CE484222325
    for byte in str(label).encode("utf-8", "surrogatepass"):
        h = ((h ^ byte) * 0x100000001B3) & _MASK
    return h


def tie_key(seed: int, number: int, label: object) -> int:
    """Return the key by which ``label`` is ordered among equal scores of document ``number``: lowest first.

    >>> sorted(["CCAT", "ECAT", "GCAT"], key=lambda c: tie_key(0, 7, c))
    ['CCAT', 'ECAT', 'GCAT']
    """
    return mix(mix(mix(seed & _MASK) ^ number & _MASK) ^ name_hash(label))


def tie_keys(seed: int, numbers: Offsets, hashes: Keys) -> Keys:
    """Return :func:`tie_key` for documents (rows, by their numbers) and labels (columns, by the hashes of their names).

    >>> found = tie_keys(0, np.array([7]), np.array([name_hash("CCAT")], np.uint64))
    >>> int(found[0, 0]) == tie_key(0, 7, "CCAT")
    True
    """
    documents = mixed(np.uint64(mix(seed & _MASK)) ^ numbers.astype(np.uint64))
    return mixed(documents[:, None] ^ hashes)


def mixed(z: Keys) -> Keys:
    """Return :func:`mix` of every entry.

    >>> hex(mixed(np.zeros(1, np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
