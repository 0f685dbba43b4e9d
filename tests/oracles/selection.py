"""Selection of features by its definitions: documents as (dict, labels) pairs, one count at a time."""

from math import fsum, log


def present(x):
    return {name for name, value in x.items() if value}


def information_gain(stream, feature, label):
    """Sum over both events and their opposites of P(t, c) ln (P(t, c) / (P(t) P(c)))."""
    n, parts = len(stream), []
    for has in (True, False):
        for is_in in (True, False):
            both = sum((feature in present(x)) == has and (label in y) == is_in for x, y in stream) / n
            t = sum((feature in present(x)) == has for x, _ in stream) / n
            c = sum((label in y) == is_in for _, y in stream) / n
            parts.append(both * log(both / (t * c)) if both else 0.0)
    return fsum(parts)


def rocchio(stream, feature, label):
    """16 times the mean value with the label, less 4 times the mean without."""
    inside, outside = ([x.get(feature, 0.0) for x, y in stream if (label in y) is on] for on in (True, False))
    return 16 * fsum(inside) / max(len(inside), 1) - 4 * fsum(outside) / max(len(outside), 1)


def document_frequency(stream, feature, label):
    """How many documents have it, whatever the label."""
    return sum(feature in present(x) for x, _ in stream)


SCORES = {"ig": information_gain, "rocchio": rocchio, "df": document_frequency}


def best(stream, names, label, by, terms):
    """The ids of a label's best features, the best first; scores are equal to nine digits."""
    scores = {i: round(SCORES[by](stream, name, label), 9) for i, name in enumerate(names)}
    ordered = sorted(scores, key=lambda i: (-scores[i], i))
    return [i for i in ordered if scores[i] > 0][:terms]


def round_robin(lists, terms):
    """Turn by turn, list by list, until there are enough."""
    found = []
    for turn in range(max(map(len, lists), default=0)):
        for one in lists:
            if turn < len(one) and one[turn] not in found and len(found) < terms:
                found.append(one[turn])
    return sorted(found)
