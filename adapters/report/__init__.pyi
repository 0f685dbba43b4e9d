from .html_view import html_view as html_view
from .report import report as report
from .report import report_data as report_data
from .report_page import ReportPage as ReportPage
from .reproductions_page import reproductions_page as reproductions_page
from .run_data import shown_by as shown_by
from .shown_run import ShownRun as ShownRun
from .shown_run import shown_run as shown_run

__all__ = [
    "ReportPage",
    "ShownRun",
    "html_view",
    "report",
    "report_data",
    "reproductions_page",
    "shown_by",
    "shown_run",
]
