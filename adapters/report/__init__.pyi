from .curve_data import SPANS as SPANS
from .report import report as report
from .report import report_data as report_data
from .run_files import curves as curves

__all__ = [
    "SPANS",
    "curves",
    "report",
    "report_data",
]
