"""Converts an archive into a file of arrays."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from telex.adapters.cli.clear_commands import print_remarks
from telex.adapters.cli.options import records_to_skip
from telex.adapters.cli.outputs import document_paths, refuse_inputs
from telex.adapters.formats import USUAL_TREE, open_archive, tree_of, tree_path
from telex.adapters.formats.converted import ENDING, ConvertedFile, SoundDocuments
from telex.adapters.formats.reading import reads_once
from telex.adapters.publish import Publishing
from telex.learners.base import UsageError
from telex.stream.sources import text_settings

if TYPE_CHECKING:
    from telex.adapters.cli.commands.convert import ConvertOptions


def convert(options: ConvertOptions) -> int:
    """Convert the documents, and return the exit code."""
    *paths, out = _paths(options)
    name, settings = options.format_settings()
    text = text_settings(options.text)
    skipped = records_to_skip(options.skip_records)
    archive = open_archive(paths, name, budget=options.budget or "", skip_records=skipped, **settings)
    print_remarks(archive)
    tree = tree_of(options.tree or USUAL_TREE, archive.tree)
    read = [
        *document_paths(replace(options, paths=tuple(paths)), archive.files),
        options.config,
        tree_path(options.tree),
    ]
    refuse_inputs(out, read)
    documents = SoundDocuments(archive)
    with ConvertedFile(
        out, documents, text=text, scaling=options.features, tree=tree, overwrite=options.overwrite
    ) as file:
        publishing = Publishing(documents, file, limit=options.limit, strict=options.strict)
        publishing.run()
    print(publishing.last_words(), file=sys.stderr)
    if options.json:
        print(json.dumps(publishing.summary()))
    return 0


def _paths(options: ConvertOptions) -> tuple[str, ...]:
    """Return the paths, after a look at the last."""
    if len(options.paths) < 2:
        raise UsageError("name the documents, and behind them the file to write; try `telex convert --help`")
    out = options.paths[-1]
    if not out.endswith(ENDING):
        raise UsageError(f"the last path is the file to write, and {out} does not end in {ENDING}; name it so")
    if os.path.exists(out) and reads_once(out):
        raise UsageError(f"{out} is no file, and a converted file is mapped from a disk; name a file")
    return options.paths
