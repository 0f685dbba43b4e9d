import re

from telex import BrokenRecordError, FiledStories, Story
from telex_stranger.code import decode


class Morse(FiledStories):
    """Telegrams, a line each: an id, the labels and the text in Morse's code."""

    summary = "telegrams in Morse's code, a line each (id; labels; text)"
    options = {"order": "file (default) or id", "rows": "documents a batch (256)"}
    suffixes = (".morse",)
    cut = re.compile(rb"\n")
    text = {"tokens": "blanks", "stem": "none", "stop": "none", "weight": "tf"}

    def __init__(self, paths, *, order=None, rows=256):
        self._open(paths, order or "file", rows)

    @classmethod
    def recognises(cls, head, path):
        return path.endswith(cls.suffixes)

    def _story(self, raw, place):
        if not raw.strip():
            return None
        name, labels, signals = raw.decode().split(";")
        try:
            return Story(name.strip(), decode(signals), labels=[label.strip() for label in labels.split(",")])
        except KeyError as error:
            raise BrokenRecordError(f"{error.args[0]!r} is no letter in Morse's code") from error
