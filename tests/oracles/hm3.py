"""H-M3 slowly: all labellings that a tree allows, tried one by one."""

import numpy as np
from oracles.trees import allowed_sets
from scipy.optimize import minimize

from telex.learners.trees import node_weights


def labelled_edges(tree, one):
    """The labelling of each edge as a vector: the child off under a parent that is on; both on; both off."""
    nodes = len(tree)
    found = np.zeros(3 * nodes)
    for node, parent in enumerate(tree.parents.tolist()):
        above = parent < 0 or one[parent]
        found[(2 if not above else int(one[node])) * nodes + node] = 1
    return found


def loss(tree, costs, truth, one, *, below_right):
    """What a labelling loses."""
    total = 0.0
    for node, parent in enumerate(tree.parents.tolist()):
        if truth[node] != one[node] and (not below_right or parent < 0 or truth[parent] == one[parent]):
            total += costs[node]
    return total


def inner_products(one, other):
    """The linear kernel."""
    return one @ other.T


def powers(one, other, degree=2, gamma=1.0, coef0=1.0):
    """The polynomial kernel."""
    return (gamma * one @ other.T + coef0) ** degree


def bells(one, other, gamma=1.0):
    """The kernel of radial basis functions."""
    return np.exp(-gamma * ((one[:, None] - other[None]) ** 2).sum(2))


class Problem:
    """Documents as dense rows with their true sets, and the objectives of weights (features x labellings of edges)."""

    def __init__(self, tree, rows, truths, *, below_right, scaling, C, kernel=inner_products):  # noqa: N803 - the papers' letter
        self.tree, self.rows, self.truths = tree, np.asarray(rows, float), [tuple(map(bool, one)) for one in truths]
        self.costs, self.below_right = node_weights(tree, scaling), below_right
        self.strength = C * self.costs.mean()
        self.sets = list(allowed_sets(tree))
        self.edges = np.array([labelled_edges(tree, one) for one in self.sets])
        self.kernel = kernel

    def losses(self, truth):
        """What each set loses against a true one."""
        return [loss(self.tree, self.costs, truth, one, below_right=self.below_right) for one in self.sets]

    def slacks(self, weights):
        """By how much each document's worst labelling violates its margin."""
        scores = self.rows @ weights.reshape(self.rows.shape[1], -1) @ self.edges.T
        found = []
        for own, truth in zip(scores, self.truths, strict=True):
            losses = self.losses(truth)
            found.append(max(0.0, max(own + losses) - own[self.sets.index(truth)]))
        return np.array(found)

    def primal(self, weights):
        """Half the squared weights, and the slacks."""
        return (weights**2).sum() / 2 + self.strength * self.slacks(weights).sum()

    def optimum(self):
        """The least primal objective, found by a solver of another kind: the dual over all labellings."""
        n, sets = len(self.rows), len(self.sets)
        gram = self.kernel(self.rows, self.rows)
        own = np.array([labelled_edges(self.tree, one) for one in self.truths])
        differences = own[:, None] - self.edges[None]
        losses = np.array([self.losses(truth) for truth in self.truths])

        def value(flat):
            mass = flat.reshape(n, sets)
            moved = np.einsum("is,ise->ie", mass, differences)
            pull = gram @ moved
            gradient = losses - np.einsum("ie,ise->is", pull, differences)
            return -(mass * losses).sum() + (moved * pull).sum() / 2, -gradient.ravel()

        sums = {"type": "ineq", "fun": lambda flat: self.strength - flat.reshape(n, sets).sum(1),
                "jac": lambda flat: -np.repeat(np.eye(n), sets, axis=1)}  # fmt: skip
        done = minimize(value, np.zeros(n * sets), jac=True, bounds=[(0, None)] * (n * sets), constraints=[sums],
                        method="SLSQP", options={"maxiter": 500, "ftol": 1e-12})  # fmt: skip
        return -done.fun


def best_with_and_without(tree, values, node):
    """The best sum of the sets that have a node, less that of those without; ``values`` is by labelled edge."""
    found = {True: -np.inf, False: -np.inf}
    for one in allowed_sets(tree):
        found[one[node]] = max(found[one[node]], float(labelled_edges(tree, one) @ values))
    return found[True] - found[False]
