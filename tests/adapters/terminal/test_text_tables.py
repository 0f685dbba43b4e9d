"""Numbers and tables as text.

`comparisons` and `crossval` are tested by their commands, in tests/adapters/cli/commands.
"""

from telex.adapters.terminal import figure_text, text_table


def test_a_table_too_wide_is_several_about_as_wide():
    heading, row = ["learner", *"abcde"], ["mmp", *["12345"] * 5]
    whole = text_table(heading, [row])
    assert text_table(heading, [row], width=len(whole.splitlines()[0])) == whole
    told = text_table(heading, [row], width=40)
    assert [one.split() for one in told.splitlines() if one.startswith("learner")] == [
        ["learner", "a", "b", "c"], ["learner", "d", "e"],
    ]  # fmt: skip
    assert max(map(len, told.splitlines())) <= 40
    assert text_table(heading, [row], width=1).count("learner") == 5  # one at least


def test_tables():
    assert text_table(["a", "b"], [["x", "1"], ["long", "22"]]) == "a      b\nx      1\nlong  22"
    assert text_table(["a", "b"], [["x", "y z"]], numbers=False) == "a  b\nx  y z"
    assert [figure_text(x) for x in (0.0, 9.9994, 10.0, 999.0, 1e5, None)] == [
        "0.000",
        "9.999",
        "10.00",
        "999.00",
        "100000.0",
        "-",
    ]
