"""Posts to newsgroups, one per file, as in 20 Newsgroups: a folder of them, or a tar archive."""

from __future__ import annotations

import datetime
import email.utils
import math
import re
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters.formats.reading import FiledStories, epoch_seconds, option_checks
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import time_key
from telex.stream.sources import Story

if TYPE_CHECKING:
    from telex.adapters.formats.reading import Paths

FORMATS = {"newsgroups": ("Newsgroups", 50)}
_LONGEST_DATE = 200
_FOLDED = re.compile(r"\r?\n[ \t]+")
_FIELD = re.compile(r"^([!-9;-~]+):(.*)$", re.MULTILINE)
_GROUPS = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?Newsgroups:", re.IGNORECASE)


class Newsgroups(FiledStories):
    r"""The posts in files, folders and archives; their labels are the groups they were sent to.

    The text is the body in Latin-1, the title is the subject with all its ``Re:``. A post whose date cannot be read has
    no time; one without ``Newsgroups:`` is unlabelled. The id is the path inside the archive or folder: a post that was
    sent to several groups is in several places, and by its ``Message-ID`` (531 of the 19,997 repeat) it would be a
    duplicate from the second on. With ``labels=folder`` the only label is the folder of the post: the twenty of 20
    Newsgroups, while the headers name 857 groups.

    >>> import tempfile, os
    >>> folder = tempfile.mkdtemp()
    >>> os.mkdir(os.path.join(folder, "sci.med"))
    >>> with open(os.path.join(folder, "sci.med", "58983"), "w") as file:
    ...     _ = file.write("Newsgroups: sci.med, alt.health\nSubject: Re: flu\nDate: 6 Apr 93 12:00:00 GMT\n\nRest.\n")
    >>> [stories] = Newsgroups(folder)
    >>> stories.ids[0], stories.titles, stories.texts, stories.labels, stories.times.tolist()
    ('sci.med/58983', ['Re: flu'], ['Rest.\n'], [['sci.med', 'alt.health']], [734097600.0])
    """

    summary: ClassVar = "posts to newsgroups, one a file, in folders or archives; their groups are the labels"
    options: ClassVar = {
        "labels": "newsgroups (default: all that the header names) or folder (the one that the post is in)",
        "id": "path (default: in the archive or folder) or message-id",
        "order": "time (default), id or file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }

    def __init__(
        self,
        paths: Paths,
        *,
        labels: str = "newsgroups",
        id: str = "path",  # noqa: A002
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        self._by_folder = option_checks.one_of("labels", labels, ("newsgroups", "folder")) == "folder"
        self._by_path = option_checks.one_of("id", id, ("path", "message-id")) == "path"
        self._open(paths, order or "time", rows, passes)
        self._roots = sorted({source.name.rstrip("/") for source in self._inputs}, key=len, reverse=True)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look for header fields at the beginning, one of which names the groups."""
        return bool(_GROUPS.match(head))

    def _story(self, raw: bytes, place: tuple[str, int | None, int | None]) -> Story:
        fields, body = _post(raw)
        if self._by_path:
            name = self._inside(place[0])
        else:
            name = fields.get("message-id", "")
            if not name:
                raise BrokenRecordError("the post has no Message-ID")
        if self._by_folder:
            groups = place[0].split("/")[-2:-1]
        else:
            groups = [group for part in fields.get("newsgroups", "").split(",") if (group := part.strip())]
        return Story(name, body, fields.get("subject", ""), _time(fields), list(dict.fromkeys(groups)) or None)

    def _inside(self, path: str) -> str:
        """Return a path relative to its folder or archive; a file named as an input keeps its own."""
        root = next((root for root in self._roots if path.startswith(f"{root}/")), None)
        return path if root is None else path[len(root) + 1 :]

    def _time_key(self, raw: bytes, place: Any) -> bytes | None:
        try:
            time = _time(_post(raw)[0])
        except BrokenRecordError:
            return None
        return None if math.isnan(time) else time_key(time)


def _post(raw: bytes) -> tuple[dict[str, str], str]:
    """Return the header fields by lower-case name, and the body."""
    header, _, body = raw.decode("latin-1").replace("\r\n", "\n").partition("\n\n")
    fields = dict[str, str]()
    unfolded = _FOLDED.sub(" ", header)
    for name, value in _FIELD.findall(unfolded):
        fields.setdefault(name.lower(), value.strip())
    if not _FIELD.match(unfolded):
        raise BrokenRecordError("this is not a post: it does not begin with a field such as Newsgroups: or From:")
    return fields, body


def _time(fields: dict[str, str]) -> float:
    try:
        moment = email.utils.parsedate_to_datetime(fields.get("date", "")[:_LONGEST_DATE])
    except (ValueError, TypeError, OverflowError):
        return math.nan
    try:
        return epoch_seconds((moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp())
    except BrokenRecordError:
        return math.nan
