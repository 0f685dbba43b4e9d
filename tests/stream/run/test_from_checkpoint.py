"""What a finished run needs to go on; how one begins from another is tested in tests/adapters/cli."""

import pytest

from telex.learners.base import UsageError
from telex.stream.run.from_checkpoint import reopened


@pytest.mark.parametrize("source", [None, {"documents": 3}])
def test_a_checkpoint_of_an_earlier_version_says_how_to_go_on(source):
    with pytest.raises(UsageError, match=r"the checkpoint does not hold what a run needs .*, by --from-run"):
        reopened({"finished": True, "reading": {"source": source}})
