"""Files are written without the passages that go."""

import json
from pathlib import Path

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import Inputs
from ibidem.corpus.rows import Columns
from ibidem.corpus.writing.kept import place_files
from ibidem.resources import Resources
from ibidem.reuse.removal.result import Repeated
from ibidem.reuse.removal.writing import write_files


def test_the_rows_of_files_are_counted_one_file_after_another(tmp_path: Path) -> None:
    paths = [tmp_path / "in/a.jsonl", tmp_path / "in/b.jsonl"]
    paths[0].parent.mkdir()
    for path, names in zip(paths, ("ab", "cd"), strict=True):
        path.write_text("".join(json.dumps({"id": name, "text": f"one two {name}"}) + "\n" for name in names))
    [part] = Inputs([tmp_path / "in"], Columns.of("text", "id")).cut()
    passages = {3: [Repeated("d", 0, 4, 1, "a", 0, 4, 0.9)]}

    def edit(text: str, passages: list[Repeated]) -> str:
        return text[passages[0].end :]

    write_files(part, Failures(), [2, 2], passages, edit, {}, tmp_path / "out", Resources.of("64M", 1, None))
    first, second = place_files(part, tmp_path / "out/kept")
    assert first.read_bytes() == paths[0].read_bytes()
    assert [json.loads(line)["text"] for line in second.read_text().splitlines()] == ["one two c", "two d"]
