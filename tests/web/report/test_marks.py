"""What was said of pairs, from a file into a report."""

import json
from pathlib import Path
from typing import Any

import pytest

from ibidem.web.report import Findings, FoundPair, ReportOptions, Source, write_report
from ibidem.web.report.marks import Mark, read_marks


def read_report(path: Path) -> Any:
    return json.loads(path.read_text("utf-8").partition('id="report">')[2].partition("</script>")[0])


def test_rows_that_say_nothing_are_left_out_and_a_missing_column_is_named() -> None:
    assert read_marks(["a,b,mark", "x,y,", "x,z,quotation", ",z,quotation"]) == [Mark("x", "z", "quotation", "")]
    assert read_marks(["note,mark,b,a", "<b>,,y,x"]) == [Mark("x", "y", "", "<b>")]
    with pytest.raises(ValueError, match="lacks b, mark: a file of marks has the columns a, b, mark, note"):
        read_marks(["a,c", "x,y"])


def test_a_report_has_the_marks_of_its_documents_and_no_names_in_them(tmp_path: Path) -> None:
    texts = {name: Source(f"{name}: all the world is a stage") for name in ("ann.txt", "ben.txt")}
    pair = FoundPair("ben.txt", 0, None, "ann.txt", 0, None, 0.9)
    marks = [
        Mark("ann.txt", "ben.txt", "quotation", "Ann says </script> so"),
        Mark("ann.txt", "z", "nothing to discuss", ""),
    ]
    options = ReportOptions(anonymous=True, blank=["Ann"], marks=marks)
    write_report(tmp_path / "report.html", Findings([pair]), texts, options)
    said = read_report(tmp_path / "report.html")["marks"]
    assert said == [[1, 0, "quotation", "███ says </script> so"]]
