"""The tree of labels as data of a page, and as part of a report."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import trees

from telex.adapters.cli.main import main
from telex.adapters.report.report import report, report_data
from telex.adapters.report.tree_data import tree_data
from telex.learners.base import UsageError
from telex.learners.trees import Tree, tree_losses


def table(*rows):
    return dict(zip(("label", "tp", "fp", "fn"), map(list, zip(*rows, strict=True)), strict=True))


def walk(parent, used, above=None, depth=1):
    """Return the nodes below one that are used or have such below them, by recursion: (label, depth, children)."""
    found, children = [], 0
    for label in (one for one, other in parent.items() if other == above):
        below, inside = walk(parent, used, label, depth + 1)
        if label in used or below:
            children += 1
            found += [(label, depth, inside), *below]
    return found, children


@given(trees(), st.sets(st.sampled_from([*(f"n{i}" for i in range(12)), "stranger"])), st.data())
def test_it_is_a_walk_of_used_nodes_and_their_ancestors(edges, used, data):
    tree = Tree.of(edges)
    counts = {label: data.draw(st.sampled_from([(1, 0, 0), (0, 2, 0), (0, 0, 3)])) for label in used}
    nobody = dict.fromkeys(tree.labels, (0, 0, 0))
    rows = [(label, *count) for label, count in (nobody | counts).items()]
    found = tree_data(
        tree, {"mmp": table(*rows[::2]), "br": table(*rows[1::2])} if len(rows) > 1 else {"mmp": table(*rows)}
    )
    whole = tree.with_labels(sorted(used))
    parent = {label: next(iter(whole.path(label)[1:]), None) for label in whole.labels}
    wanted, _ = walk(parent, used)
    got = list(zip(found["label"], found["depth"], found["children"], strict=True))
    assert sorted(got) == sorted(wanted)
    assert found["unused"] == len(whole) - len(wanted)
    path = []  # each node comes right after its parent or after what is below an elder sister
    for label, depth, _ in got:
        path[depth - 1 :] = [label]
        assert path[::-1] == whole.path(label)


def test_labels_that_are_paths_bring_their_ancestors():
    found = tree_data(Tree.of_paths("/"), {"mmp": table(("a/b/c", 1, 0, 0), ("d", 0, 1, 0))})
    assert found == {
        "label": ["a", "a/b", "a/b/c", "d"],
        "depth": [1, 2, 3, 1],
        "children": [1, 1, 0, 0],
        "unused": 0,
        "separator": "/",
    }


def test_a_deep_tree_is_no_trouble():
    tree = Tree.of([(f"{i:05}", f"{i - 1:05}" if i else None) for i in range(1_000)])
    assert tree_data(tree, {"mmp": table(("00999", 1, 0, 0))})["depth"] == list(range(1, 1_001))
    assert tree_data(tree, {})["unused"] == 1_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a run with a tree that has a label without a document."""
    home = tmp_path_factory.mktemp("tree")
    (home / "tree").write_text("society/bitind\nmarkets/pedril\nnobody\n")
    options = ["--tree", str(home / "tree"), "--learner", "mmp", "--run", str(home / "run")]
    assert main(["replay", "synthetic:n=300,seed=3", *options]) == 0
    return home / "run"


def test_a_report_has_the_tree_beside_the_facts_and_its_losses_are_described(folder):
    found = report_data([folder])
    [run] = found["runs"]
    assert [name for name, _ in run["facts"] if name == "tree"] == []
    assert set(run["labels"]["mmp"]["label"]) <= set(run["tree"]["label"])
    assert "nobody" not in run["tree"]["label"]
    measured = {"l_h", "l_htilde", "hierarchical_f1", "invalid"}
    assert measured <= set(run["curves"]["figures"])
    assert set(tree_losses(Tree.of_paths("/"))) <= set(found["losses"])
    assert all(found["losses"][name]["priority"] is not None for name in measured)


def test_a_run_without_a_tree_has_none_of_it(run):
    found = report_data([run])
    assert "tree" not in found["runs"][0]
    assert not set(tree_losses(Tree.of_paths("/"))) & set(found["losses"])


@pytest.mark.parametrize(
    "broken", [7, {"labels": ["a"]}, {"labels": ["a", "b"], "parents": [1, 0]}, {"labels": ["a"], "parents": ["x"]}]
)
def test_a_broken_tree_is_a_sentence(folder, tmp_path, broken, capsys):
    shutil.copytree(folder, tmp_path / "run")
    facts = json.loads((tmp_path / "run" / "run.json").read_text())
    (tmp_path / "run" / "run.json").write_text(json.dumps(facts | {"tree": broken}))
    with pytest.raises(UsageError, match=r"run\.json cannot be read .*; put the file back as the run wrote it"):
        report([tmp_path / "run"], tmp_path / "page.html")
    capsys.readouterr()
    assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "page.html")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Traceback" not in said
