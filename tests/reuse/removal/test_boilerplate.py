"""What many documents hold word for word goes everywhere, and nothing else."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import inputs
from ibidem.errors import CorpusError
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

MENU, NOTICE = "Home | News | About", "This site uses cookies to remember what you have read."
PAGES = [f"{MENU}\n  Story {'abcdefgh'[n]} of {n * 7} boats.\n\n{NOTICE}" for n in range(8)]


def write(folder: Path, texts: list[str]) -> Path:
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts)))
    return path


def run(folder: Path, texts: list[str], **options: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows that are kept, and the summary."""
    out = folder / f"out{len(list(folder.iterdir()))}"
    written = deduplicate_passages_of_files(write(folder, texts), out, threads=1, **options)
    return [json.loads(line) for line in (out / "kept/a.jsonl").read_text().splitlines()], written.summary


def without_lines(texts: list[str], least: int) -> list[str]:
    """The oracle: the texts without the lines that so many hold."""
    counts = Counter(line for text in texts for line in {each.strip() for each in text.splitlines()})
    return [
        "".join(line for line in text.splitlines(keepends=True) if not line.strip() or counts[line.strip()] < least)
        for text in texts
    ]


def test_lines_that_so_many_documents_hold_go_from_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "PART_BYTES", 200)
    kept, summary = run(tmp_path, PAGES, min_documents=8, boundary="lines")
    assert [row["text"] for row in kept] == without_lines(PAGES, 8)
    assert (summary["passages"], summary["changed_documents"], summary["emptied_documents"]) == (16, 8, 0)
    listed = [json.loads(line) for line in (tmp_path / "out0/passages.jsonl").read_text().splitlines()]
    assert listed == [{"removed": 8, "text": MENU}, {"removed": 8, "text": NOTICE}]
    kept, summary = run(tmp_path, PAGES, min_documents=9, boundary="lines")
    assert [row["text"] for row in kept] == PAGES
    assert summary["passages"] == 0


@given(st.lists(st.lists(st.sampled_from(["a b", " a b", "c", "", "d e f"]), max_size=6), min_size=1, max_size=6))
def test_lines_are_those_that_a_filter_of_lines_removes(pages: list[list[str]]) -> None:
    import tempfile

    texts = ["\n".join(page) for page in pages]
    with tempfile.TemporaryDirectory() as folder:
        kept, _ = run(Path(folder), texts, min_documents=2, boundary="lines")
    assert [row["text"] for row in kept] == without_lines(texts, 2)


def test_a_notice_that_is_cut_short_or_in_a_line_goes_as_a_run_of_tokens(tmp_path: Path) -> None:
    texts = [*PAGES, f"Boats left at noon. {NOTICE} And back at nine.", f"One lamp is out. {NOTICE[:30]}"]
    kept, _ = run(tmp_path, texts, min_documents=8, min_length=5)
    assert kept[8]["text"] == "Boats left at noon. And back at nine."
    assert kept[9]["text"] == "One lamp is out. reme"
    assert all("cookies" not in row["text"] for row in kept)


def test_the_passages_are_listed_in_a_column_or_masked(tmp_path: Path) -> None:
    kept, _ = run(tmp_path, PAGES, min_documents=8, boundary="lines", action="annotate")
    assert [row["text"] for row in kept] == PAGES
    places = [[(each["start"], each["end"]) for each in row["repeated"]] for row in kept]
    assert places[0] == [(0, len(MENU) + 1), (len(PAGES[0]) - len(NOTICE), len(PAGES[0]))]
    assert {each["documents"] for row in kept for each in row["repeated"]} == {8}
    kept, _ = run(tmp_path, PAGES, min_documents=8, boundary="lines", action="mask")
    assert [len(row["text"]) for row in kept] == list(map(len, PAGES))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_documents": 1}, "min_documents is a number from 2 on, not 1"),
        ({"min_documents": 2, "threshold": 0.5}, "threshold has no part in min_documents"),
        ({"min_documents": 2, "boundary": "lines", "min_length": 9}, "min_length has no part in min_documents"),
    ],
)
def test_what_has_no_part_in_counting_is_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(tmp_path, PAGES, **options)


def test_two_documents_of_one_id_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n')
    with pytest.raises(CorpusError, match=r"line 2: a second document of the id '1'"):
        deduplicate_passages_of_files(path, tmp_path / "out", min_documents=2, threads=1)
    written = deduplicate_passages_of_files(path, tmp_path / "out", min_documents=2, duplicate_ids="number", threads=1)
    assert written.summary["documents"] == 2
