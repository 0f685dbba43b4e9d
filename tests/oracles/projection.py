"""The closed set nearest to the scores of a document, slowly, as docs/definitions.md ("Trees") has it."""

from fractions import Fraction

from oracles.score_bins import own_cut

LEAST = Fraction(1, 2**149)


def known_parents(tree, labels):
    """The nearest known ancestor of each known label, None for a root."""
    return {label: next((one for one in tree.path(label)[1:] if one in labels), None) for label in labels}


def distances(scores, inside, cuts=None):
    """The signed distance of each score from its cut, exactly; the learner's own cut of the document without `cuts`."""
    if cuts is None:
        cuts = [own_cut(scores, inside)] * len(scores)
    sizes = [abs(Fraction(float(s)) - Fraction(float(cut))) for s, cut in zip(scores, cuts, strict=True)]
    return [max(size, LEAST) if on else -size for size, on in zip(sizes, inside, strict=True)]


def nearest(tree, labels, values):
    """The closed set of the largest sum of `values`, by label; of several the smallest."""
    parents, values = known_parents(tree, labels), dict(zip(labels, values, strict=True))
    children = {label: [one for one in labels if parents[one] == label] for label in [None, *labels]}

    def gain(label):
        return values[label] + sum(max(gain(one), 0) for one in children[label])

    def chosen(label):
        below = {label} if gain(label) > 0 else set()
        return below.union(*(chosen(one) for one in children[label])) if below else below

    return set().union(*(chosen(one) for one in children[None]))
