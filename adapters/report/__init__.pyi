from .report import report as report
from .report import report_data as report_data

__all__ = [
    "report",
    "report_data",
]
