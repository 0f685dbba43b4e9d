import gzip
import inspect
import io
import os
import subprocess
import sys
import threading
import zlib
from importlib.metadata import EntryPoint

import pytest

from telex.adapters.formats import find_format, format_names, known_formats, look_at, open_archive, open_source
from telex.learners.base import UnclearInputError, UsageError
from telex.stream.sources import DeadLetter


@pytest.mark.parametrize("name", format_names())
def test_every_format_says_what_it_is(name):
    found = find_format(name)
    assert "\n" not in found.summary
    parameters = list(inspect.signature(found).parameters)
    assert parameters[0] == "paths"
    assert set(parameters[1:]) == set(found.options)
    assert {"order", "rows", "passes"} <= set(found.options)
    others = list(inspect.signature(found).parameters.values())[1:]
    assert {parameter.kind for parameter in others} == {inspect.Parameter.KEYWORD_ONLY}
    assert isinstance(found.recognises(b"", "x"), bool)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"7  1:0.5\n", "LyrlVectors"),
        (b"A,B 1:0.5\n", "SvmLight"),
        (b'{"id": 1, "features": {}}\n', "JsonLines"),
        (gzip.compress(b"A,B 1:0.5\n", mtime=0), "SvmLight"),
    ],
)
def test_found_by_content(file, data, expected):
    assert type(open_archive([file(data, "file")])).__name__ == expected


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_what_is_in_utf_16_is_distinguished_from_what_is_unknown(file, encoding):
    archive = open_archive(file("\ufeffid\ttext\tlabel\r\n1\tgöld\tx\r\n".encode(encoding)))
    [stories] = archive
    assert (list(stories.texts), archive.detected["encoding"]) == (["göld"], "utf-16")
    with pytest.raises(UsageError, match="is not recognised; name it with --format"):
        open_archive(file("\ufeffwhat is this".encode(encoding)))
    with pytest.raises(UsageError, match="encoding=old: give an encoding of text, such as cp1252"):
        open_archive(file(b"id,text,label\n"), "csv", encoding="old")


def test_the_first_file_that_holds_something_decides(file):
    source = open_source([file(b"", "a"), file(b"A,B 1:1\n", "b")])
    letter, batch = source
    assert (letter.reason, len(batch)) == ("the file is empty", 1)


def test_an_empty_file_alone_is_one_dead_letter(file):
    path = file(b"", "a")
    assert list(open_source(path)) == [DeadLetter(b"", str(path), 1, 0, "read", "the file is empty")]


def test_standard_input_is_found_by_content_and_streams(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A,B 1:1\n")))
    [batch] = open_source("-")
    assert batch.labels_of(0) == ["A", "B"]


def test_options_go_to_the_format(file):
    path = file(b"A 0:1\n")
    [batch] = open_source(path, "svmlight", zero_based="true")
    assert len(batch) == 1


@pytest.mark.parametrize(
    ("format_", "options", "said"),
    [
        ("svmligth", {}, "there is no format 'svmligth'; did you mean svmlight?"),
        ("?", {}, f"there is no format '?'; there are {', '.join(format_names())}"),
        ("svmlight", {"zerobased": 1}, "format svmlight has no option 'zerobased'; did you mean zero_based?"),
        ("svmlight", {"x": 1}, "format svmlight has no option 'x'; it has zero_based, order, rows, passes"),
        (None, {}, f"is not recognised; name it with --format, one of {', '.join(format_names())}"),
    ],
)
def test_wrong_use_is_one_sentence_with_the_next_thing_to_try(file, format_, options, said):
    path = file(b"what is this?\n")
    with pytest.raises(UsageError) as caught:
        open_source(path, format_, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_formats_are_asked_in_this_order():
    """By content, the more specific format comes first; names are listed in the same order."""
    assert format_names()[:16] == [
        "telex",
        "lyrl-vectors",
        "lyrl-tokens",
        "newsml",
        "reuters21578",
        "newsgroups",
        "rss",
        "svmlight",
        "json",
        "jsonl",
        "arff",
        "parquet",
        "xlsx",
        "csv",
        "tsv",
        "synthetic",
    ]


def test_a_list_of_names_imports_no_format():
    code = "from telex.adapters.formats import format_names; format_names(); "
    code += "import sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_format_of_another_package_is_found(file, monkeypatch):
    ours = format_names()
    entry = EntryPoint("morse", "telex.adapters.formats.svmlight:SvmLight", "telex.formats")
    monkeypatch.setattr(
        known_formats, "entry_points", lambda **given: [entry] if given.get("name") in {None, "morse"} else []
    )
    assert format_names() == [*ours, "morse"]
    assert type(open_archive(file(b"A 1:1\n"), "morse")).__name__ == "SvmLight"


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("svmlight", [b"A 1:1\n", b"B 1:1\nC 1", b":1\n"]),
        ("lyrl-vectors", [b"1\n", b"2 1:1\n3 1", b":1\n"]),
        ("jsonl", [b'{"id": 1, "features": {}}\n', b'{"id": 2, "features": {}}\n{"id": 3, ', b'"features": {}}\n']),
    ],
)
def test_what_comes_out_of_a_pipe_does_not_wait_for_more(tmp_path, name, lines, compress):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = [threading.Event() for _ in lines]
    squeeze = zlib.compressobj(wbits=31)

    def write():
        with path.open("wb", buffering=0) as pipe:
            for line, event in zip(lines, read, strict=True):
                pipe.write(squeeze.compress(line) + squeeze.flush(zlib.Z_SYNC_FLUSH) if compress else line)
                event.wait(5)
            pipe.write(squeeze.flush() if compress else b"")

    writer = threading.Thread(target=write)
    writer.start()
    documents = 0
    for event, batch in zip(read, open_source(path, name, order="file"), strict=True):
        documents += len(batch)
        assert documents == read.index(event) + 1
        event.set()
    writer.join()


def test_each_file_is_read_in_its_own_encoding(file):
    contents = [
        "text,labels\nCafé Müller,kültür\nTea,b\nÖl fällt,kültür\n".replace(",kültür", f"{n},kültür") for n in "12"
    ]
    paths = [
        file(b"text,labels\nGold,b\n", "0.csv"),
        file(contents[0].encode("cp1252"), "1.csv"),
        file(contents[1].encode(), "2.csv"),
        file(contents[1].replace("2,k", "3,k").encode("utf-16"), "3.csv"),
    ]
    archive = open_archive(paths, labels="labels", separator="none")
    texts = [text for stories in archive for text in stories.texts]
    assert archive.detected["encoding"] == "each"
    assert texts[1::3] == ["Café Müller1", "Café Müller2", "Café Müller3"]
    again = open_archive(paths, "csv", guess=False, encoding="each", labels="labels")  # as a run that resumes
    assert [text for stories in again for text in stories.texts] == texts


def test_a_file_in_ascii_is_read_as_the_others(file):
    first, second = (
        file(b"text,labels\nGold,b\n", "1.csv"),
        file(b"text,labels\nCaf\xe9,b\n\xd6l f\xe4llt,b\n", "2.csv"),
    )
    for paths in ([first, second], [second, first]):
        archive = open_archive(paths)
        assert archive.detected["encoding"] == "cp1252"
        assert {text for stories in archive for text in stories.texts} == {"Gold", "Café", "Öl fällt"}


PIPES, SEMICOLONS = b"a|b\nb\na|c\nc\n", b"a;b\nb\na;c\nc\n"


@pytest.mark.parametrize(
    ("first", "second", "settings"),
    [
        (
            b"x," + PIPES.replace(b"\n", b"\nx,", 3),
            b"x," + SEMICOLONS.replace(b"\n", b"\nx,", 3),
            ["separator=pipe", "separator=semicolon"],
        ),
        (
            b"x," + SEMICOLONS.replace(b"\n", b"\nx,", 3),
            b"x," + PIPES.replace(b"\n", b"\nx,", 3),
            ["separator=semicolon", "separator=pipe"],
        ),
    ],
)
def test_files_that_separate_labels_otherwise_are_asked_about(file, first, second, settings):
    paths = [file(b"text,labels\n" + one, f"{n}.csv") for n, one in enumerate((first, second))]
    with pytest.raises(UnclearInputError, match=r"0\.csv: the labels of .*1\.csv are written otherwise") as raised:
        open_archive(paths)
    assert [one.partition(":")[2].split(",")[-1] for one in raised.value.formats] == settings
    assert look_at(paths)[0].questions
    assert len(list(open_archive(paths, separator="pipe"))) == 1


def test_files_that_write_times_otherwise_are_asked_about(file):
    def written(*times):
        return b"time,text,labels\n" + "".join(f"{time},x {time},a\n" for time in times).encode()

    first = file(written("25/12/2020", "01/02/2021"), "1.csv")
    with pytest.raises(UnclearInputError, match=r"time_format=mdy, not dmy.*time_format=dmy or .*time_format=mdy"):
        open_archive([first, file(written("12/26/2020"), "2.csv")])
    with pytest.raises(UnclearInputError, match=r"3\.csv are written otherwise \(time_format=iso, not dmy\)"):
        open_archive([first, file(written("2020-12-26"), "3.csv")])
    assert open_archive([first, file(written("03/04/2021"), "4.csv")]).detected["time_format"] == "dmy"
    may = file(written("01 May 2020"), "5.csv")
    assert open_archive([may, file(written("02 May 2020"), "6.csv")]).detected["time_format"] == "%d %B %Y"


def test_files_that_only_lack_a_separator_are_no_question(file):
    paths = [file(b"text,labels\nx,a|b\ny,b\nz,a|c\n", "1.csv"), file(b"text,labels\nv,a\nw,b\n", "2.csv")]
    assert open_archive(paths).detected["separator"] == "pipe"
    with pytest.raises(UnclearInputError, match="separator=pipe, not semicolon"):
        open_archive(paths[::-1])
