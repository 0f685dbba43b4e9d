"""Compares the learners of a run, pair by pair."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.compare_collections import compare_collections
from telex.adapters.report import shown_by
from telex.adapters.terminal import COMPARISON_NOTE, comparison_table, comparison_text, console
from telex.learners.base import UsageError, without_nan
from telex.learners.losses import MEASURES
from telex.stream.run_folder import comparisons

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.cli.commands.compare import CompareOptions
    from telex.stream.run_folder import Pair, PartName


def compare(options: CompareOptions) -> int:
    """Compare, print the results, and return the exit code."""
    if options.collections:
        if options.folder is not None:
            raise UsageError("--collections has all folders; leave out the one before it")
        return compare_collections(options)
    if options.folder is None:
        raise UsageError("name the folder of a run; try `telex compare --help`")
    alpha = options.alpha
    headline = shown_by(options.folder).headline
    losses = options.loss or ("iserr" if headline is None or headline in MEASURES else headline,)
    found = comparisons(options.folder, losses, learners=options.learners, alpha=alpha)
    if options.json:
        print(json.dumps({"alpha": alpha, **_plain(found)}))
    else:
        _show(found, alpha)
    return 0


def _plain(found: Mapping[PartName, Sequence[Pair]]) -> dict[str, Any]:
    """Return pairs as plain data for JSON: null for NaN."""
    return {part: [without_nan(asdict(pair)) for pair in pairs] for part, pairs in found.items()}


def _show(found: Mapping[PartName, Sequence[Pair]], alpha: float) -> None:
    for part, pairs in found.items():
        for loss, some in groupby(pairs, lambda pair: pair.loss):
            of_loss = list(some)
            title = f"{loss}, {max(pair.n for pair in of_loss):,} documents{', test' if part == 'test' else ''}"
            if sys.stdout.isatty():
                terminal = console(sys.stdout)
                terminal.print(comparison_table(title, of_loss, terminal.width))
            else:
                print(f"{title}\n{comparison_text(of_loss)}")
            print()
    print(COMPARISON_NOTE.format(share=100 - 100 * alpha))
