"""run.json: what is written is read back, and what is not the folder of a run is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import UsageError
from telex.stream.run_folder import read_facts, versions, write_facts

TEXTS = st.text(st.characters(), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS.filter(str.isascii),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_facts_come_back(tmp_path_factory, facts):
    folder = tmp_path_factory.mktemp("facts")
    write_facts(folder, facts)
    assert read_facts(folder) == facts


def test_what_json_does_not_know_is_its_text(tmp_path):
    write_facts(tmp_path, {"path": tmp_path})
    assert read_facts(tmp_path) == {"path": str(tmp_path)}


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"is not the folder of a run: it has no run\.json; name one that was"):
        read_facts(tmp_path)
    with pytest.raises(UsageError, match="there is no folder"):
        read_facts(tmp_path / "none")
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(UsageError, match=r"run\.json cannot be read"):
        read_facts(tmp_path)


def test_versions_of_what_decides_a_result():
    assert list(versions()) == ["python", "telex", "numpy", "river"]
