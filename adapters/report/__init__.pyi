from .report import report as report
from .report import report_data as report_data
from .run_data import shown_by as shown_by

__all__ = [
    "report",
    "report_data",
    "shown_by",
]
