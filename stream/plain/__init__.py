"""A codec for river's objects: it turns them into plain states and back, by an allow list instead of pickle.

A state names classes and functions, and only those that :mod:`telex.stream.plain.allowed` lists are used: classes of
the installed river, containers and numbers of Python and numpy. No state can make it import, call or set anything else.
Objects that share parts, also in circles, share them again after decoding.

A state holds river's private attributes, so only the version of river that made it can read it.

>>> from river.naive_bayes import MultinomialNB
>>> model = MultinomialNB()
>>> model.learn_one({"cup": 2.0}, True)
>>> decode(encode(model)).predict_proba_one({"cup": 1.0}) == model.predict_proba_one({"cup": 1.0})
True
"""

from telex.stream.plain.decoding import decode
from telex.stream.plain.encoding import encode

__all__ = ["decode", "encode"]
