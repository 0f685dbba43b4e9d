"""A file that a command writes: none is overwritten unasked, and only one process writes it."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from telex.learners.base import StoppedError, UsageError
from telex.stream.checkpoints import sync_folder

if TYPE_CHECKING:
    from types import TracebackType

PART = ".part"
"""The ending of a file that is not whole yet, behind its name."""
_OPEN_ALREADY = re.compile(r"/dev/(stdin|stdout|stderr)|/(?:dev|proc/self)/fd/(\d+)")
_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class OutputFile:
    """A new file, which is ``FILE.part`` until it is whole: then :meth:`finish` puts it on the disk and names it FILE.

    With ``in_place`` it has its name from the beginning, as a file must that a resumed run continues. An existing file
    that is not empty is refused, unless ``overwrite`` is set. Until the file is finished or closed, other processes are
    refused. A pipe or a device (/dev/stdout too) is written as it is. In a ``with`` statement, an error removes what
    was written.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "page.html")
    >>> with OutputFile(path) as file:
    ...     _ = file.write(b"<!DOCTYPE html>")
    ...     [one.name for one in path.parent.iterdir()]
    ['page.html.part']
    >>> path.read_text()
    '<!DOCTYPE html>'
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False, in_place: bool = False) -> None:
        self._ends_with_it = False
        check_output(path, overwrite=overwrite)
        self.path = Path(path)
        self.is_stream = is_stream(path)
        if self.is_stream:
            self.file: BinaryIO = _stream(str(path))
            return
        self._whole = Path(os.path.realpath(path))  # a link stays a link
        self._part = self._whole if in_place else self._whole.with_name(self._whole.name + PART)
        try:
            _refuse_if_written(self._whole)
            _refuse_if_written(self._whole.with_name(self._whole.name + PART))
            self._overwrite = overwrite or self._whole.exists()
            if in_place:
                self._whole.unlink(missing_ok=True)
            self.file = _locked(self._part, exclusive=in_place)
            self._ends_with_it = not in_place
            if in_place:
                sync_folder(self._part.parent)
        except OSError as error:
            raise UsageError(f"{path} cannot be written ({error.strerror}); name another file") from error

    def __enter__(self) -> BinaryIO:
        return self.file

    def __del__(self) -> None:
        # A signal may come when the file is there, and no `with` statement has it yet.
        if self._ends_with_it:
            self.discard()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self.discard()

    def finish(self) -> None:
        """Put the file on the disk, and give it its name."""
        if self.file.closed:
            return
        self.file.flush()
        if not self.is_stream:
            os.fsync(self.file.fileno())
            if self._part != self._whole:
                self._name_it()
                sync_folder(self._whole.parent)
        self.file.close()

    def discard(self) -> None:
        """Close the file and remove it; a file that had its name before stays as it was."""
        if not self.file.closed:
            if not self.is_stream:
                self._part.unlink(missing_ok=True)
            with suppress(OSError):  # closing writes again what did not fit
                self.file.close()

    def close(self) -> None:
        """Close the file as it is: unless it was finished, it stays ``FILE.part``."""
        self.file.close()

    def _name_it(self) -> None:
        try:
            if self._overwrite:
                _refuse_if_written(self._whole)
                self._part.replace(self._whole)
            else:  # unlike a rename, a link never takes the place of a file that has come meanwhile
                os.link(self._part, self._whole)
                self._part.unlink()
        except (FileExistsError, UsageError):
            raise StoppedError(
                f"another process has written {self.path} meanwhile; name another file, or replace it with --overwrite"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LINKS or self._whole.exists():
                raise
            self._part.rename(self._whole)


def check_output(path: str | Path, *, overwrite: bool = False) -> None:
    """Refuse a path that cannot become a file, and a file that exists, unless ``overwrite`` allows to replace it.

    An empty file has nothing to lose: a shell or a run that was killed at once has made it.
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"the folder {folder} is not there; make it, or name another file")
    try:
        found = os.stat(path)
    except OSError:
        return
    kind = found.st_mode
    if stat.S_ISDIR(kind):
        raise UsageError(f"{path} is a folder; name a file in it")
    if stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise UsageError(f"{path} is a {'device' if stat.S_ISBLK(kind) else 'socket'}; name a file")
    if found.st_size and not overwrite and not is_stream(path):
        raise UsageError(f"{path} is there already; name another file, or replace it with --overwrite")


def is_stream(path: str | Path) -> bool:
    """Tell whether this is a pipe, a device, or a file that this process has open, such as /dev/stdout."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode) or _OPEN_ALREADY.fullmatch(str(path)) is not None
    except OSError:
        return False


def lock(file: BinaryIO, path: str | Path) -> None:
    """Lock a file until it is closed; raise a UsageError if another process is writing it."""
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another process is writing {path}; wait for its end, or name another file") from None
    except OSError:  # not every file system has locks
        pass


def _stream(path: str) -> BinaryIO:
    found = _OPEN_ALREADY.fullmatch(path)
    try:
        if found:  # to open it by its name would begin at its start
            return os.fdopen(os.dup(_STANDARD[found[1]] if found[1] else int(found[2])), "wb")
        return open(path, "wb")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); name another file") from error


def _locked(path: Path, *, exclusive: bool) -> BinaryIO:
    """Open an empty file, locked; what a killed process has left under the name of a part is dropped."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    was_there, ours, file = os.path.lexists(path), False, None
    try:
        while True:
            _refuse_stream(path)
            file = os.fdopen(os.open(path, flags | (os.O_EXCL if exclusive else 0), 0o666), "wb")
            lock(file, path)
            ours = True
            found = os.fstat(file.fileno())
            if os.path.lexists(path) and os.path.samestat(found, os.lstat(path)):
                if found.st_nlink == 1:
                    file.truncate()
                    return file
                path.unlink()  # it has another name, under which it must stay as it is
            file.close()  # another process has finished or removed it since it was opened
            ours = False
    except BaseException:  # a signal may come as soon as the file is there
        if ours:
            path.unlink(missing_ok=True)
        if file is not None:
            file.close()
        if not ours and not was_there:
            _remove_unwritten(path)
        raise


def _refuse_stream(path: Path) -> None:
    if is_stream(path):
        raise UsageError(f"{path} is not a plain file; remove it, or name another file")


def _remove_unwritten(path: Path) -> None:
    """Remove a file that no process has locked."""
    with suppress(OSError, UsageError), path.open("rb") as file:
        lock(file, path)
        path.unlink()


def _refuse_if_written(path: Path) -> None:
    if path.is_file() and not path.is_symlink():
        with path.open("rb") as file:
            lock(file, path)
