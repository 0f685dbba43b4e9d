"""HTTP basic authentication by one name and password."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from pathlib import Path

from telex.learners.base import UsageError, check_plain_file

_COST = {"n": 1 << 14, "r": 8, "p": 1}
_SCHEME = "scrypt"


class Password:
    """Admits one user by a secret: a password in plain text, or its hash made by :func:`hash_password`.

    Only hashes are stored, never the password. The slow hash is computed once for each password that is sent, not for
    each scrape.
    """

    def __init__(self, user: str, secret: str) -> None:
        self.user = user
        self._own = os.urandom(16)
        scheme, *rest = secret.split(":")
        if scheme == _SCHEME and len(rest) == 2:
            try:
                self._salt, self._slow = (base64.b64decode(part, validate=True) for part in rest)
            except ValueError:
                raise UsageError("the password's hash is damaged; make it again with `hash_password`") from None
            self._right: bytes | None = None
        else:
            self._right = self._quick(secret)

    @classmethod
    def of_file(cls, user: str, path: str) -> Password:
        """Read the secret from the first line of a file."""
        check_plain_file(path)
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the password cannot be read from {path}: {error}; name a file that holds it") from error
        if not lines or not lines[0]:
            raise UsageError(f"the file {path} is empty; put the password, or its hash, in its first line")
        return cls(user, lines[0])

    def admits(self, header: str) -> bool:
        """Tell whether an ``Authorization`` header has the right name and password."""
        scheme, _, sent = header.partition(" ")
        try:
            user, colon, password = base64.b64decode(sent.strip(), validate=True).decode().partition(":")
        except ValueError:  # not base64, or not text
            return False
        known = hmac.compare_digest(user.encode(), self.user.encode())
        return scheme.lower() == "basic" and bool(colon) and self._is_right(password) and known

    def _is_right(self, password: str) -> bool:
        quick = self._quick(password)
        if self._right is not None:
            return hmac.compare_digest(quick, self._right)
        right = hmac.compare_digest(_slowly(password, self._salt), self._slow)
        if right:
            self._right = quick
        return right

    def _quick(self, password: str) -> bytes:
        return hmac.digest(self._own, password.encode(), "sha256")


def hash_password(password: str) -> str:
    """Return a secret from which the password cannot be found.

    >>> Password("prometheus", hash_password("open sesame")).admits("Basic cHJvbWV0aGV1czpvcGVuIHNlc2FtZQ==")
    True
    """
    salt = os.urandom(16)
    return ":".join([_SCHEME, *(base64.b64encode(part).decode() for part in (salt, _slowly(password, salt)))])


def _slowly(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, dklen=32, **_COST)
