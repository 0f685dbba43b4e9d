"""Multilabel pairwise perceptrons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.learners import _core
from telex.learners.operations import CountsOperations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Offsets, Reals

_BYTES = {"float32": 4, "int8": 1, "hybrid": 1}
_MUCH = 1e9
"""The bytes of a table from which a run says how large it may grow."""
_USUAL_LABELS, _USUAL_TERMS = 400, 50_000  # what `auto` reckons with


class MLPP(CountsOperations):
    """One perceptron per pair of labels, each trained on documents that have exactly one of the two [^1].

    All pairs vote. A virtual label, whose duels with the labels are the perceptrons of binary relevance, cuts the
    ranking into a set. Memory is (labels squared / 2) floats per feature: 4,096 labels at most, in practice a few
    hundred.

    The perceptrons have a margin, which the paper only asks for. The paper's own are
    ``mlpp:update=perceptron,ties=first``. A label that comes late has, to the bit, the weights that it would have had
    if it had been known from the start, unless they begin at random.

    Parameters
    ----------
    decode
        ``votes`` counts the duels that a label wins, ``weighted`` sums their margins, ``votes+weight`` orders equal
        votes by the margins (better than the paper's random choice on RCV1).
    update
        How a perceptron learns: ``pa`` moves it just so far that the margin is 1 (PA-I [^2]), ``arow`` less far where
        it is sure of a weight (AROW [^3], twice the memory, better than ``pa`` on dense features), ``perceptron`` only
        where it is wrong. Margins move more weights: rare words need up to three times the memory.
    C
        The farthest that ``pa`` moves along a document of unit length. The default was chosen on made-up news; dense
        features may want 1.
    r
        How slowly ``arow`` becomes sure.
    ties
        What a score of 0 is: ``half`` a vote for each label of the pair, and an error of a perceptron, or a vote for
        the label that was met ``first``, as in the paper.
    init
        Initial weights: ``zero``, or ``random`` as in the paper.
    init_scale
        Random weights are in [-init_scale, init_scale); the paper does not say, and 1 ruins the first sets.
    averaged
        Predict with the mean of all weights so far, learn with the newest; twice the memory. It helps where features
        are dense (iserr of yeast .916 to .878). It harms texts, whose words and labels keep coming (RCV1 .344 to .385).
    mean
        Over what weights are averaged: the documents that a perceptron was trained on, its ``own``, or all
        ``documents``.
    storage
        What a pair's weight is: ``float32``; ``int8``, a byte to which each move is rounded by chance, the same in
        every run: up to twice the speed, and half of the memory where most words are frequent; ``hybrid``, bytes too,
        of rare words in short lists: a fifth to an eighth of the memory, at about the speed of ``float32``. Both are
        for documents of unit length (a byte reaches from -4 to 4), and take neither ``arow`` nor averages nor random
        weights. ``auto`` takes ``float32`` if a full table of ``label_limit`` labels (400) and 50,000 words fits into
        the memory that there is when the learner begins, else ``hybrid``; :attr:`choice` says which.
    threads
        The number of threads, which share the pairs; 0 takes up to four if that is faster. The result is the same to
        the bit.
    label_limit
        With more labels than this a run sets the learner aside, which is then no failure.
    seed
        Orders equal scores, and draws random weights.

    Examples
    --------
    >>> from telex.learners import MLPP
    >>> model = MLPP()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.scores_one({"tariff": 1.0})
    {'trade': 1.0, 'sport': 0.0}

    References
    ----------
    [^1]: E. Loza Mencía, J. Fürnkranz: Pairwise Learning of Multilabel Classifications with Perceptrons, IJCNN 2008.
    [^2]: K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer: Online Passive-Aggressive Algorithms,
      JMLR 7, 2006.
    [^3]: K. Crammer, A. Kulesza, M. Dredze: Adaptive Regularization of Weight Vectors, NIPS 2009.
    """

    stored_name: ClassVar[str] = "mlpp"
    kernel: ClassVar[str] = "mlpp"
    earlier: ClassVar[Mapping[str, Any]] = {
        "update": "perceptron",
        "C": 3.0,
        "r": 0.1,
        "ties": "first",
        "init_scale": 1.0,
        "mean": "documents",
        "storage": "float32",
        "label_limit": None,
    }
    most_labels: ClassVar[int] = 4096
    _choice: str | None = None
    _chosen: str | None = None

    def __init__(
        self,
        decode: Literal["votes", "weighted", "votes+weight"] = "votes",
        *,
        update: Literal["pa", "arow", "perceptron"] = "pa",
        C: float = 3.0,  # noqa: N803 - the papers' name
        r: float = 0.1,
        ties: Literal["half", "first"] = "half",
        init: Literal["zero", "random"] = "zero",
        init_scale: float = 0.05,
        averaged: bool = False,
        mean: Literal["own", "documents"] = "own",
        storage: Literal["float32", "int8", "hybrid", "auto"] = "float32",
        threads: int = 0,
        label_limit: int | None = None,
        seed: int = 0,
    ) -> None:
        self.decode = decode
        self.update = update
        self.C = C
        self.r = r
        self.ties = ties
        self.init = init
        self.init_scale = init_scale
        self.averaged = averaged
        self.mean = mean
        self.storage = storage
        self.threads = threads
        self.label_limit = label_limit
        self.seed = seed

    @property
    def choice(self) -> str | None:
        """What ``storage=auto`` has chosen, as a sentence; None where it was not asked."""
        if self.storage != "auto":
            return None
        self._begun()
        return self._choice

    def _kernel_options(self, packed: Mapping[str, Any] | None) -> dict[str, Any]:
        options = super()._kernel_options(packed)
        if self.storage == "auto":
            if packed is None:
                self._choose()
            else:
                self._chosen = "hybrid" if "list_int8" in packed else "float32"
                self._choice = f"its weights are {self._chosen}, as they were when it was saved"
            options["storage"] = self._chosen
        return options

    def _choose(self) -> None:
        labels, left = self.label_limit or _USUAL_LABELS, _core.memory_left()
        needed = _table_bytes("float32", labels, _USUAL_TERMS)
        self._chosen = "float32" if needed <= left or self._only_float32 else "hybrid"
        self._choice = (
            f"its weights are {self._chosen}: {labels:,} labels and {_USUAL_TERMS:,} terms may need "
            f"{needed / 1e9:.1f} GB in float32, and {max(left, 0) / 1e9:.1f} GB may be taken"
        )

    @property
    def _only_float32(self) -> bool:
        return self.averaged or self.init == "random" or self.update == "arow"

    @property
    def _usual_storage(self) -> str:
        return "float32" if self.storage == "auto" else self.storage

    def _too_large(self, labels: int, terms: int) -> str:
        storage = self._chosen or self._usual_storage
        most = labels > self.most_labels
        small = "" if most or storage == "hybrid" or self._only_float32 else "mlpp:storage=hybrid, "
        return (
            f"MLPP has a weight for each of {labels * (labels - 1) // 2:,} pairs of {labels:,} labels and each of "
            f"{terms:,} terms, {_table_bytes(storage, labels, terms) / 1e9:.1f} GB if all move; take {small}plt, arow "
            "or br, or give it fewer labels, fewer terms (--text vocabulary=bounded,size=20000) or more memory "
            "(--memory-limit)"
        )

    def memory_note(self, labels: int, terms: int) -> str:
        """Say how much memory a full table takes; empty below a gigabyte.

        >>> MLPP().memory_note(120, 30_000)
        ''
        >>> MLPP().memory_note(831, 2_000).partition(";")[0]
        'MLPP has a weight for each of 344,865 pairs of 831 labels and each of 2,000 terms, 2.8 GB if all move'
        """
        much = _table_bytes(self._chosen or self._usual_storage, labels, terms) >= _MUCH
        return self._too_large(labels, terms) if much else ""

    def work(self, features: Offsets, known: Offsets) -> Reals:
        """Return about how many multiplications documents of so many features take: one for each pair of labels."""
        return (features + 2.0) * (known * (known + 1) / 2)


def _table_bytes(storage: str, labels: int, terms: int) -> int:
    """Return the bytes of a full table."""
    return labels * (labels - 1) // 2 * terms * _BYTES[storage]
