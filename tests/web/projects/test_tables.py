"""Tables for other programs."""

import csv
from xml.etree import ElementTree

from ibidem.web.projects.projects import Project

from .conftest import answer_here, bring


def test_two_editions_are_exported_by_the_verses_that_their_files_name(project: Project) -> None:
    def edition(*verses: str) -> bytes:
        body = "".join(f'<l n="{number}">{verse}</l>' for number, verse in verses)
        return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><lg>{body}</lg></body></text></TEI>'.encode()

    first = [("1", "And the evening was."), ("2", "He saw that all of it was good."), ("3", "Then he rested.")]
    second = [
        ("1", "And the euening was."),
        ("2", "A new verse stands in between."),
        ("3", first[1][1]),
        ("4", first[2][1]),
    ]
    bring(project, {"1611.xml": edition(*first), "1769.xml": edition(*second)})
    run = answer_here(project, "align", min_pair_length=4)
    rows = list(csv.reader((run.answer / "units.csv").read_text("utf-8").splitlines()))
    assert [row[:2] for row in rows[1:]] == [
        ["verse 1", "verse 1"],
        ["", "verse 2"],
        ["verse 2", "verse 3"],
        ["verse 3", "verse 4"],
    ]
    assert [row[3:] for row in rows[1:3]] == [[first[0][1], second[0][1]], ["", second[1][1]]]
    apparatus = ElementTree.parse(run.answer / "apparatus.xml")
    readings = [each.text for each in apparatus.iter("{http://www.tei-c.org/ns/1.0}rdg")]
    assert readings[:2] == ["evening", "euening"]
    named = [each.get("n") for each in apparatus.iter("{http://www.tei-c.org/ns/1.0}milestone")]
    assert named == ["verse 1", "verse 2", "verse 3"]
