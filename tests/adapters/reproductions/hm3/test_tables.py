"""Orders of the paper that hold, and tables as text."""

from telex.adapters.reproductions.hm3.peers import SETTINGS
from telex.adapters.reproductions.hm3.tables import orders, orders_missed, orders_text, tables_text

PAPER = {"svm": {"zero_one": 33.0, "l_h": 0.09}, "hm3 htilde": {"zero_one": 28.0, "l_h": 0.1}}
FIGURES = ("zero_one", "l_delta", "l_h", "precision", "recall", "f1", "f1_below", "invalid")


def table(**rows):
    return {name.replace("_", " "): dict.fromkeys(FIGURES, values) for name, values in rows.items()}


OURS = table(
    svm=[3.0, 3.0, 3.0],
    hm3_htilde_uniform=[1.0, 2.0, 4.0],
    hm3_htilde_sibling=[3.0, 3.0, 3.0],
    hm3_htilde_subtree=[4.0, 4.0, 4.0],
)


def test_an_order_holds_on_so_many_splits_and_equals_do_not():
    found = orders({"one": OURS, "one_bias": OURS, "validated": OURS}, PAPER)
    held = [{setting: list(counts) for setting in SETTINGS} for counts in ((2, 0, 0), (1, 0, 3))]
    assert found == [
        {"figure": "zero_one", "lower": "hm3 htilde", "higher": "svm", "held": held[0]},
        {"figure": "l_h", "lower": "svm", "higher": "hm3 htilde", "held": held[1]},
    ]
    shown = "\n".join(orders_text({"orders": found, "settings": {"splits": 3}}))
    assert "on how many of 3 splits they hold (hm3 htilde: uniform/sibling/subtree)" in shown
    assert "svm < hm3 htilde       1/0/3                  1/0/3               1/0/3" in shown
    assert orders_missed({"orders": found, "settings": {"splits": 3}}) == []
    assert orders_missed({"orders": found, "settings": {"splits": 4}}) == [
        "zero_one: 0 of the paper's 1 orders hold, and not hm3 htilde < svm (2 of 4)."
    ]


def test_tables_have_means_with_standard_errors_beside_the_papers_figures():
    ours = {"one": OURS, "one_bias": OURS, "validated": OURS | table(other=[1.0, 1.0, 1.0])}
    found = {"ours": ours, "settings": {"bias": True}}
    _, title, shown, *_, last_title, last = tables_text(found, PAPER)
    assert (title, last_title) == ("strength 1", "strength validated, with bias")
    heading, svm, uniform, *_ = (line.split() for line in shown.splitlines())
    assert heading[:4] == ["learner", "zero_one", "paper", "l_delta"]
    assert heading[4:6] == ["l_h", "paper"]
    assert svm[:5] == ["svm", "3.0", "(0.0)", "33", "3.000"]
    assert uniform[3:6] == ["2.3", "(0.9)", "28"]
    assert last.splitlines()[-1].split()[:4] == ["other", "1.0", "(0.0)", "-"]
    assert "paper" not in "\n".join(tables_text(found, None))
