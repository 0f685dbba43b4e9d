"""A file of options means what the same options mean on the command line."""

import pytest

from telex.adapters.cli.command_table import make_parser
from telex.adapters.cli.config_file import from_file
from telex.learners.base import UsageError


@pytest.fixture
def read(tmp_path):
    def read(text, command="replay"):
        path = tmp_path / "run.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return from_file(str(path), make_parser().commands[command])

    return read


def test_values_are_those_of_the_command_line(read):
    text = 'paths = ["a", "b"]\nlearner = "mmp"\nlimit = 7\nno-baselines = true\nlabels_after = "2h"\nloss = "x"\n'
    given = ["replay", "a", "b", "--learner", "mmp", "--limit", "7", "--no-baselines", "--labels-after", "2h"]
    known = vars(make_parser().parse_args(given))
    assert read(text.replace('loss = "x"\n', "")) == {name: value for name, value in known.items() if name != "command"}
    with pytest.raises(UsageError, match="there is no option 'loss'"):
        read(text)


def test_a_section_is_given_as_a_table_where_the_command_has_one(read):
    text = '[kafka]\nsecurity_protocol = "SSL"\n'
    assert read(text, "consume") == {"kafka": {"security_protocol": "SSL"}}
    with pytest.raises(UsageError, match="there is no option 'kafka'"):
        read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limit = 0", "--limit must be at least 1, not 0; mend the file"),
        ("limit = 'x'", "--limit must be a whole number, not 'x'; mend the file"),
        ("no_baselines = 1", "no_baselines must be true or false, not 1; mend the file"),
        ("duplicates = 'drop'", "--duplicates cannot be 'drop'; choose one of keep, skip; mend the file"),
        ("limi = 3", "there is no option 'limi'.*limit"),
        ("limit = ", "mend the TOML"),
        (b"\xff", "mend the TOML"),
        ('paths = "a\\u0000b"', "paths holds a zero byte, which no option can have; mend the file"),
        ('paths = ["a\\u0000b"]', "paths holds a zero byte, which no option can have; mend the file"),
        pytest.param("limit = " + "[" * 60_000, "it nests too deeply; mend the TOML", id="brackets"),
        pytest.param(".".join("a" * 2_000) + " = 1", "it nests too deeply; mend the TOML", id="dots"),
        pytest.param("#" * 10**6, "it has more than 65,536 bytes; mend the TOML", id="large"),
    ],
)
def test_mistakes_are_sentences(read, text, said):
    with pytest.raises(UsageError, match=said):
        read(text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file or directory; name a TOML file"):
        from_file(str(tmp_path / "none.toml"), make_parser().commands["replay"])
