"""Findings from what commands wrote: folders, lines of JSON, and the tables of ``find_reuse``."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.writing.left_out import ROWS_LEFT_OUT
from ibidem.corpus.writing.run_state import FOLDER as STATE
from ibidem.corpus.writing.run_state import RECORD
from ibidem.errors import CorpusError
from ibidem.web.report.findings import Findings, FoundCluster, FoundPair, FoundWitness, SharedDocuments

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_PAIRS = 100_000
_MOST_CLUSTERS = 1000
_MOST_DOCUMENT_PAIRS = 10_000
_MOST_LEFT_OUT = 2000

_OF_THE_WORK = {"seed", "num_hashes", "texts", "columns"}
"""Settings that do not say what is found."""


def read_results(name: str) -> Findings:
    """The contents of a folder that ``ibidem reuse``, ``dedup`` or ``decontaminate`` wrote, or of lines of JSON.

    Raises:
        CorpusError: it cannot be read, or is another folder.
    """
    from ibidem.corpus.writing.removed import find_removed
    from ibidem.corpus.writing.tables import holds_result

    path = Path(name)
    if holds_result(path, "pairs"):
        return read_reuse_folder(path)
    if holds_result(path, "contamination"):
        return read_contamination_folder(path)
    if not path.is_dir():
        return Findings(_read_pairs(name))
    passages = path / "passages.jsonl"
    removed = find_removed(path) or (str(passages) if passages.is_file() else None)
    if removed is None:
        raise CorpusError(
            f"{name}: a folder, but none that ibidem reuse, dedup or decontaminate wrote; name the file of results"
        )
    return add_basis(Findings(_read_pairs(removed)), path)


def _read_pairs(path: str) -> list[FoundPair]:
    from ibidem.corpus.records import read_records

    pairs = []
    for record in read_records(path):
        try:
            pairs.append(FoundPair.of_record(record.values))
        except ValueError as error:
            raise record.fault(error) from error
    return pairs


def read_reuse_folder(path: Path) -> Findings:
    """The contents of a folder that ``ibidem reuse`` wrote.

    Raises:
        CorpusError: it cannot be read.
    """
    from ibidem.reuse.outputs.result import read_reuse_table

    names = "pairs", "clusters", "passages", "document_pairs", "left_out", "documents"
    return add_basis(take_reuse(*(read_reuse_table(path, name) for name in names)), path)


def add_basis(findings: Findings, path: Path) -> Findings:
    """The findings with what the folder of a command says of its settings and of what it has not read."""
    record = _read_json(path / STATE / RECORD)
    summary = _read_json(path / "summary.json")
    passed_over: Mapping[str, int] = summary.get("files_passed_over") or {}
    not_read = [(f"{count:,}", kind) for kind, count in passed_over.items()]
    if (path / ROWS_LEFT_OUT).is_file():
        rows = map(json.loads, (path / ROWS_LEFT_OUT).read_text("utf-8").splitlines())
        not_read += [(f"{row['file']} {row['row']}", row["cause"]) for row in rows]
    elif left_out := summary.get("rows_left_out", 0) + summary.get("files_left_out", 0):
        not_read.append((f"{left_out:,}", "unreadable"))
    settings = summary.get("settings") or record.get("settings", {})
    return findings._replace(settings=keep_plain(settings), not_read=not_read)


def keep_plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that can be shown: words, numbers, and lists of words that are not empty; of a tokenizer its name
    and its normalizations."""
    shown: dict[str, Any] = {}
    for name, value in settings.items():
        if name in _OF_THE_WORK:
            continue
        if isinstance(value, Mapping) and "name" in value:
            width = value.get("shingle", 1)
            shown[name] = value["name"] if width == 1 else f"{value['name']}:{width}"
            if "normalization" in value:
                shown["normalize"] = list(value["normalization"]["names"])
        elif isinstance(value, str | int | float):
            shown[name] = value
        elif isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value):
            shown[name] = list(value)
    return shown


def _read_json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def read_contamination_folder(path: Path) -> Findings:
    """The contents of a folder that ``ibidem decontaminate`` wrote: the leaks, then what is no leak, with the reason.

    Raises:
        CorpusError: it cannot be read.
    """
    from ibidem.contamination.result import TABLES
    from ibidem.corpus.writing.tables import read_table

    leaks, left_out = (read_table(path, name, TABLES[name]).to_pylist() for name in ("contamination", "left_out"))
    rows = [("leak", row) for row in leaks]
    rows += [(row["reason"], row) for row in left_out if row["reason"] != "too short"]
    rows.sort(key=lambda kind_and_row: (kind_and_row[0] != "leak", -kind_and_row[1]["evidence"]))
    pairs = [_occurrence(*kind_and_row) for kind_and_row in rows[:_MOST_PAIRS]]
    return add_basis(Findings(pairs, omitted=max(0, len(rows) - _MOST_PAIRS)), path)


def _occurrence(label: str, row: Mapping[str, Any]) -> FoundPair:
    """A place of a training document, beside the part of the item that it holds."""
    names = (row["eval_key"], row["config"], row["split"], row["eval_instance_index"], row["part"])
    item = " ".join(str(name) for name in names if name not in (None, ""))
    document = row["document"] if not row["training_file"] else f"{row['training_file']} {row['training_line']}"
    return FoundPair(
        document,
        row["start"],
        row["end"],
        item,
        row["eval_start"],
        row["eval_end"],
        row["similarity"],
        passages=(row["text"], row["eval_text"]),
        evidence=row["evidence"],
        label=label,
    )


def take_reuse(
    pairs: "pa.Table",
    clusters: "pa.Table",
    passages: "pa.Table",
    document_pairs: "pa.Table",
    left_out: "pa.Table",
    documents: "pa.Table",
) -> Findings:
    """The contents of a result of ``find_reuse``: the pairs of most evidence, the clusters of most documents."""
    import pyarrow.compute as pc

    order = pc.sort_indices(pairs, [("evidence", "descending")])
    chosen_pairs = [FoundPair.of_record(row) for row in pairs.take(order[:_MOST_PAIRS]).to_pylist()]
    order = pc.sort_indices(clusters, [("documents", "descending"), ("size", "descending")])
    cluster_rows = {row["cluster"]: row for row in clusters.take(order[:_MOST_CLUSTERS]).to_pylist()}
    witnesses: dict[str, list[Mapping[str, Any]]] = {name: [] for name in cluster_rows}
    for row in passages.to_pylist():
        if row["cluster"] in witnesses:
            witnesses[row["cluster"]].append(row)
    dates = {
        row["document"]: str(row["date"]) for rows in witnesses.values() for row in rows if row.get("date") is not None
    }
    found_clusters = [_cluster(row, witnesses[name]) for name, row in cluster_rows.items()]
    document_pairs_shown = [
        SharedDocuments.of_row(row) for row in document_pairs.slice(0, _MOST_DOCUMENT_PAIRS).to_pylist()
    ]
    findings = Findings(
        chosen_pairs,
        found_clusters,
        document_pairs_shown,
        dates,
        pairs.num_rows - len(chosen_pairs),
        Counter(left_out.column("reason").to_pylist()),
        left_out.slice(0, _MOST_LEFT_OUT).to_pylist(),
    )
    rows = [row for row in documents.to_pylist() if row["document"] in findings.documents]
    return findings._replace(
        words={row["document"]: row["tokens"] for row in rows}, reused={row["document"]: row["reused"] for row in rows}
    )


def _cluster(row: Mapping[str, Any], passages: Iterable[Mapping[str, Any]]) -> FoundCluster:
    witnesses = [
        FoundWitness(
            passage["document"],
            passage["start"],
            passage["end"],
            passage.get("text"),
            None if passage.get("date") is None else str(passage["date"]),
            passage.get("source"),
        )
        for passage in passages
    ]
    place = row["central"], row["central_start"], row["central_end"]
    central = next((number for number, passage in enumerate(witnesses) if passage[:3] == place), 0)
    return FoundCluster(row["cluster"], row["weakest"], witnesses, central, row.get("boilerplate"))
