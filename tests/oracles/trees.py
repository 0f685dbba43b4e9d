"""Small trees of any shape, and all sets of labels that one allows."""

from itertools import product

from hypothesis import strategies as st


@st.composite
def trees(draw, most=12):
    """A forest of up to ``most`` nodes, as pairs in any order."""
    count = draw(st.integers(1, most))
    parents = [draw(st.integers(-1, i - 1)) for i in range(count)]
    edges = [(f"n{i}", None if parent < 0 else f"n{parent}") for i, parent in enumerate(parents)]
    return draw(st.permutations(edges))


def allowed_sets(tree):
    """All sets in which each node has its parent, as a flag a node."""
    parents = tree.parents.tolist()
    for one in product((False, True), repeat=len(tree)):
        if all(parent < 0 or one[parent] or not taken for taken, parent in zip(one, parents, strict=True)):
            yield one
