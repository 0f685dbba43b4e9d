"""Tables of names in which a bounded vocabulary gives ids away."""

from telex.learners.base.names import Names
from telex.learners.base.tie_order import name_hash


def test_ids_swap_names_in_whatever_order():
    for order in (1, -1):
        names = Names(["gold", "corn", "wheat"])
        for i, name in [(0, "wheat"), (2, "gold")][::order]:
            names.replace(i, name)
        assert list(names) == ["wheat", "corn", "gold"]
        assert [names.get(name) for name in names] == [0, 1, 2]


def test_hashes_follow():
    names = Names(["gold", "corn"])
    names.hashes()
    names.replace(0, "wheat")
    names.extend(["gold"])
    assert names.hashes().tolist() == [name_hash(name) for name in ("wheat", "corn", "gold")]
    assert names.get("gold") == 2
