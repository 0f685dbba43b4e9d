"""Streams of differences of losses in [0, 1], many at a time, in which neither is better whatever came before."""

import numpy as np


def dense(rng, shape, _):
    """Any difference, uniformly."""
    return rng.uniform(-1, 1, shape)


def rare(rng, shape, _):
    """Like those of iserr between similar learners: they differ on one document in fifty."""
    return signs(rng, shape, 0.02)


def frequent(rng, shape, _):
    """Like those of iserr between unlike learners."""
    return signs(rng, shape, 0.5)


def drifting(rng, shape, start):
    """A spread that comes and goes: from one document of a thousand to every second one, and back."""
    at = start + np.arange(shape[1])
    return signs(rng, shape, 0.5 * np.sin(at * np.pi / 1500) ** 8 + 0.001)


def skewed(rng, shape, _):
    """Small losses on most documents, made up for by a large one now and then."""
    return np.where(rng.random(shape) < 0.05, 0.95, -0.05)


def daring(rng, shape, start):
    """What comes next depends on the past: it is the larger, the more one of them has been ahead."""
    found, ahead = np.empty(shape), np.zeros(shape[0])
    for column in range(shape[1]):
        found[:, column] = rng.choice([-1.0, 1.0], shape[0]) * np.clip(0.05 + 0.02 * np.abs(ahead), 0, 1)
        ahead += found[:, column]
    return found


def signs(rng, shape, share):
    """1 or -1 on a share of the documents, else 0."""
    drawn = rng.random(shape)
    return np.where(drawn < share / 2, 1.0, np.where(drawn < share, -1.0, 0.0))


EQUAL = {one.__name__: one for one in (dense, rare, frequent, drifting, skewed, daring)}
