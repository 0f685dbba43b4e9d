"""Small hypothesis strategies for documents and streams."""

from hypothesis import strategies as st

FEATURES = ["a", "b", "c", "d", "é"]
LABELS = ["CCAT", "ECAT", "GCAT", "MCAT", "ß"]
VALUES = st.floats(-4, 4, width=32).filter(lambda v: v == 0 or abs(v) > 1e-6)

documents = st.tuples(
    st.dictionaries(st.sampled_from(FEATURES), VALUES, max_size=4),
    st.lists(st.sampled_from(LABELS), unique=True, max_size=3),
)
streams = st.lists(documents, max_size=25)
patchy = st.lists(st.tuples(documents, st.booleans()).map(lambda d: (d[0][0], d[0][1] if d[1] else None)), max_size=25)


def cuts(length):
    """Where to cut a stream of this many documents into batches."""
    return st.lists(st.integers(0, length), max_size=5).map(lambda at: [0, *sorted(at), length])
