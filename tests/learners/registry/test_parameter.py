"""The values that texts mean."""

from telex.learners.registry import Parameter


def test_a_parameter_of_which_only_the_default_is_known():
    def reads(default, *texts):
        return [Parameter.from_default("x", default).read(text) for text in texts]

    assert reads(1.0, "2", "none", "auto") == [2.0, None, "auto"]
    assert reads(True, "false", "auto") == [False, "auto"]
    assert reads(5, "7", "0.5", "sqrt") == [7, 0.5, "sqrt"]
    assert reads(None, "3", "0.5", "balanced", "true") == [3, 0.5, "balanced", True]
    assert reads("scale", "0.5", "auto", "none") == [0.5, "auto", None]
    assert isinstance(reads(1.0, "2")[0], float)
