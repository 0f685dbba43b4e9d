"""``--tree``: losses along the tree, H-M3 on it, and the same tree when the run resumes."""

import json

import pytest

TOPICS = {"gold": "metal", "wheat": "grain", "tariff": "trade", "cup": "sport"}
TREE = "economy\tmetal\neconomy\tgrain\neconomy\ttrade\n\tsport\n"
ALONG = ("l_h", "l_htilde", "hierarchical_f1", "invalid")


@pytest.fixture
def news(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = list(TOPICS)
    with open("w.jsonl", "w") as file:
        for i in range(200):
            word, other = words[i % 4], words[(i // 4) % 4]
            labels = sorted({TOPICS[word], *(["economy"] if word != "cup" else [])})
            one = {"id": i, "time": f"2026-01-01T00:{i // 60:02}:{i % 60:02}Z", "text": f"{word} {word} {other}"}
            file.write(json.dumps({**one, "labels": labels}) + "\n")
    (tmp_path / "topics.tsv").write_text(TREE)
    return tmp_path


def test_losses_along_the_tree(news, telex):
    code, out, _ = telex(
        "replay", "w.jsonl", "--tree", "topics.tsv", "--learner", "br", "--json", "--losses", "l_h_subtree"
    )
    found = json.loads(out)["learners"]
    assert code == 0
    for figures in found.values():
        assert {*ALONG, "l_h_subtree"} <= figures.keys()
        assert "l_h_uniform" not in figures
    assert 0 < found["br"]["hierarchical_f1"] <= 1


def test_without_a_tree_there_are_none(news, telex):
    _, out, _ = telex("replay", "w.jsonl", "--learner", "br", "--json")
    assert not any(name in figures for figures in json.loads(out)["learners"].values() for name in ALONG)


def test_a_refitted_hm3_answers_with_closed_sets(news, telex):
    spec = "hm3=refit:model=hm3,every=40,window=100"
    code, out, _ = telex("replay", "w.jsonl", "--tree", "topics.tsv", "--learner", spec, "--json")
    found = json.loads(out)["learners"]["hm3"]
    assert code == 0
    assert found["invalid"] == 0
    assert found["micro_f1"] > 0.7


PROJECTED = ("mmp:tree=project", "br:decide=micro,tree=project", "refit:model=mpboost,every=40,model.tree=project")


@pytest.mark.parametrize("spec", PROJECTED)
def test_projected_sets_in_a_run_and_in_what_it_predicts_later(news, telex, spec):
    lines = [json.loads(line) for line in (news / "w.jsonl").read_text().splitlines()]
    for line in lines[5::3]:
        line["labels"] = [label for label in line["labels"] if label != "economy"]  # so that flat sets contradict it
    (news / "w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    flat = spec.replace(":tree=project", "").replace(",model.tree=project", "").replace(",tree=project", "")
    words = ("w.jsonl", "--tree", "topics.tsv", "--learner", f"a={spec}", "--learner", f"b={flat}", "--no-baselines")
    code, out, _ = telex("replay", *words, "--run", "r", "--json", "--limit", "150")
    found = json.loads(out)["learners"]
    assert code == 0
    assert found["a"]["invalid"] == 0 < found["b"]["invalid"]
    assert found["a"]["iserr"] == found["b"]["iserr"]
    code, out, _ = telex("predict", "--run", "r", "w.jsonl", "--learner", "a", "--json")
    assert code == 0
    sets = [set(json.loads(line)["labels"]) for line in out.splitlines()]
    assert {"economy", "metal"} in sets
    assert all("economy" in one for one in sets if one & {"metal", "grain", "trade"})
    assert telex("replay", "--run", "r", "--resume", "--limit", "200")[0] == 0
    assert telex("replay", *words, "--run", "whole", "--limit", "200")[0] == 0
    assert (news / "r/curves.csv").read_bytes() == (news / "whole/curves.csv").read_bytes()
    assert telex("replay", "w.jsonl", "--from-run", "r", "--run", "next", "--limit", "20")[0] == 0


@pytest.mark.parametrize("spec", PROJECTED)
def test_without_a_tree_a_run_does_not_begin(news, telex, spec):
    code, _, err = telex("replay", "w.jsonl", "--learner", spec, "--run", "r")
    assert code == 2
    assert "tree=project needs the tree of labels; give it by --tree" in err
    assert not (news / "r").exists()


def test_labels_that_are_paths(tmp_path, monkeypatch, telex):
    monkeypatch.chdir(tmp_path)
    lines = [
        {"id": i, "text": "oil" if i % 2 else "cup", "labels": ["economy/trade/oil" if i % 2 else "sport"]}
        for i in range(40)
    ]
    (tmp_path / "w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, out, _ = telex("replay", "w.jsonl", "--tree", "path:/", "--learner", "last", "--no-baselines", "--json")
    figures = json.loads(out)["learners"]["last"]
    assert figures["invalid"] > 0.4  # economy/trade is never given
    assert figures["l_h"] > 0


def test_a_run_resumes_with_the_same_tree_only(news, telex):
    words = ("w.jsonl", "--tree", "topics.tsv", "--learner", "br", "--run", "r")
    assert telex("replay", *words, "--limit", "100")[0] == 0
    (news / "topics.tsv").write_text(TREE + "sport\tcup\n")
    code, _, err = telex("replay", "--run", "r", "--resume", "--limit", "200")
    assert code in {1, 2}
    assert "tree" in err or "topics.tsv" in err
    (news / "topics.tsv").write_text(TREE)
    assert telex("replay", "--run", "r", "--resume", "--limit", "200")[0] == 0
    assert telex("replay", *words[:-1], "whole", "--limit", "200")[0] == 0
    assert (news / "r/curves.csv").read_bytes() == (news / "whole/curves.csv").read_bytes()


def test_a_tree_is_no_output(news, telex):
    code, _, err = telex("replay", "w.jsonl", "--tree", "topics.tsv", "--predictions", "topics.tsv", "--overwrite")
    assert code == 2
    assert "topics.tsv" in err
    assert (news / "topics.tsv").read_text() == TREE


@pytest.mark.parametrize(
    ("setting", "message"), [("nowhere", "there is no such file"), ("path:", "separator of paths is empty")]
)
def test_wrong_settings(news, telex, setting, message):
    code, _, err = telex("replay", "w.jsonl", "--tree", setting, "--learner", "br")
    assert code == 2
    assert message in err
