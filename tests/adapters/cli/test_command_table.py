"""Commands are found by their files, and those of other packages by an entry point.

A command and its action are tested together, in ``commands/``; `learners`, `formats`, `losses` and `report`, which have
no file there, in test_main.py and in the tests of what they show.
"""

import dataclasses
import inspect
import subprocess
import sys
from importlib.metadata import EntryPoint
from pkgutil import resolve_name

import pytest

from telex.adapters.cli import command_table, commands
from telex.adapters.cli.main import main

OF_OTHERS = {
    "consume": ("epochs", "paths", "order"),
    "feed": ("epochs", "test_after", "resume", "explain"),
    "watch": ("epochs", "test_after", "resume", "explain", "paths"),
}
"""Fields of the options of a command that it has from others, and that none of its arguments sets."""
OURS = [
    "demo",
    "look",
    "replay",
    "feed",
    "sweep",
    "watch",
    "consume",
    "publish",
    "convert",
    "predict",
    "serve",
    "compare",
    "crossval",
    "report",
    "reproduce",
    "inspect",
    "learners",
    "formats",
    "losses",
    "completion",
]
COUNT = '''
"""``telex count``: a command in one file."""

from dataclasses import dataclass

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options


@dataclass(frozen=True, kw_only=True)
class CountOptions(Options):
    """The options of ``telex count``."""

    words: tuple[str, ...] = ()
    from_: int = 0


def arguments(parser):
    parser.add_argument("words", nargs="*", metavar="WORD", help="what to count")
    parser.add_argument("--from", type=int, metavar="N", help="where to begin (0)")


def run(options):
    print(options.from_ + len(options.words), sorted(options.given_names), *options.command_line)
    return 7


LISTED = (1000, "count words")
COMMAND = Command(
    name="count",
    help=LISTED[1],
    description="Count words.",
    epilog="example:\\n  telex count a b --from 3",
    options=CountOptions,
    arguments=arguments,
    run=run,
)
'''


@pytest.fixture(autouse=True)
def anew():
    """Look for commands again, before and after."""
    command_table.commands.cache_clear()
    yield
    command_table.commands.cache_clear()
    sys.modules.pop("telex.adapters.cli.commands.count", None)


@pytest.fixture
def count(tmp_path, monkeypatch):
    """A command that is one file of the folder."""
    (tmp_path / "count.py").write_text(COUNT)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])


def test_all_are_found_in_their_order():
    assert list(command_table.commands()) == OURS


def test_one_that_is_named_is_imported_alone():
    code = "import sys; from telex.adapters.cli.main import main; main(['losses', '--json']); "
    code += "print(*(name for name in sys.modules if name.startswith('telex.adapters.cli.commands.')), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["telex.adapters.cli.commands.losses"]
    assert list(command_table.commands_for(["--zzz", "losses"])) == ["losses"]
    assert list(command_table.commands_for(["loses"])) == OURS


def test_one_more_is_one_file(count, capsys):
    assert list(command_table.commands()) == [*OURS, "count"]
    assert main(["count", "a", "b", "--from", "3"]) == 7
    assert capsys.readouterr().out == "5 ['from', 'words'] count a b --from 3\n"
    assert main(["--help"]) == 0
    assert "\n    count       count words\n" in capsys.readouterr().out


def test_one_of_another_package(count, monkeypatch, capsys):
    command_table.commands()
    value = "telex.adapters.cli.commands.count:COMMAND"
    entries = [EntryPoint("count", value, "telex.commands"), EntryPoint("gone", "no_such:COMMAND", "telex.commands")]
    monkeypatch.setattr(commands, "__path__", commands.__path__[:-1])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries if group == "telex.commands" else [])
    command_table.commands.cache_clear()
    assert main(["count"]) == 7
    out, err = capsys.readouterr()
    assert out.startswith("0 ")
    assert err == "telex: the command gone (no_such:COMMAND) cannot be loaded: No module named 'no_such'\n"


def test_help_lists_what_the_commands_are(capsys):
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    listed = " ".join(f"{name} {command.help}" for name, command in command_table.commands().items())
    assert listed in shown


def test_help_imports_no_command():
    code = "import sys; from telex.adapters.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print(*(name for name in sys.modules if name.startswith('telex.adapters.cli.commands.')), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_help_lists_the_commands_of_an_installed_package(tmp_path, monkeypatch, capsys):
    (tmp_path / "counting.py").write_text(COUNT)
    (tmp_path / "counting-1.dist-info").mkdir()
    (tmp_path / "counting-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1\n")
    (tmp_path / "counting-1.dist-info" / "entry_points.txt").write_text("[telex.commands]\ncount = counting:COMMAND\n")
    (tmp_path / "broken.dist-info" / "entry_points.txt").mkdir(parents=True)  # cannot be read
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "gone"))
    assert main(["--help"]) == 0
    assert "\n    count       count words\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", OURS)
def test_each_argument_has_a_field(name):
    command = command_table.commands()[name]
    fields = {field.name.rstrip("_") for field in dataclasses.fields(command.options)}
    parser = command_table.make_parser().commands[name]
    assert {action.dest for action in parser._actions} - {"help"} <= fields
    hidden = {"command_line", "given_names", "config", "json", *parser.tables}
    own = fields - {action.dest for action in parser._actions} - hidden
    assert own <= set(OF_OTHERS.get(name, ()))


@pytest.mark.parametrize("name", OURS)
def test_options_cannot_be_changed(name):
    options = command_table.commands()[name].options()
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.json = True


@pytest.mark.parametrize("name", OURS)
def test_what_a_command_runs_takes_its_options(name):
    command = command_table.commands()[name]
    run = resolve_name(command.run) if isinstance(command.run, str) else command.run
    signature = inspect.signature(run)
    options = next(iter(signature.parameters.values()))
    assert (options.annotation, signature.return_annotation) == (command.options.__name__, "int")


def test_help_imports_no_command_s_work():
    code = "import sys; from telex.adapters.cli.command_table import make_parser; make_parser().format_help(); "
    code += "print(*(name for name in sys.modules if name.startswith('telex.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = ("telex.stream", "telex.adapters.formats", "telex.adapters.cli.actions", "telex.adapters.cli.run_command")
    assert not [name for name in done.stdout.split() if name.startswith(heavy)]
