"""Passive-aggressive learners."""

from __future__ import annotations

from typing import ClassVar, Literal

from telex.learners.native_learner import NativeLearner


class PA(NativeLearner):
    """Passive-aggressive: a label within its margin of 1 moves just as far as takes it out of it [^1].

    One classifier per label; ``C`` holds it back, against noise. The score of a label is its inner product; a label is
    predicted if its score is positive. A label that appears late has the same weights, to the bit, as if it had been
    known from the start.

    Parameters
    ----------
    C
        Aggressiveness: variant ``I`` moves a label by C times the document at most, ``II`` by a little less the smaller
        C is. Infinite in either variant (``inf``) is PA itself.
    variant
        ``I`` or ``II``.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import PA
    >>> model = PA()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 1.0})
    {'sport': False, 'trade': True}

    References
    ----------
    [^1]: K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer: Online Passive-Aggressive Algorithms, JMLR 7,
       2006.
    """

    stored_name: ClassVar[str] = "pa"
    kernel: ClassVar[str] = "pa"

    def __init__(
        self,
        C: float = 3.0,  # noqa: N803 - the paper's name, and scikit-learn's
        variant: Literal["I", "II"] = "II",
        bias: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.C = C
        self.variant = variant
        self.bias = bias
        self.seed = seed
