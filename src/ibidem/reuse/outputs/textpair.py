"""The alignments of TextPAIR (https://github.com/ARTFL-Project/text-pair), as its web application loads them.

``textpair/alignments.jsonl`` has a line for each pair: ``source_doc_id``, ``source_filename``,
``source_passage`` with 300 characters before and after it, ``source_start_byte`` and ``source_end_byte`` in the
UTF-8 of the document, the columns of the input as ``source_author`` and so on, ``source_locator`` if the place
in the original is known; the same of the target; and ``similarity``. The source is the earlier document if dates
were asked for, and else the first by its id.
``count.json`` has the number of lines.
"""

import json
from pathlib import Path
from typing import Any

from ibidem.reuse.outputs.document_texts import DocumentTexts
from ibidem.reuse.outputs.result import Reuse, is_later, read_dates
from ibidem.text.json_values import format_json

_CONTEXT = 300


def write_textpair(reuse: Reuse, folder: Path) -> None:
    """Write the pairs into ``folder/textpair``."""
    documents, dates = DocumentTexts(reuse), read_dates(reuse)
    place = folder / "textpair"
    place.mkdir()
    with (place / "alignments.jsonl").open("x", encoding="utf-8", newline="\n") as file:
        for number, pair in enumerate(reuse.pairs.to_pylist(), 1):
            sides = "ba" if is_later(dates, pair["a"], pair["b"]) else "ab"
            record: dict[str, Any] = {"passage_id": number, "similarity": pair["similarity"]}
            for role, side in zip(("source", "target"), sides, strict=True):
                facts = _describe_side(pair[side], pair[f"{side}_start"], pair[f"{side}_end"], documents)
                record |= {f"{role}_{name}": value for name, value in facts.items()}
            file.write(format_json(record) + "\n")
    (place / "count.json").write_text(json.dumps({"counts": reuse.pairs.num_rows}) + "\n", encoding="utf-8")


def _describe_side(id: str, start: int, end: int, documents: DocumentTexts) -> dict[str, Any]:
    text = documents.text(id)
    first = _count_bytes(text[:start])
    return documents.metadata(id, start, end) | {
        "doc_id": id,
        "filename": id,
        "passage": text[start:end],
        "context_before": text[max(0, start - _CONTEXT) : start],
        "context_after": text[end : end + _CONTEXT],
        "start_byte": first,
        "end_byte": first + _count_bytes(text[start:end]),
    }


def _count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
