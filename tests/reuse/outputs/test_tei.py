"""TEI: what other programs read of it, and what its schema asks for."""

from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from lxml import etree

from ibidem import find_reuse
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import Reuse

from .conftest import PASSAGE, TEXTS

NAMES = {"t": "http://www.tei-c.org/ns/1.0"}
ID = "{http://www.w3.org/XML/1998/namespace}id"


def passage_at(target: str) -> str:
    """The characters that a pointer names (RFC 5147)."""
    document, _, place = target.partition("#char=")
    start, end = map(int, place.split(","))
    return TEXTS[unquote(document)][start:end]


def test_spans_name_the_passages_and_links_their_clusters_and_sources(reuse: Reuse, target: Path) -> None:
    export_reuse(reuse, target, "tei")
    root = ElementTree.parse(target / "reuse.xml").getroot()
    assert root.tag == f"{{{NAMES['t']}}}TEI"
    assert [child.tag.rpartition("}")[2] for child in root] == ["teiHeader", "standOff"]
    spans = {span.get(ID): span for span in root.findall(".//t:spanGrp/t:span", NAMES)}
    assert len(spans) == 3
    for span in spans.values():
        assert PASSAGE[:20] in passage_at(span.get("target") or "")
    clusters = root.findall(".//t:linkGrp[@type='clusters']/t:link", NAMES)
    assert [set((link.get("target") or "").split()) for link in clusters] == [{f"#{name}" for name in spans}]
    assert {span.get("ana") for span in spans.values()} == {f"#{clusters[0].get(ID)}"}
    sources = root.findall(".//t:linkGrp[@type='sources']/t:link", NAMES)
    assert len(sources) == 2
    ids = [element.get(ID) for element in root.iter() if element.get(ID)]
    assert len(ids) == len(set(ids))


def test_a_result_without_a_passage_has_a_list_of_none(target: Path) -> None:
    export_reuse(find_reuse([("a", "one"), ("b", "two")]), target, "tei")
    assert ElementTree.parse(target / "reuse.xml").getroot().find(".//t:span", NAMES) is None


@pytest.fixture(scope="module")
def schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(Path(__file__).with_name("tei_stand_off.rng")))


def test_what_is_written_is_valid_by_the_guidelines(reuse: Reuse, target: Path, schema: etree.RelaxNG) -> None:
    export_reuse(reuse, target, "tei")
    document = etree.parse(target / "reuse.xml")
    assert schema.validate(document), schema.error_log
    link = document.find(".//t:link", NAMES)
    assert link is not None
    link.set("target", "#p1")
    assert not schema.validate(document)  # a link joins two places at least


def test_a_result_without_a_passage_is_valid_too(target: Path, schema: etree.RelaxNG) -> None:
    export_reuse(find_reuse([("a", "one"), ("b", "two")]), target, "tei")
    assert schema.validate(etree.parse(target / "reuse.xml")), schema.error_log
