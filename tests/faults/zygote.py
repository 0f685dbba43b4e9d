"""Starts command lines of telex, one after the other, in processes that need not load anything first.

Each line of standard input is a JSON object with argv, stdout, stderr, piece (how many documents a source gives out at
a time) and, where something is to fail, fault (the arguments of faults_arm). Answered are a line with the process's id
and, when it has ended, one with its exit code.
"""

import ctypes
import faulthandler
import importlib
import json
import os
import signal
import sys
import traceback

LOADED = ("adapters.cli.main", "adapters.cli.command_table", "adapters.cli.actions.watch", "adapters.cli.signals",
          "adapters.formats.jsonl.answers", "adapters.formats.jsonl.jsonl", "adapters.formats.svmlight",
          "adapters.terminal.sink", "stream.run.run", "stream.run.run_state", "stream.run_folder.predictions_jsonl",
          "stream.run_folder.run_folder", "stream.sources.stages.duplicate_ids", "stream.sources.archive_source",
          "learners.registry", "stream.refit.refit", "stream.refit.sliding_boosting")  # fmt: skip


def main():
    for name in LOADED:
        importlib.import_module(f"telex.{name}")
    importlib.import_module("scipy.special")  # which a run loads where one learner may be better than another
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # what comes before a command line begins, or after its end, kills
    print("ready", flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        load_what_is_named(task["argv"])
        pid = os.fork()
        if not pid:
            child(task)
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def load_what_is_named(argv):
    """Load the libraries of the learners and detectors that a command line names."""
    for family in ("river", "sklearn"):
        if any(f"{family}:" in argument for argument in argv):
            importlib.import_module(f"telex.adapters.{family}.family")._classes()
    if "--drift" in argv:
        importlib.import_module("telex.stream.monitor.drift").drift_settings()


def child(task):
    """Be the command line, and end with it."""
    code = 70
    try:
        for number, path, flags in (
            (0, os.devnull, os.O_RDONLY),
            (1, task["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            (2, task["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            opened = os.open(path, flags, 0o666)
            os.dup2(opened, number)
            os.close(opened)
        faulthandler.register(signal.SIGUSR1, file=2)  # where it hangs, if it does not end
        # So that small streams have many places at which a checkpoint can be.
        sys.modules["telex.stream.sources.stages.limit"].PIECE = task["piece"]
        if task.get("fault"):
            arm = ctypes.CDLL(None).faults_arm
            arm.argtypes = [
                ctypes.c_char_p,
                ctypes.c_char_p,
                ctypes.c_long,
                ctypes.c_int,
                ctypes.c_int,
                ctypes.c_char_p,
            ]
            arm(*(part.encode() if isinstance(part, str) else part for part in task["fault"]))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = sys.modules["telex.adapters.cli.main"].main(task["argv"])
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    except SystemExit as error:
        code = error.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for thread in threads():
            thread.join()
        os._exit(code)


def threads():
    """Return the threads that the interpreter would wait for at its end."""
    threading = sys.modules["threading"]
    return [one for one in threading.enumerate() if not one.daemon and one is not threading.current_thread()]


if __name__ == "__main__":
    main()
