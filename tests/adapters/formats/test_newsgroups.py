import io
import math
import tarfile

import pytest

from telex.adapters.formats import open_archive
from telex.adapters.formats.newsgroups import Newsgroups
from telex.learners.base import UsageError
from telex.stream.sources import Story

POST = (
    b"Xref: cantaloupe alt.atheism:51060 sci.med:1\n"
    b"From: caf\xe9@x.org (M)\n"
    b"Newsgroups: sci.med, alt.atheism,\n\tsci.med ,talk.x,\n"
    b"Subject: Re: The\n  question\n"
    b"Message-ID: <19930316@x.org>\n"
    b"Date: Tue, 6 Apr 1993 12:00:00 -0400\n"
    b"\n"
    b"caf\xe9\n\n> quoted: yes\n"
)
NOON = 734112000.0  # 6 Apr 1993 16:00 UTC


def post(groups="a.b", date="6 Apr 93 16:00:00 GMT", name="<1@x>"):
    return f"Newsgroups: {groups}\nSubject: s\nMessage-ID: {name}\nDate: {date}\n\nbody\n".encode()


def tar(path, members):
    with tarfile.open(path, "w:xz") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def test_a_post(told, file):
    path = file(POST, "51060")
    expected = Story(
        str(path), "caf\xe9\n\n> quoted: yes\n", "Re: The question", NOON, ["sci.med", "alt.atheism", "talk.x"]
    )
    assert told(Newsgroups(path)) == [expected]
    crlf = file(POST.replace(b"\n", b"\r\n"), "51060")
    assert told(Newsgroups(crlf)) == [expected]


def test_the_id_is_the_path_inside_or_the_message_id(told, tmp_path):
    members = [("20_newsgroup/sci.med/1", POST), ("20_newsgroup/alt.atheism/1", POST)]
    archive = tar(tmp_path / "news.tar.xz", members)
    assert [story.id for story in told(open_archive(archive))] == [name for name, _ in members]
    assert [story.id for story in told(open_archive(archive, id="message-id"))] == ["<19930316@x.org>"] * 2
    for name, data in members:
        (tmp_path / "posts" / name).parent.mkdir(parents=True)
        (tmp_path / "posts" / name).write_bytes(data)
    ids = sorted(name for name, _ in members)
    assert [story.id for story in told(open_archive(tmp_path / "posts"))] == ids
    assert [story.id for story in told(open_archive(f"{tmp_path}/posts/"))] == ids
    assert [story.id for story in told(open_archive(f"{tmp_path}/posts", order="id"))] == ids
    one = tmp_path / "posts" / members[0][0]
    assert [story.id for story in told(open_archive([one]))] == [str(one)]


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("6 Apr 93 16:00:00 GMT", NOON),
        ("Tue, 6 Apr 1993 16:00:00", NOON),
        ("Tue, 6 Apr 1993 16:00 -0000", NOON),
        ("6 Apr 93 16:00:00 +3000", None),
        ("soon", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_dates(told, file, date, time):
    [story] = told(Newsgroups(file(post(date=date))))
    assert story.time == time if time else math.isnan(story.time)


def test_they_come_in_the_order_of_time_and_those_without_one_stay_behind_their_neighbours(told, tmp_path):
    days = {"1": 7, "2": 99, "3": 6, "4": 5}
    archive = tar(tmp_path / "t", [(name, post(date=f"{day} Apr 93 16:00:00 GMT")) for name, day in days.items()])
    assert [story.id for story in told(Newsgroups(archive))] == ["4", "3", "1", "2"]


def test_which_documents_are_labelled(told, file):
    assert told(Newsgroups(file(post(" , a.b,,a.b"))))[0].labels == ["a.b"]
    assert told(Newsgroups(file(post(""))))[0].labels is None
    assert told(Newsgroups(file(b"Subject: none\n\nx")))[0].labels is None


def test_what_is_no_post_is_a_dead_letter(told, tmp_path):
    members = [
        ("README", b"These are posts.\n\nFrom: x\n"),
        ("1", post()),
        ("2", b""),
        ("3", b"\n\nbody"),
        ("4", post()),
    ]
    found = told(Newsgroups(tar(tmp_path / "t", members), order="file"))
    assert [item.id if isinstance(item, Story) else item.stage for item in found] == [
        "decode",
        "1",
        "read",
        "decode",
        "4",
    ]
    assert "this is not a post" in found[0].reason
    assert found[0].path.endswith("/t/README")
    [letter] = told(Newsgroups(tar(tmp_path / "t", [("1", b"Subject: x\n\n")]), id="message-id"))
    assert letter.reason == "the post has no Message-ID"


def test_an_archive_that_breaks_off_is_a_dead_letter_behind_what_was_whole(told, tmp_path):
    path = tmp_path / "t.tar"
    with tarfile.open(path, "w") as archive:
        for name in "12":
            info = tarfile.TarInfo(name)
            info.size = len(post())
            archive.addfile(info, io.BytesIO(post()))
    path.write_bytes(path.read_bytes()[:1600])
    story, letter = told(Newsgroups(path))
    assert (story.id, letter.stage, letter.path) == ("1", "read", str(path))


def test_names_that_are_no_utf8(told, tmp_path):
    archive = tmp_path / "t"
    with tarfile.open(archive, "w", format=tarfile.GNU_FORMAT, encoding="latin-1") as out:
        info = tarfile.TarInfo("caf\xe9")
        info.size = len(post())
        out.addfile(info, io.BytesIO(post()))
    [story] = told(Newsgroups(archive))
    assert story.id.encode() == b"caf\\xe9"


def test_what_is_recognised():
    assert Newsgroups.recognises(POST, "x")
    assert not Newsgroups.recognises(b"Subject: x\n\nNewsgroups: y\n", "x")
    assert not Newsgroups.recognises(b"From: x\nTo: y\n\nmail\n", "x")
    with pytest.raises(UsageError, match="id=x: give path or message-id"):
        Newsgroups("-", id="x")


def test_the_folder_can_be_the_label(told, tmp_path):
    archive = tar(tmp_path / "posts.tar.xz", [("20/sci.med/1", post("sci.med,x")), ("20/alt.atheism/2", post("x"))])
    assert [story.labels for story in told(Newsgroups(archive, labels="folder"))] == [["sci.med"], ["alt.atheism"]]
