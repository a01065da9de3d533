"""What is taken away from an answer."""

import csv
import io
import json
import zipfile
from typing import Any

import pytest

from ibidem.web.problems import ProblemError
from ibidem.web.projects.runs import Run
from ibidem.web.projects.saving import ReportRequest, list_downloads, open_download, save_report
from ibidem.web.report.marks import Mark

from .samples import COPIED, PLANTED


def test_a_report_without_names_has_none_and_the_key_has_them(answered: Run) -> None:
    name = COPIED.split()[20]
    a, b = sorted(PLANTED)[0]
    marks = [
        Mark(a, b, "quotation", f"{name} on page 3"),
        Mark("gone.txt", b, "nothing to discuss", "of a file that is gone"),
    ]
    asked = {"title": "A case", "names": False, "blank": [name]}
    page = save_report(answered.answer, report_of(answered, **asked), marks).data.decode()
    key = save_report(answered.answer, report_of(answered, key=True, **asked), marks).data.decode("utf-8-sig")
    [said] = json.loads(page.partition('id="report">')[2].partition("</script>")[0])["marks"]
    assert said[2:] == ["quotation", f"{'█' * len(name)} on page 3"]
    assert "gone.txt" not in page
    assert "A case" in page
    assert not [each for pair in PLANTED for each in pair if each in page]
    assert f" {name} " not in page
    assert "█" * len(name) in page
    rows = list(csv.DictReader(io.StringIO(key)))
    assert {row["document"] for row in rows} >= {each for pair in PLANTED for each in pair}
    assert [row["number"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]


def report_of(run: Run, **asked: Any) -> ReportRequest:
    """A request for a report."""
    return ReportRequest(project=run.folder.parent.parent.name, run=run.id, **asked)


def test_a_report_says_what_was_asked_and_names_no_folder(answered: Run) -> None:
    report = save_report(answered.answer, report_of(answered)).data.decode()
    assert str(answered.folder.parents[3]) not in report
    view = json.loads(report.partition('id="report">')[2].partition("</script>")[0])
    assert view["settings"]["quotations"] == 5
    assert [pair["longest"] for pair in view["documentPairs"]] == [
        pair["longest"] for pair in json.loads((answered.answer / "view.json").read_bytes())["documentPairs"]
    ]


def test_tables_of_pairs_have_the_marks(answered: Run) -> None:
    a, b = sorted(PLANTED)[0]
    for name in ("document_pairs.csv", "pairs.csv"):
        data = open_download(answered.answer, name, [Mark(b, a, "quotation", 'page "3",\nbelow')]).data
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        said = {(row["mark"], row["note"]) for row in rows if {row["a"], row["b"]} == {a, b}}
        assert said == {("quotation", 'page "3",\nbelow')}
        assert {row["mark"] for row in rows if {row["a"], row["b"]} != {a, b}} == {""}
        without = [{key: row[key] for key in row if key not in ("mark", "note")} for row in rows]
        plain = (answered.answer / name).read_text("utf-8")
        assert without == list(csv.DictReader(io.StringIO(plain, newline="")))


def test_all_that_is_listed_can_be_had(answered: Run) -> None:
    names = list_downloads(answered.answer)
    for name in names:
        data, _, kind = open_download(answered.answer, name)
        assert data
        if kind == "application/zip":
            packed = zipfile.ZipFile(io.BytesIO(data))
            assert packed.testzip() is None
            assert not any("state/" in file for file in packed.namelist())
    for name in ("../ask.json", "view.json", "", "kept.zip"):
        with pytest.raises(ProblemError):
            open_download(answered.answer, name)
