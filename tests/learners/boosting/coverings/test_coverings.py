"""Coverings: the named ones, those of files, and the covering errors beside the losses of the same names.

One test for the room: cover_sets.py, from_files.py and set_groups.py are each a step of covering_of, and
covering_loss.py measures by it.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import lc, losses
from oracles.compare import batch_of
from oracles.streams import zipf

from telex.learners import AdaBoostLC, usual_losses
from telex.learners.base import UsageError
from telex.learners.boosting.coverings import CoveringLoss, CoverSets
from telex.learners.boosting.coverings.coverings import COVERINGS, covering_of
from telex.learners.boosting.coverings.from_files import label_sets, top_topics
from telex.learners.losses import LOSSES, judge

LABELS = ("a", "b", "c", "d")
subsets = st.frozensets(st.sampled_from(LABELS))


def flags(*sets):
    return np.array([[c in one for c in LABELS] for one in sets], np.bool_)


def plain(sets):
    return sorted(sorted(one) for one in sets if one)


@given(truth=subsets, predicted=subsets, f=st.lists(st.floats(-30, 30), min_size=4, max_size=4))
def test_the_five_by_their_definitions(truth, predicted, f):
    columns = {LABELS.index(c) for c in truth}
    for name, covering in COVERINGS.items():
        sets = lc.COVERINGS[name](columns, 4)
        assert plain(covering(truth, LABELS)) == plain({LABELS[c] for c in one} for one in sets)
        cover = CoverSets(covering, flags(truth), LABELS)
        decided = np.where(flags(predicted), 1.0, -1.0)
        by_definition = lc.error({LABELS.index(c) for c in predicted}, columns, sets)
        assert cover.errors(decided).tolist() == [by_definition]
        assert losses.of_document(LABELS, predicted, truth)[f"cover_{name}"] == by_definition
        expected = lc.loss(f, columns, [one for one in sets if one])
        assert cover.losses(np.array([f])) == pytest.approx([expected], rel=1e-12)


@given(truths=st.lists(subsets, max_size=6), seed=st.integers(0, 999))
def test_documents_do_not_touch_each_other(truths, seed):
    f = np.random.default_rng(seed).normal(size=(len(truths), 4)) * 3
    for covering in COVERINGS.values():
        whole = CoverSets(covering, flags(*truths).reshape(-1, 4), LABELS)
        q, loss = whole.weigh(f)
        assert loss == pytest.approx(whole.losses(f).sum())
        for i, truth in enumerate(truths):
            one = CoverSets(covering, flags(truth), LABELS)
            assert one.losses(f[i : i + 1]).tobytes() == whole.losses(f)[i : i + 1].tobytes()
            assert one.errors(f[i : i + 1]).tolist() == whole.errors(f)[i : i + 1].tolist()
            assert one.weigh(f[i : i + 1])[0].tobytes() == q[i : i + 1].tobytes()


def test_margins_that_exp_cannot_hold():
    f = np.array([[2000.0, -2000.0, 800.0, -1.0]])
    cover = CoverSets(COVERINGS["ts"], flags({"b", "d"}), LABELS)
    q, loss = cover.weigh(f)
    assert loss == cover.losses(f)[0] == 4000.0
    assert q.tolist() == [[1.0, 1.0, 0.0, 0.0]]


def test_no_set_at_all():
    cover = CoverSets(lambda *_: [], flags({"a"}, set()), LABELS)
    f = np.ones((2, 4))
    assert cover.losses(f).tolist() == cover.errors(f).tolist() == [0.0, 0.0]
    assert cover.weigh(f)[0].tolist() == [[0.0] * 4] * 2


def test_a_file_of_sets(tmp_path):
    file = tmp_path / "sets"
    file.write_text("a b\n\nb nobody\nb nobody\n")
    covering = covering_of(f"sets:{file}")
    assert list(map(sorted, covering(frozenset(), ("a", "b", "c", 7)))) == [["a", "b"], ["b"], ["b"], ["c"], [7]]
    file.write_text("FINANCIAL MARKETS\tCURRENCIES\n7\n")
    assert plain(label_sets(file).sets) == [["7"], ["CURRENCIES", "FINANCIAL MARKETS"]]
    assert list(covering_of(f"sets:{file}")(frozenset(), (7, "CURRENCIES"))) == [("CURRENCIES",), (7,)]


def test_a_tree(tmp_path):
    file = tmp_path / "tree"
    lyrl = "parent: {}    child: {}     child-description: SOME TOPIC\n"
    edges = [("None", "Root"), ("Root", "C"), ("Root", "E"), ("C", "C1"), ("C1", "C11"), ("E", "E1"), ("E", "C1")]
    file.write_text("".join(lyrl.format(*edge) for edge in edges))
    assert plain(top_topics(file).sets) == [["C", "C1", "C11"], ["C1", "C11", "E", "E1"]]
    file.write_text("".join("\t".join(edge) + "\n" for edge in edges[1:]))
    assert plain(top_topics(file).sets) == [["C", "C1", "C11"], ["C1", "C11", "E", "E1"]]
    file.write_text("".join("\t".join(edge) + "\n" for edge in edges[3:]))
    assert plain(top_topics(file).sets) == [["C", "C1", "C11"], ["C1", "C11", "E", "E1"]]
    covering = covering_of(f"top:{file}")
    assert plain(covering(frozenset(), ("C1", "E1", "Z"))) == [["C1"], ["C1", "E1"], ["Z"]]


def test_the_topics_of_rcv1(data):
    sets = top_topics(data / "rcv1" / "rcv1.topics.hier.orig").sets
    tops = {top: len(one) for one in sets for top in ("CCAT", "ECAT", "GCAT", "MCAT") if top in one}
    assert tops == {"CCAT": 34, "ECAT": 26, "GCAT": 33, "MCAT": 10}
    assert len(sets) == 4
    assert len(frozenset().union(*sets)) == 103


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("sets", "\n \n", "has no set of labels; give a set per line"),
        ("top", "\n", "has no topic; give lines of a parent, a tab and a child"),
        ("top", "a\tb\nc\n", "line 2 of .* is no edge of a tree; give a parent, a tab and a child"),
        ("top", "a\tb\nb\ta\n", "no path from a top topic to 'a': some topic is below itself"),
        ("top", "r\ta\nx\ty\ny\tx\n", "no path from a top topic to 'x'"),
    ],
)
def test_files_that_tell_no_covering(tmp_path, kind, text, message):
    (tmp_path / "file").write_text(text)
    with pytest.raises(UsageError, match=message):
        covering_of(f"{kind}:{tmp_path / 'file'}")


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "file").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"cannot be read \(it is not UTF-8\); give the path of a text file"):
        label_sets(tmp_path / "file")
    with pytest.raises(UsageError, match="cannot be read"):
        top_topics(tmp_path)


def test_weights_of_wp_and_wn_are_parameters():
    truth, f = flags({"a", "b"}), np.array([[1.0, -1.0, 2.0, 1.0]])
    for weight in (1, 3, 10):
        assert CoverSets(covering_of(f"wp:{weight}"), truth, LABELS).errors(f).tolist() == [weight + 2]
        assert CoverSets(covering_of(f"wn:{weight}"), truth, LABELS).errors(f).tolist() == [weight + 1]
    batch = batch_of(zipf(2, documents=30, features=10, labels=4))
    models = {spec: AdaBoostLC(spec, rounds=3) for spec in ("wp", "wp:6", "wp:2")}
    for model in models.values():
        model.fit(batch)
    assert models["wp"].save()["alpha"].tobytes() == models["wp:6"].save()["alpha"].tobytes()
    assert models["wp"].save()["alpha"].tobytes() != models["wp:2"].save()["alpha"].tobytes()
    assert models["wp:2"].files == ()
    for wrong in ("0", "-1", "2.5", "", "x"):
        with pytest.raises(UsageError, match=f"the weight in covering 'wn:{wrong}' is '{wrong}'; give a whole number"):
            covering_of(f"wn:{wrong}")


def pairs(relevant, labels):
    """A covering of one's own: each relevant label with each other one, and each irrelevant label alone."""
    return [(a, b) for a in relevant for b in relevant if a != b] + [(c,) for c in labels if c not in relevant]


def test_any_covering_is_a_loss(tmp_path):
    """Of an imperfect model, beside the losses of the same names and the errors by which AdaBoost.LC learns."""
    file = tmp_path / "some groups.txt"
    batch = batch_of(zipf(5, documents=60, features=12, labels=6))
    names = [str(name) for name in batch.label_names]
    file.write_text("\n".join(" ".join(names[i : i + 2]) for i in range(0, 6, 2)))
    model = AdaBoostLC("hm", rounds=2)
    model.fit(batch)
    judged, f = judge(model.scores(batch), batch), model.decisions(batch)
    truth = np.array([[label in batch.labels_of(row) for label in model.labels] for row in range(len(batch))])
    assert (judged.fp > 0).any() or (judged.fn > 0).any()
    for spec, name in ((f"sets:{file}", "cover_sets_some_groups"), ("wp:8", "cover_wp_8"), (pairs, "cover_pairs")):
        loss = CoveringLoss(spec)
        assert loss.name == name
        expected = CoverSets(covering_of(spec), truth, list(model.labels)).errors(f)
        assert loss.of(judged).tolist() == expected.tolist()
        assert expected.max() > 1
    for name in COVERINGS:
        assert CoveringLoss(name).of(judged).tolist() == LOSSES[f"cover_{name}"].of(judged).tolist()
    assert CoveringLoss(f"sets:{file}").files == (str(file),)
    assert CoveringLoss("zo", name="any").name == "any"


def test_a_run_measures_a_covering_by_name():
    known = usual_losses(["cover:wn:2", "prec1"])
    assert known["cover_wn_2"].covering.keywords == {"weight": 2}
    assert "prec1" in known
    with pytest.raises(UsageError, match="there is no covering 'wx'"):
        usual_losses(["cover:wx"])
