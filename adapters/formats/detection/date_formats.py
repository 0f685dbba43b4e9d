"""How times are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection.findings import Guess, Question
from telex.adapters.formats.reading import time_of_cell, time_reader
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 0.9
"""The share of times that a format must be able to read."""
_UNITS = (("s", 1e11), ("ms", 1e14), ("us", 1e17), ("ns", float("inf")))
_DAY = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2\d{4}\b", re.ASCII)
_MAIL = re.compile(r"(?:[A-Za-z]{3,9},?\s+)?\d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4}\s+\d{1,2}:\d{2}", re.ASCII)
_TWELVE = 12
_PATTERNS = (
    *(
        day + time
        for day in ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%d-%b-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y-%m-%d",
                    "%A %d %B %Y", "%d.%m.%y", "%Y%m%d", "%Y")
        for time in ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %H:%M %z", " %H:%M:%S UTC", " %H:%M:%S GMT")
    ),
    "%a %b %d %H:%M:%S %z %Y",
)  # fmt: skip
"""Patterns of Python's strptime; commas are left out of times, since none can be in an option."""
_DAYS, _MONTHS, _YEARS = (19000101, 21001231), (190001, 210012), (1000, 2999)


def date_format(name: str, values: Sequence[Any]) -> Guess | Question | None:
    """Return how the times of a field are written; None if that is ISO 8601 or epoch seconds, as by default.

    Days and months are told apart only where one of them is above 12: else it is asked.

    >>> date_format("date", ["1996-08-20"]), date_format("date", [840499200000]).value
    (None, 'ms')
    >>> date_format("date", ["2019", "2020"]).value, date_format("date", ["201905"]).value  # and not 1970
    ('%Y', '%Y%m')
    >>> date_format("date", ["Tue, 20 Aug 1996 02:00:00 +0200"]).value, date_format("date", ["20/08/1996"]).value
    ('rfc822', 'dmy')
    >>> [choice["time_format"] for choice in date_format("date", ["01/03/1996"]).choices if "time_format" in choice]
    ['dmy', 'mdy']
    """
    given = [value for value in values if not (isinstance(value, str) and not value.strip())]
    if not given:
        return None
    numbers = [value for value in given if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if 2 * len(numbers) > len(given):
        return _of_numbers(name, numbers)
    texts = [str(value).strip() for value in given]
    written = list(filter(_is_number, texts))
    if len(written) >= _MOST * len(texts):  # before ISO 8601 is tried: a year alone would be seconds
        found = _of_numbers(name, list(map(float, written)))
        days = found is not None and found.value == "%Y%m%d" and all(map(str.isdigit, written))
        return None if days else found  # eight digits are ISO 8601
    return None if _reads(None, texts, _MOST) else _of_texts(name, texts)


def _of_texts(name: str, texts: Sequence[str]) -> Guess | Question | None:
    days = [day for text in texts if (day := _DAY.match(text))]
    if len(days) >= _MOST * len(texts):
        found = _of_days(name, days, texts)
        if isinstance(found, Question) or _reads(found.value, texts, _MOST):
            return found
    if _reads(None, texts, 0.5):
        return None
    mails = sum(bool(_MAIL.match(text)) for text in texts) >= _MOST * len(texts)
    formats = [one for one in (*(["rfc822"] if mails else []), *_PATTERNS) if _reads(one, texts, _MOST)]
    if formats:
        return Guess("time_format", formats[0], f"{name!r} holds {texts[0][:40]!r}")
    return Question(
        f"the times in {name!r}, such as {texts[0][:40]!r}, are in no format that is known: name its pattern, as in "
        "time_format=%d.%m.%Y, or leave the times out and go by the order of the file",
        ({"time": "none"},),
    )


def _of_numbers(name: str, numbers: Sequence[float]) -> Guess | None:
    middle = sorted(map(abs, numbers))[len(numbers) // 2]
    whole = all(float(number).is_integer() for number in numbers)
    for pattern, (first, last) in (("%Y%m%d", _DAYS), ("%Y%m", _MONTHS), ("%Y", _YEARS)):
        if (
            whole
            and all(first <= number <= last for number in numbers)
            and _reads(pattern, list(map(_whole, numbers)), 1)
        ):
            return Guess("time_format", pattern, f"{name!r} holds {_whole(numbers[0])}")
    unit = next(unit for unit, most in _UNITS if middle < most)
    return None if unit == "s" else Guess("time_format", unit, f"{name!r} holds {_whole(numbers[0])}")


def _of_days(name: str, days: Sequence[re.Match[str]], texts: Sequence[str]) -> Guess | Question:
    first, second = max(int(found[1]) for found in days), max(int(found[3]) for found in days)
    telling = [found.string for found in days if max(int(found[1]), int(found[3])) > _TWELVE]
    example = (telling or texts)[0].strip()
    if first > _TWELVE >= second:
        return Guess("time_format", "dmy", f"{name!r} holds {example[:40]!r}")
    if second > _TWELVE >= first:
        return Guess("time_format", "mdy", f"{name!r} holds {example[:40]!r}")
    if days[0][2] == "." and second <= _TWELVE:
        return Guess("time_format", "dmy", f"{name!r} holds {example[:40]!r}, with points as in Europe")
    cause = f"the times in {name!r}, such as {texts[0][:40]!r}, may begin with the day or with the month"
    return Question(cause, ({"time_format": "dmy"}, {"time_format": "mdy"}, {"time": "none"}))


def _reads(time_format: str | None, texts: Sequence[str], share: float) -> bool:
    """Tell whether a format reads this share of some texts."""
    read = time_of_cell if time_format is None else time_reader(time_format)
    left = round(len(texts) * (1 - share), 6)  # one in ten of ten is one
    for text in texts:
        try:
            read(text)
        except BrokenRecordError:
            left -= 1
            if left < 0:
                return False
    return True


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d{1,19}(\.\d*)?", text, re.ASCII))


def _whole(number: float) -> str:
    return str(int(number))
