"""Every learner with every option that changes what it computes, native and oracle, by a short name."""

import importlib

LOSSES = ["iserr", "errsetsize", "margin", "avgp"]
PENALTIES = ["uniform", "proportional", "random", "worst"]
DECODINGS = ["votes", "weighted", "votes+weight"]

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
    "nb": ("NB", {}),
    "nb-multinomial": ("NB", {"variant": "multinomial", "alpha": 1, "counts": "weights"}),
    "nb-complement": ("NB", {"variant": "complement", "alpha": 0.5, "counts": "terms"}),
    "nb-normalised": ("NB", {"variant": "normalised", "alpha": 1.0}),
    "prior": ("Prior", {}),
    "last": ("Last", {"seed": 3}),
}


def native(kind):
    """A fresh native learner."""
    name, options = KINDS[kind]
    return getattr(importlib.import_module("telex.learners"), name)(**options)


def oracle(kind, features=0):
    """A fresh oracle of the same, that knows the numbers below `features` by themselves."""
    name, options = KINDS[kind]
    module = {"Prior": "baselines", "Last": "baselines"}.get(name, name.lower())
    if kind == "mmp-arow":
        name = "MarginMMP"
    made = getattr(importlib.import_module(f"oracles.{module}"), name)(**options)
    for one in (made, getattr(made, "br", made)):
        one.features = {f: f for f in range(features)}
    return made
