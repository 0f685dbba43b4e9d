"""Objects of river as states, and back: an allow-list codec, which runs nothing that a state holds.

A state names classes and functions, and only what :mod:`telex.stream.plain.allowed` lists is made: classes of the
river that is installed, containers and numbers of Python and numpy. Nothing is imported, called or set by a name of
the state's own choosing. Objects that are shared, also in circles, are so again.

A state belongs to the version of river that made it, whose private attributes it holds.

>>> from river.naive_bayes import MultinomialNB
>>> model = MultinomialNB()
>>> model.learn_one({"cup": 2.0}, True)
>>> decode(encode(model)).predict_proba_one({"cup": 1.0}) == model.predict_proba_one({"cup": 1.0})
True
"""

from telex.stream.plain.decoding import decode
from telex.stream.plain.encoding import encode

__all__ = ["decode", "encode"]
