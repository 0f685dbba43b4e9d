"""The tables that MP-Boost's paper prints, as it prints them, and their figures by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Printed = dict[str, dict[str, dict[str, dict[str, float]]]]
    """A value by figure, terms (full or reduced), column (an algorithm or RELATIVE) and rounds."""

ALGORITHMS = ("adaboost-mh", "mpboost")
RELATIVE = "more %"
"""The column that says by how many percent MP-Boost has more than AdaBoost.MH."""
FIGURES = ("micro_f1", "macro_f1", "training seconds", "classification seconds")
PIVOTS = "distinct pivots"

_TABLE1 = """
reuters21578 full
5 5 4.5 | 10 10 8.4 | 20 20 15.0 | 50 50 30.6 | 100 98 50.1 | 200 192 79.8 | 500 433 136.6 | 1000 766 191.7
reuters21578 reduced
5 5 4.5 | 10 10 8.4 | 20 20 15.1 | 50 50 31.3 | 100 98 51.1 | 200 192 81.4 | 500 433 134.7 | 1000 703 181.5
rcv1 full
5 5 4.9 | 10 10 9.7 | 20 20 19.1 | 50 50 46.2 | 100 95 88.6 | 200 191 163.7 | 500 479 338.9 | 1000 950 533.7
rcv1 reduced
5 5 4.9 | 10 10 9.7 | 20 20 19.2 | 50 50 46.6 | 100 95 89.0 | 200 191 165.4 | 500 483 344.0 | 1000 946 538.2
"""

_TABLE2 = """
reuters21578 full
5 0.416 0.235 12.1 0.1 0.704 0.529 13.2 0.2 69.47 124.70 9.09 100.0
10 0.483 0.271 24.2 0.1 0.759 0.556 26.4 0.3 57.07 105.52 9.09 183.3
20 0.611 0.325 48.4 0.1 0.795 0.586 52.8 0.5 30.07 80.44 9.09 266.6
50 0.723 0.392 96.8 0.2 0.822 0.589 105.7 1.1 13.79 50.44 9.19 324.0
100 0.776 0.454 193.6 0.4 0.837 0.608 211.3 1.7 7.91 34.06 9.14 326.8
200 0.798 0.461 387.1 0.8 0.843 0.600 422.7 3.1 5.68 30.16 9.20 297.4
500 0.811 0.485 774.2 2.0 0.848 0.604 845.3 6.3 4.51 24.62 9.18 216.1
1000 0.811 0.482 1548.4 3.7 0.846 0.603 1690.6 9.2 4.34 25.06 9.18 150.1
10000 0.810 0.497 15483.9 10.0 0.844 0.602 16906.2 20.6 4.20 21.13 9.18 106.0
rcv1 full
5 0.361 0.037 34.5 21.8 0.519 0.306 37.3 54.0 43.89 720.57 8.12 147.9
10 0.406 0.070 69.1 25.5 0.588 0.367 74.7 91.8 44.80 421.88 8.10 260.7
20 0.479 0.131 138.1 32.7 0.646 0.418 149.4 148.5 34.96 218.09 8.18 354.7
50 0.587 0.239 276.2 54.6 0.700 0.455 298.7 286.2 19.24 90.63 8.15 423.8
100 0.650 0.333 552.4 87.5 0.726 0.474 597.5 472.5 11.75 42.33 8.16 439.8
200 0.701 0.396 1104.8 161.5 0.745 0.487 1194.9 837.0 6.20 23.00 8.16 418.3
500 0.735 0.435 2209.7 516.1 0.761 0.495 2389.9 1698.3 3.58 13.74 8.15 229.1
1000 0.745 0.442 4419.3 1014.4 0.768 0.496 4779.7 2478.6 2.99 12.21 8.16 144.4
10000 0.754 0.459 44192.3 2831.4 0.765 0.485 47796.2 5772.4 1.46 5.66 8.16 103.9
reuters21578 reduced
5 0.416 0.235 9.3 0.1 0.704 0.515 10.2 0.2 69.23 119.15 9.68 133.3
10 0.483 0.271 18.5 0.1 0.760 0.560 20.4 0.3 57.35 106.64 10.27 200.0
20 0.611 0.325 37.1 0.1 0.794 0.567 40.7 0.5 29.95 74.46 9.70 307.7
50 0.723 0.392 74.1 0.2 0.826 0.596 81.4 1.0 14.25 52.04 9.85 325.0
100 0.773 0.457 148.3 0.4 0.839 0.614 162.9 1.7 8.54 34.35 9.84 315.0
200 0.790 0.474 296.5 0.7 0.845 0.623 325.8 2.9 6.96 31.43 9.88 288.0
500 0.811 0.485 593.0 1.9 0.846 0.617 651.5 5.8 4.32 27.22 9.87 202.1
1000 0.806 0.484 1186.0 3.2 0.839 0.619 1303.0 8.2 4.09 27.89 9.87 153.2
rcv1 reduced
5 0.361 0.037 28.2 21.1 0.519 0.307 30.5 49.6 43.77 729.73 8.16 135.6
10 0.406 0.070 56.4 24.4 0.587 0.365 61.0 78.0 44.58 421.43 8.16 219.3
20 0.479 0.131 112.7 31.2 0.646 0.416 122.1 125.6 34.86 217.56 8.34 302.1
50 0.587 0.239 225.4 54.6 0.701 0.458 244.2 247.4 19.42 91.63 8.34 352.8
100 0.650 0.333 450.9 84.6 0.727 0.478 488.4 442.3 11.85 43.54 8.32 422.7
200 0.701 0.396 901.8 154.4 0.744 0.493 976.8 896.9 6.13 24.49 8.32 481.0
500 0.734 0.431 1803.5 495.9 0.760 0.503 1953.5 2133.1 3.54 16.71 8.32 330.2
1000 0.747 0.445 3607.0 974.7 0.764 0.505 3907.0 3500.6 2.28 13.48 8.32 259.2
"""
"""Each row: the rounds, FIGURES of AdaBoost.MH, those of MP-Boost, and by how many percent the latter are more."""


def printed_table1() -> dict[str, Printed]:
    """Return the distinct pivots by collection; for MP-Boost the mean over categories.

    >>> printed_table1()["rcv1"]["distinct pivots"]["full"]["mpboost"]["1000"]
    533.7
    """
    found: dict[str, Printed] = {}
    for collection, terms, line in _lines(_TABLE1):
        for row in line.split("|"):
            step, *values = row.split()
            for algorithm, value in zip(ALGORITHMS, values, strict=True):
                columns = found.setdefault(collection, {}).setdefault(PIVOTS, {}).setdefault(terms, {})
                columns.setdefault(algorithm, {})[step] = float(value)
    return found


def printed_table2() -> dict[str, Printed]:
    """Return all figures by collection.

    >>> {name: one["full"]["more %"]["5"] for name, one in printed_table2()["reuters21578"].items()}
    {'micro_f1': 69.47, 'macro_f1': 124.7, 'training seconds': 9.09, 'classification seconds': 100.0}
    """
    found: dict[str, Printed] = {}
    for collection, terms, line in _lines(_TABLE2):
        step, *values = line.split()
        for k, column in enumerate((*ALGORITHMS, RELATIVE)):
            for figure, value in zip(FIGURES, values[4 * k : 4 * k + 4], strict=True):
                columns = found.setdefault(collection, {}).setdefault(figure, {}).setdefault(terms, {})
                columns.setdefault(column, {})[step] = float(value)
    return found


def _lines(table: str) -> Iterator[tuple[str, str, str]]:
    collection = terms = ""
    for line in table.strip().splitlines():
        if line[0].isalpha():
            collection, terms = line.split()
        else:
            yield collection, terms, line
