from telex.learners.base import Bytes, Ids, Offsets, Reals, Values

level: str

def check_memory(more: int) -> None: ...
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
    state: Values,
    marginals: Values,
    dual: Reals,
    gaps: Reals,
    primal: Reals,
    first: int,
    stop: int,
) -> tuple[int, bool]: ...
def hm3_kernel(
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
    state: Values,
    marginals: Values,
    dual: Reals,
    gaps: Reals,
    primal: Reals,
    first: int,
    stop: int,
    starts: Offsets,
    rows: Ids,
    row_values: Values,
    kind: int,
    degree: int,
    gamma: float,
    coef0: float,
) -> tuple[int, bool]: ...
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
def rls(
    indptr: Offsets,
    terms: Ids,
    values: Values,
    relevant: Bytes,
    parents: Ids,
    strength: float,
    steps: int,
    tolerance: float,
    weights: Values,
) -> None: ...
def label(
    indptr: Offsets, terms: Ids, values: Values, parents: Ids, weights: Values, scores: Values, relevant: Bytes
) -> None: ...
def label_kernel(
    indptr: Offsets,
    terms: Ids,
    values: Values,
    parents: Ids,
    differences: Values,
    scores: Values,
    relevant: Bytes,
    starts: Offsets,
    rows: Ids,
    row_values: Values,
    kind: int,
    degree: int,
    gamma: float,
    coef0: float,
) -> None: ...
def reasons(
    indptr: Offsets, terms: Ids, values: Values, parents: Ids, weights: Values, contributions: Reals
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
