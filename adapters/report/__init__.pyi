from .html_view import html_view as html_view
from .page import page as page
from .report import report as report
from .report import report_data as report_data
from .shown_run import ShownRun as ShownRun
from .shown_run import shown_run as shown_run

__all__ = [
    "ShownRun",
    "html_view",
    "page",
    "report",
    "report_data",
    "shown_run",
]
