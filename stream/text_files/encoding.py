"""How any text becomes UTF-8, and how it comes back."""

from __future__ import annotations

_SURROGATES = "surrogatepass"


def encoded(text: str) -> bytes:
    r"""Return a text as UTF-8, in which half a surrogate pair is a backslash escape.

    Python puts such halves into the names of files that are not UTF-8. JSON means the same by the escape: what is
    written this way, any JSON reader brings back.

    >>> encoded('["caf\udce9"]')
    b'["caf\\udce9"]'
    """
    return text.encode("utf-8", "backslashreplace")


def decoded(raw: bytes) -> str:
    r"""Return UTF-8 as a text; it may have the halves of surrogate pairs, as files of older runs do.

    >>> decoded(b"caf\xed\xb3\xa9")
    'caf\udce9'
    """
    return raw.decode("utf-8", _SURROGATES)


def utf8_name(path: str) -> str:
    r"""Return the name of a file, with a backslash escape for each byte that is not UTF-8.

    Ids and labels are made of such names: they go where only UTF-8 does. The file itself opens by its own name.

    >>> utf8_name("caf\udce9/1")
    'caf\\xe9/1'
    """
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
