"""Files are written without the passages that go."""

import json
from pathlib import Path

from ibidem.corpus.listing import list_sources
from ibidem.corpus.reading import CountedDocuments
from ibidem.corpus.rows import Columns
from ibidem.resources import Resources
from ibidem.reuse.removal.result import Repeated
from ibidem.reuse.removal.writing import write_files


def test_the_rows_of_files_are_counted_one_file_after_another(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, names in zip(paths, ("ab", "cd"), strict=True):
        path.write_text("".join(json.dumps({"id": name, "text": f"one two {name}"}) + "\n" for name in names))
    reading = CountedDocuments(list_sources(paths), Columns.of("text", "id"))
    list(reading)
    passages = {3: [Repeated("d", 0, 4, 1, "a", 0, 4, 0.9)]}
    targets = [tmp_path / "out" / path.name for path in paths]
    write_files(reading, targets, passages, "remove", Resources.of("64M", 1, None))
    assert targets[0].read_bytes() == paths[0].read_bytes()
    assert [json.loads(line)["text"] for line in targets[1].read_text().splitlines()] == ["one two c", "two d"]
