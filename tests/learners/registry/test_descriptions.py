"""What is said of learners and losses."""

from telex.learners import MMP
from telex.learners.losses import LOSSES
from telex.learners.registry import Parameter, describe_learners, describe_losses, parameters


def test_parameters_are_described():
    assert parameters(MMP)["loss"] == Parameter("loss", "iserr", (str,), ("iserr", "errsetsize", "margin", "avgp"))
    ours = ["br", "mmp", "mlpp", "arow", "pa", "logistic", "uneven", "chain", "plt"]
    ours += ["hrls-online", "nb", "prior", "last", "adaboost-mh", "mpboost"]
    found = describe_learners(ours)
    assert list(found) == list(describe_learners())[: len(ours)] == ours
    for name, one in found.items():
        assert one["summary"].endswith("."), name
        assert "[^" not in one["summary"]
        assert one["parameters"]["seed"]["default"] == 0


def test_losses_are_described():
    found = describe_losses()
    along = ["l_h", "l_h_uniform", "l_h_subtree", "l_htilde", "l_htilde_uniform", "l_htilde_subtree"]
    assert [name for name, loss in found.items() if loss["tree"]] == [*along, "hierarchical_f1", "invalid"]
    assert [name for name, loss in found.items() if not loss["tree"]][: len(LOSSES)] == list(LOSSES)
    assert {name for name, loss in found.items() if loss["best"] == 1 and not loss["optional"]} == {
        "avgp", "example_f1", "hierarchical_f1",
        "micro_precision", "micro_recall", "micro_f1", "macro_f1", "macro_f1_present",
    }  # fmt: skip
    assert all(loss["summary"].endswith(".") for loss in found.values())
