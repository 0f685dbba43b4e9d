"""The results of a run as a page: a file that stands alone, or a live page beside the run."""

from telex.adapters.report.picture import picture
from telex.adapters.report.report import report, report_data

__all__ = ["picture", "report", "report_data"]
