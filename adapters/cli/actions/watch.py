"""Learns files as they arrive in a folder, from the options to the exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.fed_run import check_outputs, format_of_files, learn, run_options, say
from telex.adapters.cli.actions.feed import intake_of
from telex.adapters.formats import format_of
from telex.adapters.intake import NothingNew, WatchedFolder, is_in_lines, new_content
from telex.learners._core import give_back
from telex.learners.base import BrokenRecordError, UsageError, seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.cli.commands.watch import WatchOptions
    from telex.adapters.intake import Intake


def watch(options: WatchOptions) -> int:
    """Learn the files until a signal, or until nothing comes any more, and return the exit code."""
    give_back()
    if not options.folder:
        raise UsageError("name the folder of a run, and one in which files arrive; try `telex watch --help`")
    folder = os.path.abspath(options.folder)
    if not os.path.isdir(folder):
        raise UsageError(f"there is no folder {options.folder}; make it, or check the path")
    run, resumes = run_options(options)
    check_outputs(run, [folder])
    how = format_of_files(options, run, resumes=resumes)
    settle = 0.0 if options.settle in {"0", "0s"} else seconds("settle", options.settle)
    idle = None if options.until_idle is None else seconds("until-idle", options.until_idle)

    def grows(path: str) -> bool:
        try:
            return options.follow and is_in_lines(path, how[0] or format_of(path))
        except (UsageError, BrokenRecordError, OSError):  # take says so once the file has settled
            return False

    sums: dict[str, Any] = {}

    def more(intake: Intake, tell: Callable[[str], None]) -> WatchedFolder:
        def take(paths: list[str]) -> bool:
            known = len(intake.files)
            for path in paths:
                try:
                    found = new_content(path, intake, *how, unended=options.follow, known=sums)
                except (UsageError, BrokenRecordError, OSError) as error:
                    reason = error.strerror if isinstance(error, OSError) else error
                    tell(f"{path} is left out: {reason}")
                    continue
                if not isinstance(found, NothingNew):
                    intake.append([found])
                elif found.reason:
                    tell(f"{found.reason}; it is left out")
            return len(intake.files) > known

        return WatchedFolder(folder, take, settle=settle, grows=grows, until_idle=idle)

    with intake_of(str(run.run), resumes=resumes) as intake:
        watched = more(intake, say)
        if not resumes and not intake.files and not watched.look():
            say(f"waiting for a file in {options.folder}")
        while not resumes and not intake.files:  # the first file tells what the run reads
            if watched() is None:
                say(f"nothing came in {options.folder}, so no run began")
                return 0
    following = ["--follow"] if options.follow else []
    return learn(run, again=["watch", str(options.run), options.folder, *following], more=more)
