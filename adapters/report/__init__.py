"""What a run leaves behind, as a page to look at: a file that stands alone, or live beside the run."""

from telex.adapters.report.picture import picture
from telex.adapters.report.report import report, report_data

__all__ = ["picture", "report", "report_data"]
