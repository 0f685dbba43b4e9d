from .curve import COUNTS as COUNTS
from .curve import Curve as Curve
from .curve import Figures as Figures
from .curve import Mark as Mark
from .curve import columns_of as columns_of
from .curve import names_of as names_of
from .label_table import COLUMNS as COLUMNS
from .label_table import label_table as label_table
from .point import Point as Point
from .point import iso as iso

__all__ = [
    "COLUMNS",
    "COUNTS",
    "Curve",
    "Figures",
    "Mark",
    "Point",
    "columns_of",
    "iso",
    "label_table",
    "names_of",
]
