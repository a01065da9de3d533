"""What the page reads of an answer."""

import json

from ibidem.web.projects.runs import Run
from ibidem.web.projects.views import read_lines, read_view


def test_lines_are_those_of_the_file(answered: Run) -> None:
    path = answered.answer / "comparisons"
    lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_bytes().splitlines()]
    assert json.loads(read_lines(path, 0, len(lines))) == lines
    assert json.loads(read_lines(path, 1, 1)) == lines[1:2]
    for first, count in ((len(lines), 1), (-1, 5), (0, 0), (10**12, 3), (0, -4)):
        assert json.loads(read_lines(path, first, count)) == []


def test_texts_stand_in_the_order_of_the_documents(answered: Run) -> None:
    view = json.loads(read_view(answered.answer))
    texts = json.loads(read_lines(answered.answer / "documents", 0, len(view["documents"])))
    assert [len(text.split()) for text in texts] == [each["words"] for each in view["documents"]]


def test_the_longest_run_is_the_longest_of_the_comparisons(answered: Run) -> None:
    view = json.loads(read_view(answered.answer))
    lines = [json.loads(line) for line in (answered.answer / "comparisons.jsonl").read_bytes().splitlines()]
    for pair in view["documentPairs"]:
        words = [
            len(line["a"]["text"][start - line["a"]["start"] : end - line["a"]["start"]].split())
            for line in (lines[row] for row in pair["rows"])
            for kind, start, end, *_ in line["runs"]
            if kind in ("equal", "moved")
        ]
        assert pair["longest"] == max(words)
