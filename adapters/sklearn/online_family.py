"""The classifiers of scikit-learn that learn online, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.sklearn.family import SKLEARN, sklearn_class
from telex.adapters.sklearn.online import SklearnOnline
from telex.learners import Parameter
from telex.learners import parameters as parameters_of
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_OWN = ("batch", "width", "seed")


class SklearnOnlineFamily:
    """Any classifier of scikit-learn with ``partial_fit``: ``sklearn-online:SGDClassifier:batch=16,loss=log_loss``."""

    example = "SGDClassifier"

    def members(self) -> list[str]:
        """Return the names of all classifiers that have ``partial_fit``."""
        return [name for name in SKLEARN.members() if hasattr(sklearn_class(name), "partial_fit")]

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a classifier, and those of learning it online."""
        own = parameters_of(SklearnOnline)
        return SKLEARN.parameters(name) | {key: own[key] for key in _OWN}

    def make(self, name: str, values: Mapping[str, Any]) -> SklearnOnline:
        """Make a learner."""
        own = {key: value for key, value in values.items() if key in _OWN}
        given = {key: value for key, value in values.items() if key not in _OWN}
        if not hasattr(sklearn_class(name), "partial_fit"):
            raise UsageError(
                f"{name} of scikit-learn has no partial_fit, so it learns windows: try refit:model=sklearn:{name},"
                f"every=5000, or one of {', '.join(self.members())}"
            )
        return SklearnOnline(sklearn_class(name)(**given), **own)


SKLEARN_ONLINE = SklearnOnlineFamily()
