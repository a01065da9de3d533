"""Results of ``ibidem reuse``, as they are served."""

import threading
from pathlib import Path
from typing import NamedTuple

from ibidem.corpus.writing.tables import read_summary
from ibidem.errors import CorpusError
from ibidem.web.problems import ProblemError
from ibidem.web.report.findings import Findings
from ibidem.web.report.folders import read_reuse_folder

_COUNTED = ("documents", "pairs", "passages", "clusters", "left_out")


class ServedFindings(NamedTuple):
    """One state of a folder: what the page shows of it, in order, and how many rows its tables have."""

    shown: Findings
    counts: dict[str, int]


class ServedReuse:
    """The folder that ``ibidem reuse`` wrote, under a name; one that is replaced is read again."""

    def __init__(self, path: str | Path, name: str | None = None) -> None:
        self.path = Path(path)
        self.name = name or self.path.name.removesuffix(".reuse") or self.path.name
        self._lock = threading.Lock()
        self._stamp = self._read_stamp()
        self._findings = self._read()

    @property
    def findings(self) -> ServedFindings:
        """The findings as they are.

        Raises:
            ProblemError: the folder cannot be read.
        """
        with self._lock:
            try:
                stamp = self._read_stamp()
                if stamp != self._stamp:
                    self._findings, self._stamp = self._read(), stamp
            except (CorpusError, OSError) as error:
                detail = f"the reuse {self.name!r} cannot be read: it was moved or damaged"
                raise ProblemError(503, detail, retry_after="10") from error
            return self._findings

    def _read(self) -> ServedFindings:
        summary = read_summary(self.path, _COUNTED, "ibidem reuse")
        return ServedFindings(read_reuse_folder(self.path).order(), {name: int(summary[name]) for name in _COUNTED})

    def _read_stamp(self) -> tuple[int, int]:
        try:
            status = (self.path / "summary.json").stat()
        except OSError as error:
            raise CorpusError(f"{self.path}: no folder that ibidem reuse wrote: it has no summary.json") from error
        return status.st_ino, status.st_mtime_ns
