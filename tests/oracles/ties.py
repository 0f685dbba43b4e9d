"""Hashes, ties and names, read slowly from docs/definitions.md ("Names, ids, ties")."""

import numpy as np

TWO64 = 2**64


def mix(z):
    z = (z + 0x9E3779B97F4A7C15) % TWO64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % TWO64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % TWO64
    return z ^ (z >> 31)


def name(label):
    value = 14695981039346656037
    for byte in str(label).encode():
        value = (value ^ byte) * 1099511628211 % TWO64
    return value


def key(seed, number, label):
    return mix(mix(mix(seed % TWO64) ^ number) ^ name(label))


def chance(key_a, key_b):
    """p(a, b) of two labels' keys."""
    return ((mix(key_a ^ mix(key_b)) >> 11) + 1) / 2**53


def start(seed, feature, column, scale):
    """The initial weight under init=random, as the float32 that it is."""
    return float(np.float32(((mix(mix(mix(seed % TWO64) ^ feature) ^ column) >> 40) / 2**24 - 0.5) * 2 * scale))


def in_order(names):
    """Sorted names: numbers by value, texts by code point, several types by type first."""
    try:
        return sorted(names)
    except TypeError:
        kinds = {}
        for n in names:
            kinds.setdefault(type(n).__name__, []).append(n)
        return [n for kind in sorted(kinds) for n in sorted(kinds[kind])]


def ranking(scores, seed, number):
    """Labels best first; `scores` comes by column, so that a stable sort leaves equal keys by column."""
    return sorted(scores, key=lambda label: (-scores[label], key(seed, number, label)))
