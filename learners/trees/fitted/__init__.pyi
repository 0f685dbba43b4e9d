from .hm3 import HM3 as HM3
from .hrls import HRLS as HRLS
from .svm import HSVM as HSVM
from .svm import SVM as SVM
from .tree_window import TreeWindow as TreeWindow
from .tree_window import known_rows as known_rows

__all__ = ["HM3", "HRLS", "HSVM", "SVM", "TreeWindow", "known_rows"]
