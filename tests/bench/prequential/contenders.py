"""Who is compared: the learners of Telex, each with the options worth showing, and the peers.

The peers have their documented defaults, but for the learning rate. That is the one of a handful (in ``TRIED``) with
the largest sum of average precision and micro F1 on the first 2,000 documents of RCV1's vectors, for dense features
of ImCLEF07A; ``python tests/bench/accuracy.py --tune`` chooses them again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SLOW = 200_000
"""A contender that takes a call a label gets so many documents times labels."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A learner: ``home`` is ``module:function`` within this folder, called with ``options``, of
    which ``dense`` ones differ on dense features.

    It gets at most ``most`` documents times labels, and no collection of more labels or features than it can take.
    """

    name: str
    home: str
    options: dict[str, object] = field(default_factory=dict)
    group: str = "telex"
    dense: dict[str, object] = field(default_factory=dict)
    most: int | None = None
    most_labels: int | None = None
    most_features: int | None = None
    needs: str = ""

    def limit(self, labels: int) -> int | None:
        """Return how many documents it gets of a collection with so many labels; None is all."""
        return None if self.most is None else self.most // labels


def telex(spec: str, name: str = "", **more: object) -> Contender:
    """Return a learner of Telex."""
    return Contender(name or spec, "telex_learners:learner", {"spec": spec}, **more)  # type: ignore[arg-type]


OURS = (
    telex("arow"),
    telex("arow:decide=micro"),
    telex("arow:decide=macro"),
    telex("arow:bias=1"),
    telex("pa"),
    telex("pa:decide=micro"),
    telex("logistic"),
    telex("logistic:steps=constant,eta=0.3,bias=1"),  # the rate of river's logistic regression on dense features
    telex("logistic:eta=3,bias=1,decide=micro"),  # for dense features: chosen as the rates of the peers are
    telex("uneven"),
    telex("chain"),
    telex("hrls-online"),
    telex("plt"),
    telex("mlpp", most_labels=150),
    telex("mlpp:update=arow", most_labels=150),
    telex("mlpp:update=arow,decide=meta", most_labels=150),
    telex("mmp"),
    telex("mmp:update=arow"),
    telex("mmp:update=arow,decide=meta"),
    telex("br"),
    telex("br:averaged=true"),
    telex("nb"),
    telex("nb:decide=micro"),
    telex("prior"),
    telex("last"),
    telex("refit:model=mpboost,every=2000,model.rounds=200", most_labels=150),
    telex("refit:model=sklearn:LinearSVC,every=2000", most_labels=150),
)
PEERS = (
    Contender("VW multilabel_oaa", "vw:one_against_all", {"l": 4.0}, "peer", needs="vowpalwabbit"),
    Contender("VW csoaa_ldf", "vw:label_dependent", {"l": 1.0}, "peer", {"l": 0.5}, 2_000_000, needs="vowpalwabbit"),
    Contender("sklearn SGD log_loss", "sgd:table", {"loss": "log_loss", "rate": 1e-5}, "peer", {"rate": 1e-3}),
    Contender("sklearn SGD hinge", "sgd:table", {"loss": "hinge", "rate": 1e-4}, "peer", {"rate": 1e-3}),
    Contender("sklearn SGD pa1", "sgd:table", {"loss": "pa1", "rate": 3.0}, "peer", {"rate": 1.0}),
    Contender("river PAClassifier", "river:passive_aggressive", {"C": 3.0}, "peer", {"C": 1.0}, SLOW, needs="river"),
    Contender("river LogisticRegression", "river:logistic", {"lr": 10.0}, "peer", {"lr": 0.3}, SLOW, needs="river"),
    Contender(
        "MEKA BRUpdateable, trees", "meka:updateable", {"classifier": "BRUpdateable"}, "peer",
        most=SLOW, most_features=1_001,
    ),
    Contender(
        "MEKA BRUpdateable, SGD", "meka:updateable", {"classifier": "BRUpdateable", "rate": 1.0}, "peer",
        {"rate": 0.01}, SLOW,
    ),
    Contender(
        "MEKA CCUpdateable, SGD", "meka:updateable", {"classifier": "CCUpdateable", "rate": 1.0}, "peer",
        {"rate": 0.01}, SLOW,
    ),
)  # fmt: skip
TRIED = {
    "VW multilabel_oaa": ("l", (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
    "VW csoaa_ldf": ("l", (0.1, 0.25, 0.5, 1.0, 2.0)),
    "sklearn SGD log_loss": ("rate", (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)),
    "sklearn SGD hinge": ("rate", (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)),
    "sklearn SGD pa1": ("rate", (0.003, 0.01, 0.03, 0.3, 1.0, 3.0, 10.0)),
    "river PAClassifier": ("C", (0.01, 0.1, 1.0, 3.0)),
    "river LogisticRegression": ("lr", (0.1, 0.3, 1.0, 3.0, 10.0)),
    "MEKA BRUpdateable, SGD": ("rate", (0.01, 0.1, 1.0)),
    "MEKA CCUpdateable, SGD": ("rate", (0.01, 0.1, 1.0)),
}
ALL = (*OURS, *PEERS)  # in the order of the tables
