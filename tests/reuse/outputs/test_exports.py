"""The formats of others, read back by readers that know nothing of ours."""

import dataclasses
import json
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import networkx
import pyarrow as pa
import pytest
from pyld import jsonld

from ibidem import find_reuse
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import Reuse

PASSAGE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
TEXTS = {"a<late>": f"He wrote: {PASSAGE}!", "b & early": PASSAGE, "c": "Nothing of the kind."}
YEARS = {"a<late>": 1800, "b & early": 1751, "c": 1900}
NAMESPACE = {"g": "http://graphml.graphdrawing.org/xmlns"}


def found_in(dated: bool) -> Reuse:
    given = [{"id": name, "text": text, "year": YEARS[name]} for name, text in TEXTS.items()]
    return find_reuse(given, date="year" if dated else None)


@pytest.mark.parametrize("dated", [False, True])
def test_graphml_has_a_node_for_each_document_and_edges_from_early_to_late(dated: bool, tmp_path: Path) -> None:
    export_reuse(found_in(dated), tmp_path, "graphml")
    root = ElementTree.parse(tmp_path / "documents.graphml").getroot()
    graph = root.find("g:graph", NAMESPACE)
    assert graph is not None
    assert graph.get("edgedefault") == ("directed" if dated else "undirected")
    assert [node.get("id") for node in graph.findall("g:node", NAMESPACE)] == list(TEXTS)
    declared = {key.get("id") for key in root.findall("g:key", NAMESPACE)}
    (edge,) = graph.findall("g:edge", NAMESPACE)
    values = {data.get("key"): float(data.text or "") for data in edge.findall("g:data", NAMESPACE)}
    assert set(values) <= declared
    ends = (edge.get("source"), edge.get("target"))
    assert ends == (("b & early", "a<late>") if dated else ("a<late>", "b & early"))
    early, late = ("a", "b") if dated else ("b", "a")
    assert values[f"{early}_identical_share"] == 1.0
    assert values[f"{late}_identical_share"] == pytest.approx(16 / 18)


@pytest.mark.parametrize("dated", [False, True])
def test_networkx_reads_the_graph_with_the_types_of_its_values(dated: bool, tmp_path: Path) -> None:
    reuse = found_in(dated)
    export_reuse(reuse, tmp_path, "graphml")
    graph = networkx.read_graphml(tmp_path / "documents.graphml")
    assert graph.is_directed() == dated
    documents = {row["document"]: row for row in reuse.documents.to_pylist()}
    assert dict(graph.nodes(data=True)) == {
        name: {"label": name, "tokens": row["tokens"], "reused": row["reused"]} for name, row in documents.items()
    }
    ((a, b, values),) = graph.edges(data=True)
    (row,) = reuse.document_pairs.to_pylist()
    assert (a, b) == (("b & early", "a<late>") if dated else (row["a"], row["b"]))
    assert (values["passages"], values["weight"]) == (1, row["evidence"])
    assert {values["a_words"], values["b_words"]} == {row["a_words"], row["b_words"]} == {16, 18}


def test_an_annotation_selects_the_passage(tmp_path: Path) -> None:
    export_reuse(found_in(dated=False), tmp_path, "web-annotation")
    annotations = [json.loads(line) for line in (tmp_path / "annotations.jsonl").read_text("utf-8").splitlines()]
    assert len({each["id"] for each in annotations}) == len(annotations) == 2
    assert len({each["body"] for each in annotations}) == 1
    for each in annotations:
        assert each["@context"] == "http://www.w3.org/ns/anno.jsonld"
        selector = each["target"]["selector"]
        assert selector["type"] == "TextPositionSelector"
        text = TEXTS[unquote(each["target"]["source"].removeprefix("urn:ibidem:document:"))]
        assert text[selector["start"] : selector["end"]] == PASSAGE


CONTEXT = {
    "oa": "http://www.w3.org/ns/oa#",
    "id": "@id",
    "type": "@type",
    "Annotation": "oa:Annotation",
    "TextPositionSelector": "oa:TextPositionSelector",
    "identifying": "oa:identifying",
    "motivation": {"@id": "oa:motivatedBy", "@type": "@vocab"},
    "body": {"@id": "oa:hasBody", "@type": "@id"},
    "target": {"@id": "oa:hasTarget", "@type": "@id"},
    "source": {"@id": "oa:hasSource", "@type": "@id"},
    "selector": {"@id": "oa:hasSelector", "@type": "@id"},
    "start": "oa:start",
    "end": "oa:end",
}
"""Of the context of the Web Annotation Vocabulary (appendix A), the terms that are used."""


def load_context(url: str, options: object) -> dict[str, object]:
    """The context of W3C's annotations, and nothing else of the world."""
    assert url == "http://www.w3.org/ns/anno.jsonld"
    return {"documentUrl": url, "contextUrl": None, "document": {"@context": CONTEXT}}


def test_an_annotation_is_triples_to_a_reader_of_json_ld(tmp_path: Path) -> None:
    export_reuse(found_in(dated=False), tmp_path, "web-annotation")
    for line in (tmp_path / "annotations.jsonl").read_text("utf-8").splitlines():
        read = jsonld.to_rdf(json.loads(line), {"documentLoader": load_context})
        triples = {
            (triple["subject"]["value"], triple["predicate"]["value"].partition("#")[2]): triple["object"]["value"]
            for triple in read["@default"]
        }
        assert len(triples) == 9
        annotation = json.loads(line)["id"]
        assert triples[annotation, "type"] == "http://www.w3.org/ns/oa#Annotation"
        assert triples[annotation, "motivatedBy"] == "http://www.w3.org/ns/oa#identifying"
        assert triples[annotation, "hasBody"].startswith("urn:ibidem:cluster:")
        target = triples[annotation, "hasTarget"]
        selector = triples[target, "hasSelector"]
        assert triples[selector, "type"] == "http://www.w3.org/ns/oa#TextPositionSelector"
        text = TEXTS[unquote(triples[target, "hasSource"].removeprefix("urn:ibidem:document:"))]
        assert text[int(triples[selector, "start"]) : int(triples[selector, "end"])] == PASSAGE


def test_the_later_document_is_the_suspicious_one_of_pan(tmp_path: Path) -> None:
    export_reuse(found_in(dated=True), tmp_path, "pan")
    (file,) = (tmp_path / "pan").iterdir()
    (feature,) = ElementTree.parse(file).getroot().findall("feature")
    place = (int(feature.get("this_offset") or -1), int(feature.get("this_length") or -1))
    assert TEXTS["a<late>"][place[0] : sum(place)] == PASSAGE
    assert feature.get("source_reference") == "b & early.txt"


def test_a_similar_pair_within_a_summary_is_a_part_of_it_in_pans_xml(tmp_path: Path) -> None:
    reuse = found_in(dated=True)
    (pair,) = reuse.pairs.to_pylist()
    summary = pair | {"kind": "summary", "a_start": 0, "b_end": pair["b_end"] + 1}
    outside = pair | {"a_start": 100, "a_end": 120}
    pairs = pa.Table.from_pylist([pair, summary, outside], reuse.pairs.schema)
    export_reuse(dataclasses.replace(reuse, pairs=pairs), tmp_path, "pan")
    (file,) = (tmp_path / "pan").iterdir()
    features = ElementTree.parse(file).getroot().findall("feature")
    assert [int(feature.get("this_offset") or 0) for feature in features] == [0, 100]


def test_an_id_with_a_slash_names_a_file_by_an_escape(tmp_path: Path) -> None:
    export_reuse(find_reuse([("a/b", PASSAGE), ("c", PASSAGE)]), tmp_path, "pan")
    assert [path.name for path in (tmp_path / "pan").iterdir()] == ["c-a%2Fb.xml"]


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a format is one of graphml, .* not 'rtf'"):
        export_reuse(found_in(dated=False), tmp_path, "rtf")
