import gzip
from pathlib import Path

from ibidem.corpus import ReadingProgress, read

LINE = '{"text": "in the same place"}\n'


def test_bytes_are_counted_while_files_are_read_and_all_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE * 100_000)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINE.encode() * 1000))
    (tmp_path / "c.txt").write_text("in the same place")
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    progress = ReadingProgress()
    assert (progress.total, progress.done()) == (None, 0)
    documents = read(tmp_path, batch_bytes=1 << 20, progress=progress)
    assert progress.total == size
    seen = [progress.done() for _ in documents]
    assert len(seen) > 2
    assert 0 < seen[0] < seen[1] < size
    assert seen == sorted(seen)
    assert progress.done() == size


def test_the_whole_of_a_pipe_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    progress = ReadingProgress()
    read([tmp_path / "a.jsonl", "-"], progress=progress)
    assert progress.total is None


def test_the_bytes_of_inputs_that_are_named_one_after_the_other_add_up(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    (tmp_path / "b.jsonl").write_text(LINE * 2)
    progress = ReadingProgress()
    parts = [read(tmp_path / name, progress=progress) for name in ("a.jsonl", "b.jsonl")]
    assert progress.total == 3 * len(LINE)
    assert sum(len(batch.ids) for part in parts for batch in part) == 3
    assert progress.done() == progress.total
    read("-", progress=progress)
    read(tmp_path / "a.jsonl", progress=progress)
    assert progress.total is None
