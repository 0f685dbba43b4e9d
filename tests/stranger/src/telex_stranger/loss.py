from telex import Loss


class Excess(Loss):
    """How many labels are predicted that a document does not have."""

    name, unit = "excess", "labels"

    def of(self, judged):
        return judged.fp.astype(float)
