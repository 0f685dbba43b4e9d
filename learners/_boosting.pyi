from telex.learners.base import Bytes, Ids, Offsets, Reals, Values

level: str

def processors() -> int: ...
def fit(
    multiple: bool,
    variant: int,
    indptr: Offsets,
    terms: Ids,
    order: Ids,
    label_indptr: Offsets,
    labels: Ids,
    eps: float,
    weights: Reals,
    pivots: Ids,
    absent: Reals,
    present: Reals,
    threads: int,
    rare: int,
) -> None: ...
def score(
    indptr: Offsets,
    features: Ids,
    values: Values,
    lookup: Ids,
    rows: Offsets,
    columns: Ids,
    weights: Values,
    bias: Values,
    scores: Values,
    relevant: Bytes,
    threads: int,
) -> None: ...
