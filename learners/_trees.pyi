from telex.learners.base import Bytes, Ids, Offsets, Reals, Values

level: str

def hm3(
    indptr: Offsets,
    terms: Ids,
    values: Values,
    relevant: Bytes,
    parents: Ids,
    costs: Reals,
    below_right: bool,
    strength: float,
    steps: int,
    gap: float,
    seed: int,
    weights: Values,
    marginals: Values,
    dual: Reals,
    gaps: Reals,
    primal: Reals,
) -> int: ...
def svm(
    indptr: Offsets,
    terms: Ids,
    values: Values,
    relevant: Bytes,
    parents: Ids,
    of_parent: bool,
    strength: float,
    passes: int,
    tolerance: float,
    seed: int,
    weights: Values,
) -> None: ...
def label(
    indptr: Offsets, terms: Ids, values: Values, parents: Ids, weights: Values, scores: Values, relevant: Bytes
) -> None: ...
def project(
    scores: Values,
    relevant: Bytes,
    known: Ids,
    cuts: Values,
    nodes: Ids,
    parents: Ids,
    projected: Bytes,
) -> None: ...
