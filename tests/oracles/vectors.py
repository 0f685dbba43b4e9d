"""What is wrong with a line of vectors, in the reader's own words: plain Python, a word at a time."""

from __future__ import annotations

import re

import numpy as np

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class Broken(Exception):  # noqa: N818 - a line is broken
    """The reason."""


def reason(line: bytes, *, svmlight: bool = False, zero: bool = False) -> str | None:
    """Return why a line, without its newline, is a dead letter; None if it is not."""
    try:
        _read(line, svmlight=svmlight, zero=zero or not svmlight)
    except Broken as broken:
        return str(broken)
    return None


def _read(line: bytes, *, svmlight: bool, zero: bool) -> None:
    content = line.removesuffix(b"\r").lstrip(b" \t\r")
    if svmlight:
        content = content.partition(b"#")[0]
    words = [word for word in re.split(rb"[ \t]+", content) if word]
    if not words:
        return
    if not svmlight:
        name = words.pop(0)
        if re.match(rb"\d+:", name):
            raise Broken("the document id is missing")
        _utf8(name, "the document id")
    elif not line.startswith((b" ", b"\t", b"\r")) and b":" not in words[0]:
        _labels(words.pop(0).split(b","))
    numbers = []
    for word in words:
        feature, colon, weight = word.partition(b":")
        if not colon:
            raise Broken(f"{_shown(word)} is not feature:weight")
        if svmlight and feature == b"qid":
            continue
        number = _feature(feature)
        _weight(weight)
        if not (number or zero):
            raise Broken("feature id 0 in a one-based file; say zero_based=true")
        numbers.append(number)
    for number in sorted(numbers):
        if numbers.count(number) > 1:
            raise Broken(f"feature id {number} is given twice")


def _labels(labels: list[bytes]) -> None:
    for label in labels:
        if not label:
            raise Broken("a label is empty")
        _utf8(label, "a label")


def _feature(text: bytes) -> int:
    if not re.fullmatch(rb"-?[0-9]+", text):
        raise Broken(f"feature id {_shown(text)} is not a number")
    if text.startswith(b"-"):
        raise Broken(f"feature id {_shown(text)} is negative")
    if int(text) > 2**31 - 1:
        raise Broken(f"feature id {_shown(text)} is above 2147483647")
    return int(text)


def _weight(text: bytes) -> None:
    if not NUMBER.fullmatch(text):
        named = re.fullmatch(rb"[+-]?(nan|inf|infinity)", text, re.IGNORECASE)
        raise Broken(f"weight {_shown(text)} is not {'finite' if named else 'a number'}")
    with np.errstate(over="ignore"):
        if not np.isfinite(np.float32(float(text))):
            raise Broken(f"weight {_shown(text)} is too big for float32")


def _utf8(text: bytes, what: str) -> None:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise Broken(f"{what} is not UTF-8") from error


def _shown(word: bytes) -> str:
    plain = "".join(chr(byte) if 0x20 <= byte <= 0x7E else "?" for byte in word[:40])
    return f'"{plain}{"..." if len(word) > 40 else ""}"'
