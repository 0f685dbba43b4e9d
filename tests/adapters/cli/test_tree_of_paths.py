"""Labels that are paths, ``--tree path:/``, come at run time and join the tree under their parents."""

import json


def test_labels_that_come_later_join_the_tree_of_paths(tmp_path, monkeypatch, telex):
    monkeypatch.chdir(tmp_path)
    lines = []
    for i in range(160):
        known = [("oil", "economy/trade/oil"), ("cup", "sport"), ("wheat", "economy/grain")]
        word, topic = known[i % (2 if i < 60 else 3)]
        lines.append({"id": i, "text": f"{word} {word} w{i % 5}", "labels": [topic]})
    (tmp_path / "w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ("w.jsonl", "--tree", "path:/", "--learner", "refit:model=hm3,every=40", "--no-baselines")
    code, out, err = telex("replay", *words, "--predictions", "p.jsonl", "--json", "--ancestors", "close")
    assert code == 0, err
    found = json.loads(out)
    assert found["learners"]["refit:model=hm3,every=40"]["invalid"] == 0
    assert found["ancestors"]["labels"] == sum(line["labels"][0].count("/") for line in lines)
    sets = [json.loads(line)["labels"] for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert ["economy", "economy/grain"] not in sets[:60]
    assert ["economy", "economy/grain"] in sets[120:]
