"""Files are written without the passages that go, part by part."""

import json
from pathlib import Path

from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.resources import Resources
from ibidem.reuse.removal.repeated import Repeated
from ibidem.reuse.removal.writing import PartFiles, Repetitions, write_part


def test_the_rows_of_a_part_are_counted_from_its_first(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": f"one two {name}"}) + "\n" for name in "cd"))
    reading = CountedDocuments(list_sources([path]), Columns.of("text", "id"))
    list(reading)
    passages = [(1, Repeated("b", 0, 3, 1, "a", 0, 3, 1.0)), (6, Repeated("d", 0, 4, 1, "a", 0, 4, 0.9))]
    repetitions = Repetitions(passages, documents=9, tokens=20, ignored=3, emptied=1)
    write_part(
        PartFiles(reading, [tmp_path / "out.jsonl"], 5), repetitions, "remove", tmp_path, Resources.of("64M", 1, None)
    )
    assert [json.loads(line)["text"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        "one two c",
        "two d",
    ]
    assert repetitions.count() == {
        "documents": 9,
        "tokens": 20,
        "passages": 2,
        "passage_tokens": 2,
        "ignored_passages": 3,
        "changed_documents": 2,
        "emptied_documents": 1,
    }
