"""TextPAIR's alignments, with the fields that its loader asks for and the types that its tables have."""

import json
from pathlib import Path

from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import Reuse

from .conftest import TEXTS

LOADED = ("doc_id", "passage", "context_before", "context_after", "start_byte", "end_byte", "year", "author")
"""Columns of TextPAIR's table of alignments that come from its file, for either side."""


def test_each_pair_has_the_fields_of_the_loader(reuse: Reuse, target: Path) -> None:
    export_reuse(reuse, target, "textpair")
    lines = (target / "textpair/alignments.jsonl").read_text("ascii").splitlines()
    assert json.loads((target / "textpair/count.json").read_text()) == {"counts": len(lines)}
    assert len(lines) == 3
    for line in lines:
        row = json.loads(line)
        assert {f"{side}_{name}" for side in ("source", "target") for name in LOADED} <= row.keys()
        assert row["source_year"] < row["target_year"]
        for side in ("source", "target"):
            text = TEXTS[row[f"{side}_doc_id"]]
            passage = text.encode()[row[f"{side}_start_byte"] : row[f"{side}_end_byte"]].decode()
            assert row[f"{side}_passage"] == passage
            assert row[f"{side}_context_before"] + passage + row[f"{side}_context_after"] == text
