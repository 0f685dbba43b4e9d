"""Every learner with every option that changes what it computes, native and oracle, by a short name."""

import importlib

from telex.learners.trees import Tree

LOSSES = ["iserr", "errsetsize", "margin", "avgp"]
PENALTIES = ["uniform", "proportional", "random", "worst"]
DECODINGS = ["votes", "weighted", "votes+weight"]

# Over the labels of streams and strategies; the labels of some nodes come only with those below them.
EDGES = [("M14", "MCAT"), ("C151", "C15"), ("C15", "CCAT"), ("Börse", "M14"), ("ECAT", "CCAT"), ("E21", "ECAT")]
TREE = Tree.of([*EDGES, ("sport", "GCAT"), ("war", "GCAT"), ("L3", "war"), ("ß", "ECAT"), ("y1", "y0")])

KINDS = {
    "br": ("BR", {}),
    "br-averaged": ("BR", {"averaged": True}),
    "br-random": ("BR", {"init": "random", "seed": 5}),
    "mmp": ("MMP", {}),
    "mmp-proportional": ("MMP", {"loss": "errsetsize", "penalty": "proportional"}),
    "mmp-random": ("MMP", {"loss": "avgp", "penalty": "random", "init": "random", "seed": 7}),
    "mmp-averaged": ("MMP", {"loss": "margin", "penalty": "worst", "averaged": True}),
    "mmp-arow": ("MMP", {"update": "arow"}),
    "mlpp": ("MLPP", {}),
    "mlpp-arow": ("MLPP", {"update": "arow", "ties": "first"}),
    "mlpp-perceptron": ("MLPP", {"update": "perceptron", "ties": "first"}),
    "mlpp-weighted": ("MLPP", {"update": "perceptron", "decode": "weighted", "init": "random", "seed": 11}),
    "mlpp-averaged": ("MLPP", {"update": "perceptron", "decode": "votes+weight", "averaged": True}),
    "mlpp-averaged-pa": ("MLPP", {"C": 0.5, "averaged": True, "mean": "documents"}),
    "mlpp-int8": ("MLPP", {"storage": "int8", "update": "perceptron", "ties": "first", "seed": 3}),
    "mlpp-hybrid": ("MLPP", {"storage": "hybrid"}),
    "arow": ("AROW", {}),
    "arow-unbiased": ("AROW", {"r": 1.5, "bias": 0}),
    "pa": ("PA", {}),
    "pa-first": ("PA", {"variant": "I", "C": 0.25, "bias": 0}),
    "pa-unbounded": ("PA", {"C": float("inf")}),
    "logistic": ("Logistic", {}),
    "logistic-sqrt": ("Logistic", {"steps": "sqrt", "eta": 3.0, "bias": 1.0}),
    "logistic-constant": ("Logistic", {"steps": "constant", "eta": 2.0, "bias": 1.0}),
    "uneven": ("Uneven", {}),
    "uneven-unbiased": ("Uneven", {"tau_plus": 2.0, "tau_minus": -0.25, "bias": 0}),
    "chain": ("Chain", {}),
    "chain-appearance": ("Chain", {"order": "appearance", "link": 1.0, "r": 1.0, "bias": 0.5}),
    "plt": ("PLT", {}),
    "plt-binary": ("PLT", {"arity": 2, "top": 64, "steps": "constant", "eta": 2.0, "bias": 1.0}),
    "plt-top": ("PLT", {"arity": 3, "top": 2, "steps": "sqrt", "bias": 0}),
    "hrls-online": ("HRLSOnline", {}),
    "hrls-online-tree": ("HRLSOnline", {"strength": 0.75, "bias": 0, "tree": TREE}),
    "hrls-online-full": ("HRLSOnline", {"form": "full", "tree": TREE}),
    "nb": ("NB", {}),
    "nb-multinomial": ("NB", {"variant": "multinomial", "alpha": 1, "counts": "weights"}),
    "nb-complement": ("NB", {"variant": "complement", "alpha": 0.5, "counts": "terms"}),
    "nb-normalised": ("NB", {"variant": "normalised", "alpha": 1.0}),
    "prior": ("Prior", {}),
    "last": ("Last", {"seed": 3}),
}

_DOORS = {"HRLSOnline": "telex.learners.trees"}
_MODULES = {"Prior": "baselines", "Last": "baselines", "HRLSOnline": "hrls_online"}
_NAMES = {"mmp-arow": "MarginMMP", "hrls-online-full": "FullHRLSOnline"}


def native(kind):
    """A fresh native learner."""
    name, options = KINDS[kind]
    made = getattr(importlib.import_module(_DOORS.get(name, "telex.learners")), name)
    learner = made(**{key: value for key, value in options.items() if key != "tree"})
    if "tree" in options:
        learner.use_tree(options["tree"])
    return learner


def oracle(kind, features=0):
    """A fresh oracle of the same, that knows the numbers below `features` by themselves."""
    name, options = KINDS[kind]
    module = _MODULES.get(name, name.lower())
    made = getattr(importlib.import_module(f"oracles.{module}"), _NAMES.get(kind, name))(**options)
    for one in (made, getattr(made, "br", made)):
        one.features = {f: f for f in range(features)}
    return made
