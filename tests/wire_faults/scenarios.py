"""All that can happen to a wire, and to its reader, by name."""

from wire_faults import brokers, learner, records
from wire_faults.field import SCENARIOS, Field

__all__ = ["SCENARIOS", "Field", "brokers", "learner", "records"]
