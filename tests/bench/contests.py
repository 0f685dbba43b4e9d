"""What is measured against what, and the goals: ratios, since figures move with the machine.

A goal against a peer is a multiple of its pace, a goal against a bound is a share of it. Where they disagree the bound
counts: a peer may be held up by another part of the machine than ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something measured: ``home`` is ``module:function``, called with the first ``documents`` documents."""

    name: str
    home: str
    documents: int = 1_000_000
    group: str = ""
    env: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Goal:
    """Ours is to be ``least`` times as fast as the fastest peer of ``group``."""

    group: str
    least: float


@dataclass(frozen=True, slots=True)
class Bound:
    """What the machine allows: a bare program that does the least of the work. Ours is to reach ``share`` of its pace.

    ``of`` is whom it bounds, where that is not the contest's ``ours``.
    """

    contestant: Contestant
    share: float
    of: Contestant | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """Ours, its peers, its bounds and the goals; ``documents`` is how many are made for a full and for a small run."""

    name: str
    title: str
    ours: Contestant
    peers: tuple[Contestant, ...]
    goals: tuple[Goal, ...] = ()
    documents: tuple[int, int] = (20_000, 4_096)
    unit: str = "docs/s"
    most_seconds: float | None = None
    bounds: tuple[Bound, ...] = ()

    def contestants(self) -> tuple[Contestant, ...]:
        """Return all that is measured; a peer may be a bound too."""
        bounds = (one for bound in self.bounds for one in (bound.of or self.ours, bound.contestant))
        return tuple(dict.fromkeys((self.ours, *self.peers, *bounds)))


MMP = Contestant("telex MMP", "ours:mmp")
MLPP = Contestant("telex MLPP", "ours:mlpp")
VW_PARSED = Contestant("vw, parsed examples", "peers.vw:parsed_examples", group="vw")
VW_FILE = Contestant("vw, its text file", "peers.vw:text_file", group="vw")

CONTESTS = (
    Contest(
        "mmp",
        "MMP from vectors in memory, with all ranking losses",
        MMP,
        (
            VW_PARSED,
            VW_FILE,
            Contestant("numpy, one against rest", "peers.numpy_mmp:one_against_rest", group="numpy"),
            Contestant("numpy, MMP with losses", "peers.numpy_mmp:mmp", group="numpy"),
            Contestant("sklearn, batches of 256", "peers.sklearn:one_against_rest", 4_096, "sklearn"),
            Contestant("river, a Perceptron a label", "peers.river:one_against_rest", 400, "river"),
        ),
        (Goal("vw", 15), Goal("numpy", 25), Goal("river", 3000)),
    ),
    Contest(
        "margins",
        "learners with margins from vectors in memory, with all ranking losses",
        Contestant("telex AROW", "ours:arow"),
        (
            Contestant("telex MMP", "ours:mmp", group="mmp"),
            Contestant("telex PA", "ours:pa", group="pa"),
            Contestant("telex Uneven", "ours:uneven", group="uneven"),
            Contestant("telex Logistic, AdaGrad", "ours:logistic", group="logistic"),
            Contestant("telex Chain", "ours:chain", group="chain"),
        ),
        (Goal("mmp", 0.4),),
    ),
    Contest(
        "bare",
        "the same and MMP and BR, beside bare loops that only score and learn",
        Contestant("telex MMP, stretches", "ours_bare:mmp"),
        (),
        bounds=(
            Bound(Contestant("bare MMP", "peers.bare:mmp"), 0.9),
            *(
                Bound(
                    Contestant(f"bare {name}", f"peers.bare:{name.lower()}"),
                    0.9,
                    Contestant(f"telex {name}, stretches", f"ours_bare:{name.lower()}"),
                )
                for name in ("BR", "PA", "Uneven", "AROW", "Logistic", "Chain")
            ),
        ),
    ),
    Contest(
        "mlpp",
        "MLPP float32, 5,253 perceptrons, one thread",
        MLPP,
        (Contestant("numpy, vectorised", "peers.numpy_mlpp:vectorised", group="numpy"),),
        (Goal("numpy", 7),),
        (16_384, 4_096),
        bounds=(Bound(Contestant("only to read the rows", "peers.bound:read_rows"), 0.8),),
    ),
    Contest(
        "threads",
        "MLPP on two threads",
        Contestant("telex MLPP, two threads", "ours:mlpp_two_threads"),
        (Contestant("telex MLPP, one thread", "ours:mlpp", group="one thread"),),
        (Goal("one thread", 1.5),),
        (16_384, 4_096),
    ),
    Contest(
        "file",
        "from a file of vectors to curves, the start left out",
        Contestant("telex replay, its docs_per_second", "ours:replay"),
        (
            VW_FILE,
            Contestant("telex, only its reader, one thread", "ours:reader", group="own reader"),
            Contestant("sklearn, only its reader", "peers.sklearn:reader", group="sklearn reader"),
        ),
        (Goal("vw", 6),),
        (100_000, 20_000),
        bounds=(Bound(Contestant("its parser and MMP by themselves", "ours:bare_parts"), 0.8),),
    ),
    Contest(
        "command",
        "the same, from the call to the end of the command",
        Contestant("telex replay, as a command", "ours:replay_command"),
        (Contestant("vw, as a command", "peers.vw:text_file_command", group="vw"),),
        documents=(100_000, 20_000),
    ),
    Contest(
        "converted",
        "a run with MMP over converted vectors, beside the same run over the batches in memory",
        Contestant("telex, mapped from the file", "ours_converted:features_mapped"),
        (Contestant("telex, batches in memory", "ours_converted:features_in_memory", group="memory"),),
        (Goal("memory", 0.9),),
        (100_000, 20_000),
    ),
    Contest(
        "converted-words",
        "the same for texts, which are stored as words: counted and weighed anew, beside ready batches",
        Contestant("telex, mapped from the file", "ours_converted:words_mapped"),
        (Contestant("telex, batches in memory", "ours_converted:words_in_memory", group="memory"),),
        documents=(50_000, 8_192),
    ),
    # A stream some way on, whose tokens are known, is compared with the peers: their goals were drawn from one.
    Contest(
        "text",
        "from texts in memory to tf-idf of Porter's stems, no learner",
        Contestant("telex, all tokens known", "ours_text:known"),
        (
            Contestant("telex, tokens of a first half known", "ours_text:warm", group="telex, half known"),
            Contestant("telex, all tokens new", "ours_text:cold", group="telex, all new"),
            Contestant("sklearn and PyStemmer, batches of 256", "peers.text:hashing", 8_192, "sklearn"),
            Contestant("river TFIDF", "peers.text:tfidf", 4_096, "river"),
        ),
        (Goal("sklearn", 25), Goal("river", 45)),
    ),
    Contest(
        "wire",
        "from a file of JSON lines with texts to curves, the start left out",
        Contestant("telex replay, its docs_per_second", "ours_text:replay"),
        (
            Contestant("telex, only its reader, one thread", "ours_text:reader", group="own reader"),
            Contestant("vw, cut tokens, default options", "peers.wire_vw:default", group="vw"),
            Contestant("vw, ready stems, default options", "peers.wire_vw:stems", group="vw, ready stems"),
            Contestant("vw, ready stems, its fastest options", "peers.wire_vw:fastest", group="vw, ready stems"),
            Contestant("sklearn, batches of 256", "peers.wire:sklearn", 4_096, "sklearn"),
            Contestant("river, a Perceptron a label", "peers.wire:river", 400, "river"),
        ),
        (Goal("vw", 6), Goal("sklearn", 40), Goal("river", 400)),
        (50_000, 8_192),
        bounds=(Bound(Contestant("its reader, words and MMP by themselves", "ours_text:bare_parts"), 0.8),),
    ),
    Contest(
        "each",
        "MMP by one Python call a document",
        Contestant("telex MMP.each", "ours:one_call_a_document"),
        (
            VW_PARSED,
            Contestant("vw, predict then learn", "peers.vw:predict_then_learn", group="vw, two calls"),
        ),
        (Goal("vw", 14),),
    ),
    Contest(
        "mpboost",
        "MP-Boost, a thousand rounds on 23,149 documents of 46,160 terms and 101 labels",
        Contestant("telex MPBoost, one thread", "ours_boosting:mpboost"),
        (
            Contestant("scipy X.T @ D anew, 5 rounds scaled", "peers.scipy_boosting:multiple_pivots", group="scipy"),
            Contestant("telex MPBoost, two threads", "ours_boosting:mpboost_two_threads", group="two threads"),
        ),
        (Goal("scipy", 45),),
        (23_149, 4_096),
        "rounds/s",
    ),
    Contest(
        "adaboost-mh",
        "AdaBoost.MH, the same",
        Contestant("telex AdaBoostMH, one thread", "ours_boosting:adaboost_mh"),
        (Contestant("scipy X.T @ D anew, 5 rounds scaled", "peers.scipy_boosting:one_pivot", group="scipy"),),
        (Goal("scipy", 25),),
        (23_149, 4_096),
        "rounds/s",
    ),
    Contest(
        "classify",
        "781,265 vectors scored by MP-Boost of 100 rounds, summed up",
        Contestant("telex MPBoost.scores, up to four threads", "ours_boosting:classify"),
        (),
        documents=(23_149, 4_096),
        unit="s",
        most_seconds=0.5,
    ),
    # A level is as much faster as arithmetic is what takes the time. Of MMP's kernel alone AVX-512 has 2.0 times the
    # pace of base where a table of 64 rows lies in the nearest cache, 1.8 times with 1,000 rows, which the second cache
    # holds, and 1.6 times with 10,000, which come from the third: no level reads these faster (AVX2: 1.6, 1.5 and 1.4).
    # What Python and numpy do is the same at each level, and is a ninth of the time at the best one.
    Contest(
        "level",
        "MMP on the best CPU level against the portable one",
        MMP,
        (Contestant("telex MMP, TELEX_CPU=base", "ours:mmp", group="base", env={"TELEX_CPU": "base"}),),
        (Goal("base", 2),),
    ),
    Contest(
        "start",
        "how long until something happens",
        Contestant("telex --help", "ours:help"),
        (
            Contestant("python, nothing", "peers.start:python", group="python"),
            Contestant("import numpy", "peers.start:numpy", group="numpy"),
            Contestant("import vowpalwabbit", "peers.start:vw", group="vw"),
            Contestant("import river.linear_model", "peers.start:river", group="river"),
            Contestant("import sklearn.linear_model", "peers.start:sklearn", group="sklearn"),
        ),
        documents=(10, 10),
        unit="s",
        most_seconds=0.15,
    ),
)
