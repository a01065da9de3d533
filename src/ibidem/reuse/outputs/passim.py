"""The records of passim (https://github.com/dasmiq/passim): clusters of passages, and aligned pairs.

``passim/out.json/part-00000.json`` has a line for each passage, as passim writes it: ``uid, cluster, begin,
end, boiler, src, size, pboiler, id, text`` and the columns of the input. ``passim/align.json/part-00000.json``
is what ``--pairwise`` writes: ``uid, begin, end, id`` and the columns of one side, the same with a 2 behind it
of the other, and ``s1, s2, matches``. Places count characters; the place in the original, if it is known, is the
column ``locator``. A uid is passim's own hash of the id, so the two outputs name documents alike.

passim's ``pboiler`` is the share of a cluster's links that lie within a group of documents. There are none
within a series here; it is 1 for a cluster that is boilerplate, and 0 for others. ``src`` is the likely source
if dates were asked for.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import xxhash

from ibidem.reuse.outputs.aligned_text import align_characters
from ibidem.reuse.outputs.document_texts import DocumentTexts
from ibidem.reuse.outputs.result import Reuse
from ibidem.text.json_values import format_json

_SPARK_SEED = 42


def make_passim_uid(id: str) -> int:
    """Return passim's number of a document: Spark's ``xxhash64`` of its id, a signed number of 64 bits.

    >>> make_passim_uid("ABC")
    4105715581806190027
    """
    return _make_signed(xxhash.xxh64_intdigest(id.encode(), _SPARK_SEED))


def _make_signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def write_passim(reuse: Reuse, folder: Path) -> None:
    """Write both outputs into ``folder/passim``."""
    documents = DocumentTexts(reuse)
    _write_lines(folder / "passim/out.json", sorted(_describe_passages(reuse, documents), key=_make_sort_key))
    _write_lines(folder / "passim/align.json", _describe_pairs(reuse, documents))


def _write_lines(folder: Path, records: Iterable[dict[str, Any]]) -> None:
    """A folder with one part, as Spark leaves it."""
    folder.mkdir(parents=True)
    with (folder / "part-00000.json").open("x", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(format_json(record) + "\n")


def _make_sort_key(record: dict[str, Any]) -> tuple[Any, ...]:
    return -record["size"], record["cluster"], record["id"], record["begin"]


def _describe_passages(reuse: Reuse, documents: DocumentTexts) -> Iterable[dict[str, Any]]:
    sizes = dict(zip(*(reuse.clusters.column(name).to_pylist() for name in ("cluster", "documents")), strict=True))
    for row in reuse.passages.to_pylist():
        source = {"uid": None, "begin": row["source_start"], "end": row["source_end"]}
        sources = [] if row["source"] is None else [source | {"uid": make_passim_uid(row["source"])}]
        is_boilerplate = row["boilerplate"] is not None
        fields = {
            "uid": make_passim_uid(row["document"]),
            "cluster": _make_signed(int(row["cluster"], 16)),
            "begin": row["start"],
            "end": row["end"],
            "boiler": is_boilerplate,
            "src": sources,
            "size": sizes[row["cluster"]],
            "pboiler": float(is_boilerplate),
            "id": row["document"],
            "text": documents.text(row["document"])[row["start"] : row["end"]],
        }
        yield documents.metadata(row["document"], row["start"], row["end"]) | fields


def _describe_pairs(reuse: Reuse, documents: DocumentTexts) -> Iterable[dict[str, Any]]:
    for row in reuse.pairs.to_pylist():
        sides = [(make_passim_uid(row[side]), row[side], row[f"{side}_start"], row[f"{side}_end"]) for side in "ab"]
        record: dict[str, Any] = {}
        texts = []
        for (uid, name, begin, end), suffix in zip(sorted(sides), ("", "2"), strict=True):
            fields = documents.metadata(name, begin, end) | {"uid": uid, "id": name, "begin": begin, "end": end}
            record |= {f"{key}{suffix}": value for key, value in fields.items()}
            texts.append(documents.text(name)[begin:end])
        s1, s2, matches = align_characters(*texts)
        yield record | {"s1": s1, "s2": s2, "matches": matches}
