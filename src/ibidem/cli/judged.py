"""Reading files of results or of the truth: passages, pairs of documents, or clusters of documents."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ibidem.corpus.records import Record
    from ibidem.evaluation import Case

_CLUSTER = ("id", "cluster")


class JudgedFile(NamedTuple):
    """The contents of a file; ``kind`` is ``"passages"``, ``"pairs"``, ``"clusters"``, or ``""`` of an empty file."""

    kind: str
    cases: list["Case"]
    pairs: list[tuple[str, str]]
    clusters: dict[str, Any]


def read_judged(path: str) -> JudgedFile:
    """Read a folder or file of PAN's XML, or JSON lines; the first line says what all of them hold.

    Raises:
        CorpusError: a line does not hold what the first one does, or nothing that can be scored.
    """
    from ibidem.corpus.records import read_records
    from ibidem.evaluation import read_pan

    if path.endswith(".xml") or (os.path.isdir(path) and next(Path(path).rglob("*.xml"), None) is not None):
        return _of_cases(read_pan(path))
    return _of_records(read_records(path))


def _of_cases(cases: list["Case"]) -> JudgedFile:
    return JudgedFile("passages", cases, [(case.suspicious, case.source) for case in cases], {})


def _of_records(records: Iterable["Record"]) -> JudgedFile:
    from ibidem.evaluation import Case, named_pair

    kind = ""
    cases: list[Case] = []
    pairs: list[tuple[str, str]] = []
    clusters: dict[str, Any] = {}
    for record in records:
        kind = kind or _kind(record.values)
        try:
            if kind == "clusters":
                _add_to_clusters(clusters, record.values)
            elif kind == "passages":
                cases.append(Case.of(record.values))
            else:
                first, second = named_pair(record.values).values()
                pairs.append((first, second))
        except ValueError as error:
            raise record.fault(error) from error
    return _of_cases(cases) if kind == "passages" else JudgedFile(kind, cases, pairs, clusters)


def _kind(values: dict[str, Any]) -> str:
    if all(name in values for name in _CLUSTER):
        return "clusters"
    ranges = ("this_offset", "a_start", "query_start")
    return "passages" if any(name in values for name in ranges) else "pairs"


def _add_to_clusters(clusters: dict[str, Any], values: dict[str, Any]) -> None:
    for name in _CLUSTER:
        if isinstance(values.get(name), bool) or not isinstance(values.get(name), str | int):
            raise ValueError(f"{name!r} is {values.get(name)!r}, neither a string nor an integer")
    id = str(values["id"])
    if id in clusters:
        raise ValueError(f"document {id!r} is in a cluster already")
    clusters[id] = values["cluster"]
