"""What is taken away from an answer."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import Mark
from ibidem.web.projects.runs import Run
from ibidem.web.projects.showing import AskedReport, list_downloads, make_report, open_download

from .samples import COPIED, PLANTED


def test_a_report_without_names_has_none_and_the_key_has_them(answered: Run, tmp_path: Path) -> None:
    name = COPIED.split()[20]
    a, b = sorted(PLANTED)[0]
    marks = [Mark(a, b, "quotation", f"{name} on page 3"), Mark("gone.txt", b, "no reuse", "of a file that is gone")]
    report, key = make_report(answered.answer, tmp_path, AskedReport("A case", names=False, blank=[name]), marks)
    page = report.decode()
    [said] = json.loads(page.partition('id="report">')[2].partition("</script>")[0])["marks"]
    assert said[2:] == ["quotation", f"{'█' * len(name)} on page 3"]
    assert "gone" not in page
    assert "A case" in page
    assert "Document 1" in page
    assert not [each for pair in PLANTED for each in pair if each in page]
    assert f" {name} " not in page
    assert "█" * len(name) in page
    rows = list(csv.DictReader(io.StringIO(key.decode())))
    assert {row["document"] for row in rows} >= {each for pair in PLANTED for each in pair}
    assert [row["number"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]


def test_a_report_names_no_folder_of_this_machine(answered: Run, tmp_path: Path) -> None:
    report, _ = make_report(answered.answer, tmp_path, AskedReport("A case"))
    assert str(answered.folder.parents[3]) not in report.decode()
    assert '"rest":"reuse"' in report.decode()


def test_tables_of_pairs_have_the_marks(answered: Run) -> None:
    a, b = sorted(PLANTED)[0]
    for name in ("document_pairs.csv", "pairs.csv"):
        data, _ = open_download(answered.answer, name, [Mark(b, a, "quotation", 'page "3",\nbelow')])
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        said = {(row["mark"], row["note"]) for row in rows if {row["a"], row["b"]} == {a, b}}
        assert said == {("quotation", 'page "3",\nbelow')}
        assert {row["mark"] for row in rows if {row["a"], row["b"]} != {a, b}} == {""}
        without = [{key: row[key] for key in row if key not in ("mark", "note")} for row in rows]
        plain = (answered.answer / name).read_text("utf-8")
        assert without == list(csv.DictReader(io.StringIO(plain, newline="")))


def test_all_that_is_listed_can_be_had(answered: Run) -> None:
    names = list_downloads(answered.answer)
    assert names[-1] == "report.html"
    for name in names[:-1]:
        data, kind = open_download(answered.answer, name)
        assert data
        if kind == "application/zip":
            assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    for name in ("../ask.json", "view.json", "", "kept.zip"):
        with pytest.raises(ProblemError):
            open_download(answered.answer, name)
