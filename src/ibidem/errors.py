"""Every exception that ibidem raises on purpose, in one tree.

::

    IbidemError                 the world is not as it should be; the message says what, where, and what to do
    ├── CorpusError             a document, line or file of the input
    ├── ConfigurationError      an index or a sketch met one that was made under another configuration
    ├── ClusterError            a Ray cluster that does not answer, or that lost a task
    ├── MissingExtraError       an optional dependency that is not installed (also an ImportError)
    └── StoreError              an index on disk
        ├── NotAnIndexError     no index is at this path
        ├── IndexExistsError    an index exists at this path already
        ├── FormatVersionError  written by a newer ibidem, or one too old to be read
        ├── DamagedError        a file is missing, or it or a sketch is short or fails its checksum
        └── LockedError         another process is writing

A wrong argument is a plain ``ValueError`` or ``TypeError``.
"""

__all__ = [
    "ClusterError",
    "ConfigurationError",
    "CorpusError",
    "DamagedError",
    "FormatVersionError",
    "IbidemError",
    "IndexExistsError",
    "LockedError",
    "MissingExtraError",
    "NotAnIndexError",
    "StoreError",
]


LEFT_OUT = 3
"""The exit status of a command that has done its work, but for rows or files that could not be read."""


class IbidemError(Exception):
    """The root of the tree: catch it to catch every error that ibidem reports about its input."""


class CorpusError(IbidemError):
    """A document, line or file of the input cannot be used."""


class ConfigurationError(IbidemError):
    """An index met a query or an addition, or a sketch another sketch, made under another configuration."""


class ClusterError(IbidemError):
    """A Ray cluster does not answer, or lost a task."""


class MissingExtraError(IbidemError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str, package: str | None = None) -> None:
        requirement = f"'ibidem[{extra}]'{f' {package}' if package else ''}"
        super().__init__(f"{feature} needs an optional dependency: pip install {requirement}")


class StoreError(IbidemError):
    """An index on disk cannot be read or written."""


class NotAnIndexError(StoreError):
    """No index is at this path."""


class IndexExistsError(StoreError):
    """An index exists at this path already."""


class FormatVersionError(StoreError):
    """The index was written in a format that this version of ibidem does not read."""


class DamagedError(StoreError):
    """A file of an index is missing, or it or the bytes of a sketch are short or fail their checksum."""


class LockedError(StoreError):
    """Another process is writing to the index."""
