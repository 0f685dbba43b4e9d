"""The losses of one document, and of all, straight from their set definitions."""

import math

from oracles import ties

PRECISIONS = {"prec1": 1, "prec3": 3, "prec5": 5}
GAINS = {"ndcg3": 3, "ndcg5": 5}
PROPENSITIES = {"psp1": 1, "psp3": 3, "psp5": 5}


def mean(figures):
    return sum(figures) / len(figures) if figures else math.nan


def propensity(documents, seen):
    """Jain, Prabhu and Varma 2016, equation 2, with A = 0.55, B = 1.5; C is not below 0."""
    a, b = 0.55, 1.5
    c = max(0.0, math.log(documents) - 1) * (b + 1) ** a if documents else 0.0
    return 1 / (1 + c * math.exp(-a * math.log(seen + b)))


def of_document(ranking, chosen, truth, probabilities=None, before=(0, {})):
    """Every loss of one document, from the ranking of the known labels and two sets; NaN is undefined.

    `probabilities` are those of the known labels, None from a learner that has none; `before` says how many documents
    came before, and how often each label was true.
    """
    known, truth, chosen = set(ranking), set(truth), set(chosen)
    order = list(ranking) + ties.in_order(truth - known)
    r = {c: position for position, c in enumerate(order, 1)}
    irrelevant = known - truth
    errors = {(c, d) for c in truth for d in irrelevant if r[c] > r[d]}
    of_pairs = ["iserr", "errsetsize", "ranking_loss", "margin"]
    undefined = [*of_pairs, "avgp", "oneerr", "coverage", *PRECISIONS, *GAINS, *PROPENSITIES]
    losses = dict.fromkeys(undefined, math.nan)
    if truth and irrelevant:
        lowest, highest = max(r[c] for c in truth), min(r[c] for c in irrelevant)
        losses["iserr"], losses["errsetsize"] = int(bool(errors)), len(errors)
        losses["margin"] = max(0, lowest - highest)
        above = {c: sum(r[b] <= r[c] for b in truth) for c in truth}
        losses["avgp"] = math.fsum(above[c] / r[c] for c in truth) / len(truth)
        losses["oneerr"] = int(order[0] not in truth)
        losses["coverage"] = lowest - 1
        losses["ranking_loss"] = len(errors) / len({(c, d) for c in truth for d in irrelevant})
        losses |= {name: sum(r[c] <= k for c in truth) / k for name, k in PRECISIONS.items()}
        losses |= {
            name: sum(1 / math.log2(1 + r[c]) for c in truth if r[c] <= k)
            / sum(1 / math.log2(1 + i) for i in range(1, min(k, len(truth)) + 1))
            for name, k in GAINS.items()
        }
        worth = {c: 1 / propensity(before[0], before[1].get(c, 0)) for c in truth}
        losses |= {
            name: sum(worth[c] for c in truth if r[c] <= k) / sum(sorted(worth.values(), reverse=True)[:k])
            for name, k in PROPENSITIES.items()
        }
    false_positive, false_negative = len(chosen - truth), len(truth - chosen)
    wrong, both, either = false_positive + false_negative, len(chosen & truth), len(chosen | truth)
    certain = [p if c in truth else 1 - p for c, p in (probabilities or {}).items()]
    return losses | {
        "example_f1": 2 * both / (len(chosen) + len(truth)) if either else 1,
        "jaccard": both / either if either else 1,
        "log_loss": mean([-math.log(max(p, 2**-23)) for p in certain]),
        "brier": mean([(1 - p) ** 2 for p in certain]),
        "hamming": wrong,
        "hamming_loss": wrong / len(order) if order else math.nan,
        "zero_one": int(wrong > 0),
        "subset_accuracy": int(not wrong),
        "accuracy": int(order[0] in truth) if len(truth) == 1 and irrelevant else math.nan,
        "cover_zo": int(wrong > 0),
        "cover_hm": wrong,
        "cover_ts": int(false_negative > 0) + int(false_positive > 0),
        "cover_wp": 6 * int(false_negative > 0) + false_positive,
        "cover_wn": 4 * int(false_positive > 0) + false_negative,
    }


def of_sets(pairs, known):
    """Micro and macro figures of (chosen, truth) pairs; macro over the `known` labels and the true ones."""
    labels = set(known).union(*(truth for _, truth in pairs))
    tp = {c: sum(c in p and c in y for p, y in pairs) for c in labels}
    fp = {c: sum(c in p and c not in y for p, y in pairs) for c in labels}
    fn = {c: sum(c not in p and c in y for p, y in pairs) for c in labels}

    def f1(a, b, c):
        return 1.0 if a + b + c == 0 else 2 * a / (2 * a + b + c)

    def ratio(a, b):
        return a / b if b else math.nan

    a, b, c = sum(tp.values()), sum(fp.values()), sum(fn.values())
    present = [f1(tp[x], fp[x], fn[x]) for x in labels if tp[x] + fp[x] + fn[x]]
    return {
        "micro_precision": ratio(a, a + b),
        "micro_recall": ratio(a, a + c),
        "micro_f1": ratio(2 * a, 2 * a + b + c),
        "macro_f1": mean([f1(tp[x], fp[x], fn[x]) for x in labels]),
        "macro_f1_present": mean(present),
    }
