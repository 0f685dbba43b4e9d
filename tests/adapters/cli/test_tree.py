"""``--tree`` and ``--ancestors``: losses along the tree, learners on it, closed sets, and the tree in checkpoints."""

import json

import pytest

import telex as telex_package
from telex.adapters.formats import open_archive, read_tree
from telex.adapters.prometheus.learner_metrics import figures
from telex.adapters.report.report import report_data
from telex.learners import NB
from telex.learners.base import UsageError
from telex.stream.checkpoints import open_snapshot
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.predict import Model

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
    for one in found.values():
        assert {*ALONG, "l_h_subtree"} <= one.keys()
        assert "l_h_uniform" not in one
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
    found = json.loads(out)["learners"]["last"]
    assert found["invalid"] > 0.4  # economy/trade is never given
    assert found["l_h"] > 0


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


# -- closed sets


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """Documents with the lowest label only, and their answers in a file of their own."""
    monkeypatch.chdir(tmp_path)
    asked, answers, closed = [], [], []
    for i in range(120):
        word = list(TOPICS)[i % 4]
        topic = TOPICS[word]
        text = {"id": i, "time": i, "text": f"{word} {word} w{i % 7}"}
        asked.append(text)
        answers.append({"id": i, "time": i + 20, "labels": [topic]})
        closed.append({**text, "labels": sorted({topic, *(["economy"] if word != "cup" else [])})})
    for name, lines in (("asked", asked), ("answers", answers), ("closed", closed)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    whole = [{**one, "labels": told["labels"]} for one, told in zip(asked, answers, strict=True)]
    (tmp_path / "bare.jsonl").write_text("".join(json.dumps(one) + "\n" for one in whole))
    (tmp_path / "topics.tsv").write_text(TREE)
    return tmp_path


CLOSE = ("--tree", "topics.tsv", "--ancestors", "close")


def learnt(telex, *words):
    code, out, err = telex("replay", *words, "--learner", "mmp", "--learner", "nb", "--json")
    assert code == 0, err
    return json.loads(out), err


def test_closed_sets_are_learnt_and_judged_as_if_they_had_come_closed(bare, telex):
    found, err = learnt(telex, "bare.jsonl", *CLOSE)
    expected, _ = learnt(telex, "closed.jsonl", "--tree", "topics.tsv")
    assert found["learners"] == expected["learners"]
    assert found["ancestors"] == {"documents": 90, "labels": 90}
    assert "90 label sets got 90 missing ancestors" in err
    assert "ancestors" not in expected
    kept, _ = learnt(telex, "bare.jsonl", "--tree", "topics.tsv")
    assert kept["learners"] != expected["learners"]


@pytest.mark.parametrize("late", [("--labels-after", "15"), ("--labels-after", "0")])
def test_labels_that_come_later_are_closed_too(bare, telex, late):
    found, _ = learnt(telex, "bare.jsonl", *CLOSE, *late)
    expected, _ = learnt(telex, "closed.jsonl", "--tree", "topics.tsv", *late)
    assert found["learners"] == expected["learners"]


def test_answers_by_id_are_closed_too(bare, telex):
    found, _ = learnt(telex, "asked.jsonl", *CLOSE, "--labels-after", "answers.jsonl")
    expected, _ = learnt(telex, "closed.jsonl", "--tree", "topics.tsv", "--labels-after", "20s")
    assert found["ancestors"] == {"documents": 90, "labels": 90}
    assert found["learners"]["nb"]["micro_f1"] == pytest.approx(expected["learners"]["nb"]["micro_f1"], abs=0.1)
    sets = [json.loads(line)["labels"] for line in (bare / "closed.jsonl").read_text().splitlines()]
    words = ("asked.jsonl", *CLOSE, "--labels-after", "answers.jsonl", "--learner", "last", "--no-baselines")
    assert telex("replay", *words, "--predictions", "p.jsonl")[0] == 0
    predicted = [json.loads(line)["labels"] for line in (bare / "p.jsonl").read_text().splitlines()]
    assert predicted[-1] in sets


def test_ancestors_need_a_tree(bare, telex):
    code, _, err = telex("replay", "bare.jsonl", "--ancestors", "close", "--learner", "mmp")
    assert code == 2
    assert "ancestors=close needs the tree that has them; give a tree too, or leave it out" in err


def test_ancestors_are_what_a_resume_compares(bare, telex):
    words = ("bare.jsonl", *CLOSE, "--learner", "mmp")
    assert telex("replay", *words, "--run", "r", "--limit", "70")[0] == 0
    code, _, err = telex("replay", "--run", "r", "--resume", "--ancestors", "keep")
    assert code == 2
    assert "cannot resume with another --ancestors" in err
    code, out, _ = telex("replay", "--run", "r", "--resume", "--limit", "120", "--json")
    assert json.loads(out)["ancestors"] == {"documents": 90, "labels": 90}
    assert telex("replay", *words, "--run", "whole", "--limit", "120")[0] == 0
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (bare / "r" / name).read_bytes() == (bare / "whole" / name).read_bytes()


def test_options_in_a_file(bare, telex):
    (bare / "run.toml").write_text('paths = "bare.jsonl"\ntree = "topics.tsv"\nancestors = "close"\nlearner = "nb"\n')
    for command, more in (("replay", ()), ("crossval", ("--folds", "3"))):
        code, out, err = telex(command, "--config", "run.toml", *more, "--json")
        assert code == 0, err
        found = json.loads(out)
        assert found["ancestors"] == {"documents": 90, "labels": 90}
        assert "l_h" in str(found["learners"]["nb"])


def test_the_stages_name_the_ancestors(bare, telex):
    _, out, _ = telex("replay", "bare.jsonl", *CLOSE, "--explain")
    assert "add the ancestors of labels, and of answers" in " ".join(out.split())
    _, out, _ = telex("replay", "bare.jsonl", "--tree", "topics.tsv", "--explain")
    assert "ancestors" not in out


# -- cross-validation


def test_a_cross_validation_along_the_tree(news, telex):
    words = ("w.jsonl", "--tree", "topics.tsv", "--folds", "3", "--learner", "hm3", "--learner", "boosting-mh:rounds=4")
    code, out, err = telex("crossval", *words, "--rounds", "2,4", "--run", "cv", "--json", "--no-baselines")
    assert code == 0, err
    found = json.loads(out)["learners"]
    for part in ("train", "test"):
        assert found["hm3"][part]["invalid"] == 0
        assert found["hm3"][part]["hierarchical_f1"] > 0.7
        for rounds in ("2", "4"):
            assert {*ALONG, "l_h_uniform"} <= found["boosting-mh:rounds=4"]["rounds"][rounds][part].keys()
    assert "hierarchical_f1" in err
    for file in ("rounds.csv", "folds.csv"):
        assert "l_htilde" in (news / "cv" / file).read_text().splitlines()[0].split(",")
    _, out, err = telex("crossval", "w.jsonl", "--folds", "3", "--learner", "nb", "--json")
    assert "l_h" not in out + err


def test_a_cross_validation_closes_sets(bare, telex):
    learners = ("--folds", "3", "--learner", "nb", "--learner", "mmp", "--decide", "set", "--json")
    _, out, err = telex("crossval", "bare.jsonl", *CLOSE, *learners)
    found = json.loads(out)
    assert found["ancestors"] == {"documents": 90, "labels": 90}
    assert "90 label sets got 90 missing ancestors" in err
    code, _, err = telex("crossval", "bare.jsonl", "--ancestors", "close", *learners)
    assert code == 2
    assert "needs the tree" in err


def test_the_tree_of_a_cross_validation_is_no_output(bare, telex):
    (bare / "cv").mkdir()
    (bare / "cv" / "run.json").write_text(TREE)
    code, _, err = telex(
        "crossval", "bare.jsonl", "--tree", "cv/run.json", "--folds", "2", "--learner", "nb", "--run", "cv"
    )
    assert code == 2
    assert "cv/run.json" in err


# -- labels that the tree lacks

PART = "economy\tmetal\neconomy\tgrain\n"


@pytest.mark.parametrize("command", [("replay",), ("crossval", "--folds", "2")])
def test_labels_that_the_tree_lacks(news, telex, command):
    (news / "part.tsv").write_text(PART)
    code, out, err = telex(*command, "w.jsonl", "--tree", "part.tsv", "--learner", "nb", "--json")
    assert code == 0
    assert json.loads(out)["not_in_tree"] == {"labels": 2, "first": ["trade", "sport"]}
    said = "the tree lacks 2 labels of the stream, which hang under its root: trade, sport; add them to the tree"
    assert err.count(said) == 1
    _, out, err = telex(*command, "w.jsonl", "--tree", "topics.tsv", "--learner", "nb", "--json")
    assert "lacks" not in err
    assert "not_in_tree" not in json.loads(out)


@pytest.mark.parametrize("command", [("replay",), ("crossval", "--folds", "2")])
def test_a_tree_of_other_labels(news, telex, command):
    (news / "other.tsv").write_text("crude\toil\n")
    code, out, err = telex(*command, "w.jsonl", "--tree", "other.tsv", "--learner", "nb", "--json")
    assert (code, out) == (2, "")
    assert (
        "the tree has none of the stream's labels: the stream has 'economy', 'metal', 'grain', 'trade', 'sport', the "
        "tree 'crude', 'oil'; give the tree of these labels, or none" in err
    )


@pytest.mark.parametrize("rows", ["7", "400", "3000"])
def test_a_tree_of_other_labels_is_noticed_at_the_same_document(tmp_path, monkeypatch, telex, rows):
    monkeypatch.chdir(tmp_path)
    labels = ["war"] * 1_000 + ["gas"] * 500  # the tree has gas: one document too late
    (tmp_path / "w.svm").write_text("".join(f"{label} 1:1 {2 + i % 5}:1\n" for i, label in enumerate(labels)))
    (tmp_path / "t.tsv").write_text("energy\tgas\n")
    words = ("--tree", "t.tsv", "--learner", "nb", "--no-baselines", "--points", "100")
    code, _, err = telex("replay", "w.svm", "--format", f"svmlight:rows={rows}", *words, "--run", "r")
    assert code == 2
    assert "the stream has 'war', the tree 'energy', 'gas'" in err
    assert (tmp_path / "r" / "curves.csv").read_text().splitlines()[-1].startswith("nb,900,")
    (tmp_path / "w.svm").write_text("".join(f"{label} 1:1\n" for label in labels[1:]))
    assert telex("replay", "w.svm", "--format", f"svmlight:rows={rows}", *words)[0] == 0


# -- the tree in a checkpoint


@pytest.fixture
def ran(news, telex):
    words = (
        "w.jsonl",
        "--tree",
        "topics.tsv",
        "--learner",
        "hm3=refit:model=hm3,every=40,window=100",
        "--learner",
        "nb",
    )
    assert telex("replay", *words, "--no-baselines", "--run", "r", "--text", "stem=none")[0] == 0
    (news / "topics.tsv").unlink()
    return news


def test_what_reads_a_checkpoint_alone_has_the_tree(ran, telex):
    assert open_snapshot("r").label_tree().path("grain") == ["grain", "economy"]
    _, out, _ = telex("inspect", "r")
    assert "5 labels, 2 levels deep" in out
    _, out, _ = telex("inspect", "r", "--json")
    assert json.loads(out)["tree"] == {"labels": 5, "depth": 2, "paths": None}
    _, out, _ = telex("predict", "--run", "r", "--text", "wheat wheat gold", "--learner", "hm3", "--json")
    assert {"economy", "grain"} <= set(json.loads(out)["labels"])
    model = Model.open("r")
    assert model._new_learners["hm3"].model.tree.digest() == open_snapshot("r").label_tree().digest()


def test_the_tree_of_paths_in_a_checkpoint(tmp_path, monkeypatch, telex):
    monkeypatch.chdir(tmp_path)
    lines = [{"id": i, "text": f"oil w{i % 3}", "labels": ["economy/oil"]} for i in range(40)]
    (tmp_path / "w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert telex("replay", "w.jsonl", "--tree", "path:/", "--learner", "nb", "--run", "r")[0] == 0
    assert "labels are paths, divided by /" in telex("inspect", "r")[1]


def test_a_run_that_begins_from_another_has_its_tree(ran, telex):
    code, out, err = telex("replay", "w.jsonl", "--from-run", "r", "--run", "next", "--json", "--limit", "90")
    assert code == 0, err
    assert json.loads(out)["learners"]["hm3"]["invalid"] == 0
    code, out, err = telex("replay", "--run", "next", "--resume", "--limit", "200", "--json")
    assert code == 0, err
    assert "l_h" in json.loads(out)["learners"]["nb"]
    (ran / "same.tsv").write_text(TREE)
    assert telex("replay", "w.jsonl", "--from-run", "r", "--tree", "same.tsv")[0] == 0
    (ran / "other.tsv").write_text(PART)
    for other in ("other.tsv", "none"):
        code, _, err = telex("replay", "w.jsonl", "--from-run", "r", "--tree", other)
        assert code == 2
        assert "another tree cannot begin from that run: it was" in err


# -- the newswire's own tree

WIRE = "synthetic:n=300,topics=30,seed=4"


def test_the_newswire_brings_its_tree(tmp_path, monkeypatch, telex):
    monkeypatch.chdir(tmp_path)
    code, out, err = telex("replay", WIRE, "--learner", "nb", "--run", "r", "--json")
    assert code == 0
    assert set(ALONG) <= json.loads(out)["learners"]["nb"].keys()
    assert "l_h" not in err  # the table stays as it is
    assert "hierarchical_f1" in (tmp_path / "r" / "curves.csv").read_text().splitlines()[0]
    assert open_snapshot("r").label_tree().levels[1].size
    assert telex("replay", "--run", "r", "--resume")[0] == 0
    _, out, err = telex("replay", WIRE, "--learner", "nb", "--tree", "none", "--json")
    assert "l_h" not in out + err
    _, out, err = telex("crossval", WIRE, "--learner", "nb", "--folds", "2", "--json")
    assert set(ALONG) <= json.loads(out)["learners"]["nb"]["test"].keys()
    assert "l_h" not in err


def test_the_newswire_gives_closed_sets_of_labels_that_its_tree_has(telex):
    _, out, _ = telex("replay", WIRE, "--learner", "nb", "--ancestors", "close", "--json")
    found = json.loads(out)
    assert found["ancestors"] == {"documents": 0, "labels": 0}
    assert "not_in_tree" not in found


def test_a_run_of_a_version_without_trees_resumes_without_one(tmp_path, monkeypatch, telex):
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as then:
        then.setattr("telex.adapters.cli.resume.USUAL_TREE", None)
        assert telex("replay", WIRE, "--learner", "nb", "--limit", "100", "--run", "r")[0] == 0
    facts = json.loads((tmp_path / "r" / "run.json").read_text())
    del facts["options"]["tree"], facts["options"]["ancestors"]
    (tmp_path / "r" / "run.json").write_text(json.dumps(facts))
    code, out, err = telex("replay", "--run", "r", "--resume", "--limit", "300", "--json")
    assert code == 0, err
    assert "l_h" not in out


# -- tree losses where losses go


def test_detectors_champions_and_comparisons_take_losses_along_the_tree(news, telex):
    words = ("w.jsonl", "--tree", "topics.tsv", "--learner", "mmp", "--learner", "nb", "--run", "r", "--window", "50")
    drift = ("--drift", "PageHinkley:threshold=1,min_instances=10,loss=l_h")
    code, _, err = telex("replay", *words, *drift, "--champion", "loss=hierarchical_f1,window=40")
    assert code == 0, err
    events = [json.loads(line) for line in (news / "r" / "events.jsonl").read_text().splitlines()]
    assert {one["loss"] for one in events if one["event"] == "drift"} == {"l_h"}
    assert open_snapshot("r").tree["settings"]["champion"]["loss"]["kind"] == "hierarchical_f1"
    assert telex("replay", "--run", "r", "--resume")[0] == 0
    for loss, bounded in (("l_h", False), ("hierarchical_f1", True), ("invalid", True)):
        code, out, err = telex("compare", "r", "--loss", loss, "--json")
        assert code == 0, err
        [pair] = json.loads(out)["train"]
        assert (pair["loss"], pair["n"]) == (loss, 200)
        assert (pair["lower"] is not None) == bounded
    assert telex("replay", *words[:-4], "--drift", "DDM:loss=invalid")[0] == 0
    code, _, err = telex("replay", "w.jsonl", "--learner", "nb", "--drift", "ADWIN:loss=l_h")
    assert code == 2
    assert "measure it too, with --tree FILE, or" in err
    code, _, err = telex("replay", "w.jsonl", "--learner", "nb", "--learner", "mmp", "--champion", "loss=l_h_uniform")
    assert code == 2
    assert "do so, with --tree FILE --losses l_h_uniform, or" in err


def test_the_table_the_page_and_the_curves_have_them(news, telex):
    code, _, err = telex("replay", "w.jsonl", "--tree", "topics.tsv", "--learner", "nb", "--run", "r")
    assert code == 0
    heading = next(line for line in err.splitlines() if line.startswith("learner "))
    assert set(ALONG) < set(heading.split())
    data = report_data(["r"])
    assert set(ALONG) <= set(data["runs"][0]["curves"]["figures"])
    assert all(data["losses"][name]["summary"] for name in ALONG)
    columns = (news / "r" / "curves.csv").read_text().splitlines()[0].split(",")
    assert {f"{name}{span}" for name in ALONG for span in ("", "_window", "_since")} <= set(columns)


def test_prometheus_has_them(news):
    run = telex_package.replay("w.jsonl", ["nb"], tree=str(news / "topics.tsv"), baselines=False)
    list(run)
    found = {(family.name, sample.labels["name"]) for family in figures(run.view) for sample in family.samples}
    assert {("telex_metric_value", "l_h"), ("telex_metric_ratio", "invalid")} <= found
    assert {("telex_metric_value", "l_htilde"), ("telex_metric_ratio", "hierarchical_f1")} <= found


def test_predictions_are_as_without_a_tree(news, telex):
    for name, more in (("with", ("--tree", "topics.tsv")), ("without", ())):
        assert telex("replay", "w.jsonl", *more, "--learner", "mmp", "--predictions", f"{name}.jsonl")[0] == 0
    assert (news / "with.jsonl").read_bytes() == (news / "without.jsonl").read_bytes()


def test_from_python(bare):
    run = telex_package.replay("bare.jsonl", ["nb"], tree=read_tree("topics.tsv"), ancestors="close")
    list(run)
    assert run.summary()["ancestors"] == {"documents": 90, "labels": 90}
    assert "l_h" in run.summary()["learners"]["nb"]
    documents = Corpus.read(open_archive("bare.jsonl"))
    parts = stratified(documents.batch, 2)
    found = cross_validate(documents, {"nb": NB()}, parts, tree=read_tree("topics.tsv"), ancestors="close")
    assert found.plain()["ancestors"] == {"documents": 90, "labels": 90}
    assert set(ALONG) <= found.mean("nb", "test").keys()
    with pytest.raises(UsageError, match="needs the tree that has them"):
        cross_validate(documents, {"nb": NB()}, parts, ancestors="close")
    with pytest.raises(UsageError, match="needs the tree that has them"):
        telex_package.replay("bare.jsonl", ["nb"], ancestors="close")
