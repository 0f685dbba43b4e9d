"""Objects of river as states, and back: an allow-list codec, which runs nothing that a state holds.

A state names classes and functions, and only those that `allow_list` has are used: classes of the river that is
installed, containers and numbers of Python and numpy. Nothing is imported, called or set by a name of the state's own
choosing. Shared objects stay shared, also in circles.

A state belongs to the version of river that made it, whose private attributes it holds.

Read `graph` first, the form of a state; then `encode`, and `decode`, which makes objects empty (`make`) and then fills
them (`fill`). `array_parts` and `compiled_parts` are for arrays and for classes that are compiled.

>>> from river.naive_bayes import MultinomialNB
>>> from telex.stream.river_codec import decode, encode
>>> model = MultinomialNB()
>>> model.learn_one({"cup": 2.0}, True)
>>> decode(encode(model)).predict_proba_one({"cup": 1.0}) == model.predict_proba_one({"cup": 1.0})
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
