"""H-M3: a maximum margin Markov network over a tree of labels."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners import _trees
from telex.learners.base import Predictions, Reasons, UsageError, single_document
from telex.learners.trees import SCALINGS, Tree, node_weights
from telex.learners.trees.fitted.hm3_forms import KERNELS, KernelForm, LinearForm, Similarity, solve_linear
from telex.learners.trees.fitted.margin_solver import MarginProblem, solve
from telex.learners.trees.fitted.marginals import Marginals
from telex.learners.trees.fitted.tree_model import TreeModel, is_weights
from telex.learners.trees.fitted.tree_window import known_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Batch, Ids, Reals

LOSSES = ("delta", "htilde")
_FORMS = ("auto", "linear", "kernel")
_MOST_DEGREES = 100


class HM3(TreeModel):
    """A maximum margin Markov network over a tree; fitted on a window: refit:model=hm3,every=5000 [^1].

    The labels of a document are a labelling of the tree, in which no node is on below one that is off. Each edge has
    weights for each of its labellings, and the true labelling must score higher than any other by a margin: by the
    loss of the other. A prediction is the labelling of the highest score; the score of a label is by how much the best
    labelling with it is better than the best without. Conditional gradient with pairwise steps solves it [^2].

    Parameters
    ----------
    loss
        What the margin is: ``delta`` counts wrong labels, ``htilde`` only those whose parent is right.
    scaling
        What a mistake at a node counts: ``uniform``, ``sibling`` or ``subtree``.
    C
        How much violated margins count against large weights, at a mean weight of 1 a mistake.
    kernel
        How similar two documents are: ``linear``, their inner product x.z; ``poly``, (gamma x.z + coef0)^degree; or
        ``rbf``, exp(-gamma |x - z|^2).
    degree, gamma, coef0
        The parameters of the kernel.
    form
        ``linear`` learns weights of features, for a linear kernel only. ``kernel`` keeps documents in their place, and
        a table of all pairs of them while it learns: for windows of some thousands. By default linear where it can be.
    passes
        At most so many passes over the documents.
    steps
        At most so many steps for a document in a pass.
    gap
        The fit ends when primal and dual objective differ by at most this share.
    warm_start
        A refit begins with what the last one found for the documents that are still there.
    bias
        Adds a feature that each document has.
    seed
        Orders equal scores, and the documents of a pass.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> stream, model = BatchBuilder(), HM3()
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]))
    >>> for text, label in [("oil rises", "crude"), ("cup final", "sport"), ("pipeline opens", "gas")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['energy', 'crude'], ['sport'], ['energy', 'gas']]

    References
    ----------
    [^1]: J. Rousu, C. Saunders, S. Szedmak, J. Shawe-Taylor: Kernel-Based Learning of Hierarchical Multilabel
        Classification Models, JMLR 2006.
    [^2]: D. Garber, O. Meshi: Linear-memory and Decomposition-invariant Linearly Convergent Conditional Gradient
        Algorithm for Structured Polytopes, NIPS 2016.
    """

    stored_name: ClassVar[str] = "hm3"

    def __init__(
        self,
        loss: Literal["delta", "htilde"] = "delta",
        scaling: Literal["uniform", "sibling", "subtree"] = "uniform",
        C: float = 1.0,  # noqa: N803 - as all maximum margin learners call it
        *,
        kernel: Literal["linear", "poly", "rbf"] = "linear",
        degree: int = 2,
        gamma: float = 1.0,
        coef0: float = 1.0,
        form: Literal["auto", "linear", "kernel"] = "auto",
        passes: int = 500,
        steps: int = 10,
        gap: float = 1e-3,
        warm_start: bool = True,
        bias: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__()
        choices = (
            ("loss", loss, LOSSES), ("scaling", scaling, SCALINGS), ("kernel", kernel, KERNELS), ("form", form, _FORMS),
        )  # fmt: skip
        for name, value, allowed in choices:
            if value not in allowed:
                raise UsageError(f"{name} is {value!r}; choose one of {', '.join(allowed)}")
        numbers = (("C", C), ("passes", passes), ("steps", steps), ("gap", gap), ("gamma", gamma))
        for name, number in numbers:
            if not 0 < number < np.inf:
                raise UsageError(f"{name} is {number}; give a number above 0")
        if degree not in range(1, _MOST_DEGREES + 1):
            raise UsageError(f"degree is {degree}; give a whole number from 1 to {_MOST_DEGREES}")
        if not 0 <= coef0 < np.inf:
            raise UsageError(f"coef0 is {coef0}; give 0 or a number above it")
        if form == "linear" and kernel != "linear":
            raise UsageError(f"the linear form has no kernel {kernel}; leave form out, or take kernel=linear")
        self.loss, self.scaling, self.C, self.passes, self.steps, self.gap = loss, scaling, C, passes, steps, gap
        self.kernel, self.degree, self.gamma, self.coef0, self.form = kernel, degree, gamma, coef0, form
        self.warm_start, self.bias, self.seed = warm_start, bias, seed
        self.curve = np.zeros((0, 3))
        """By pass: the dual objective, the gap seen on the way, and the primal objective (NaN where not computed)."""
        self._model: LinearForm | KernelForm = LinearForm(np.zeros((0, 0), np.float32))
        self._marginals = self._begin = Marginals.empty()
        self._wanted: tuple[int, ...] = ()
        self._stages: dict[int, LinearForm | KernelForm] = {}

    @property
    def rounds(self) -> int:
        """The most passes over the documents."""
        return self.passes

    def keep_stages(self, rounds: Sequence[int]) -> None:
        """Let the next fits keep the models after these numbers of passes, for :meth:`staged_scores`."""
        self._wanted = tuple(rounds)

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``; only a :meth:`copy_for_next_fit` builds on more."""
        given, window = self._window(batch, row_bytes=24, feature_bytes=12)
        costs = self._costs(given.with_labels(window.tree.labels), window.tree)
        strength = float(self.C * costs.mean()) if len(costs) else 1.0
        problem = MarginProblem(
            window, costs, self.loss == "htilde", strength, self.passes, self.steps, self.gap,
            self.seed & 0xFFFFFFFFFFFFFFFF,
        )  # fmt: skip
        begin, self._begin = self._begin, Marginals.empty()
        marginals = begin.begin(batch.numbers, window, strength)
        if self._has_documents:
            whole = KernelForm.of(window, self._similarity)
            found = solve(problem, whole.solve, len(batch), marginals, self._wanted)
            models: Sequence[LinearForm | KernelForm] = whole.of_states((found.state, *found.stages.values()))
        else:
            rows = len(window.features) + self.bias
            found = solve(problem, solve_linear, rows, marginals, self._wanted)
            models = [LinearForm(state) for state in (found.state, *found.stages.values())]
        fitted = {
            "_model": models[0],
            "curve": found.curve,
            "_stages": dict(zip(found.stages, models[1:], strict=True)),
            "_marginals": Marginals.of(batch.numbers, window, strength, found.marginals)
            if self.warm_start
            else Marginals.empty(),
        }
        self._set(window.tree, window.features, fitted)

    @property
    def _has_documents(self) -> bool:
        return self.form == "kernel" or self.kernel != "linear"

    @property
    def _similarity(self) -> Similarity:
        return Similarity(self.kernel, self.degree, self.gamma, self.coef0)

    def _costs(self, whole: Tree, part: Tree) -> Reals:
        weights = node_weights(whole, self.scaling)
        return weights[[whole.place[label] for label in part.labels]]

    def copy_for_next_fit(self, recycled: Ids) -> HM3:
        """Return a model without a fit, whose next one begins with the marginals of this one."""
        new = copy.copy(self)
        unfitted = {"_model": LinearForm(np.zeros((0, 0), np.float32)), "_stages": {}, "_begin": self._marginals}
        new._set(Tree.empty(), np.zeros(0, np.int32), unfitted)
        return new

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted, and their ancestors."""
        return self._scores(batch, self._model)

    def staged_scores(self, batch: Batch, rounds: int) -> Predictions:
        """Predict every document after ``rounds`` passes; a fit that ended before gives what it had at its end."""
        if rounds < len(self.curve) and rounds not in self._stages:
            raise UsageError(
                f"the model after {rounds} passes was not kept; call keep_stages([{rounds}]) before the fit"
            )
        return self._scores(batch, self._stages.get(rounds, self._model))

    def _scores(self, batch: Batch, model: LinearForm | KernelForm) -> Predictions:
        n, nodes = len(batch), len(self.labels)
        scores, relevant = np.empty((n, nodes), np.float32), np.empty((n, nodes), np.uint8)
        if nodes:
            rows = known_rows(batch, self._features, bias=self.bias)
            model.label(rows, self._fitted, scores, relevant)
        return Predictions.of_all(scores, relevant.view(np.bool_), batch, self.labels, self.seed)

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return what each feature adds to the score of each label; None in the kernel form, which has no features."""
        document = single_document(batch, row)
        if not isinstance(self._model, LinearForm):
            return None
        indptr, places, values = known_rows(document, self._features, bias=self.bias)
        own = np.zeros((len(places), len(self.labels)))
        _trees.reasons(indptr, places, values, self._fitted.parents, self._model.state, own)
        contributions = np.zeros((len(document.features), len(self.labels)))
        contributions[np.isin(document.features, self._features)] = own[: len(own) - self.bias]
        base = own[-1] if self.bias else np.zeros(len(self.labels))
        return Reasons(document.features, self.labels, contributions, base)

    def _arrays(self) -> dict[str, Any]:
        return {"model": self._model.save(), "curve": self.curve, "marginals": self._marginals.save()}

    def _checked(self, state: Mapping[str, Any], tree: Tree, features: Ids) -> dict[str, Any] | None:
        saved, curve = state["model"], state["curve"]
        if (
            self._has_documents != ("starts" in saved)
            or curve.dtype != np.float64
            or curve.ndim != 2
            or curve.shape[1] != 3
        ):
            return None
        rows = len(features) + self.bias
        marginals = Marginals.load(state["marginals"], tree)
        model: LinearForm | KernelForm | None = None
        if self._has_documents:
            model = KernelForm.load(saved, rows, 3 * len(tree), self._similarity)
        elif is_weights(saved["state"], rows, 3 * len(tree)):
            model = LinearForm(saved["state"])
        if model is None or marginals is None:
            return None
        return {"_model": model, "curve": curve, "_marginals": marginals, "_stages": {}}
