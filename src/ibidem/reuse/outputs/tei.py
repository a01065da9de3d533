"""TEI P5: ``reuse.xml``, annotations apart from the texts, in a ``standOff``.

A ``spanGrp`` has a ``span`` for each passage; its target is the document and the range of characters (RFC
5147), and its ``ana`` the cluster. If the place in the original is known, it is in ``n`` (``page 3, line 12``), and
its ``corresp`` points to the elements of the original that have an ``xml:id``. A ``linkGrp`` has a ``link`` for each
cluster, with its passages as targets, and another one for each pair of likely source and witness, if dates were asked
for. The texts themselves are not in it.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from ibidem.reuse.outputs.document_texts import DocumentPlaces
from ibidem.reuse.outputs.result import Reuse
from ibidem.text.escapes import escape_controls

_TEI = "http://www.tei-c.org/ns/1.0"
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def write_tei(reuse: Reuse, folder: Path) -> None:
    """Write ``folder/reuse.xml``."""
    root = ElementTree.Element("TEI", {"xmlns": _TEI})
    _add_header(root)
    stand_off = ElementTree.SubElement(root, "standOff")
    spans = ElementTree.SubElement(stand_off, "spanGrp", {"type": "passages"})
    passages, places = reuse.passages.to_pylist(), DocumentPlaces(reuse.collection)
    names = {(row["document"], row["start"], row["end"]): f"p{number}" for number, row in enumerate(passages, 1)}
    members: dict[str, list[str]] = defaultdict(list)
    for number, row in enumerate(passages, 1):
        facts = {_ID: f"p{number}", "target": _point_to(row["document"], row["start"], row["end"])}
        facts |= {"ana": f"#c{row['cluster']}"} | _describe_original(row, places)
        ElementTree.SubElement(spans, "span", facts)
        members[row["cluster"]].append(f"#p{number}")
    clusters = {name: targets for name, targets in members.items() if len(targets) > 1}
    _add_links(stand_off, "clusters", {f"c{name}": targets for name, targets in clusters.items()})
    sources = {
        f"s{number}": ["#" + names[row["source"], row["source_start"], row["source_end"]], f"#p{number}"]
        for number, row in enumerate(passages, 1)
        if row["source"] is not None
    }
    _add_links(stand_off, "sources", sources)
    tree = ElementTree.ElementTree(root)
    ElementTree.indent(tree)
    tree.write(folder / "reuse.xml", encoding="utf-8", xml_declaration=True)


def _point_to(id: str, start: int, end: int) -> str:
    return f"{quote(id)}#char={start},{end}"


def _describe_original(row: dict[str, Any], places: DocumentPlaces) -> dict[str, str]:
    """Return where a passage lies in the original, as attributes of its span."""
    pointers = [id for id, _ in places.pointers(row["document"], row["start"], row["end"]) if id]
    facts = {"n": escape_controls(row["locator"])} if row.get("locator") else {}
    if pointers:
        facts["corresp"] = " ".join(f"{quote(row['document'])}#{quote(id)}" for id in pointers)
    return facts


def _add_links(parent: ElementTree.Element, kind: str, links: dict[str, list[str]]) -> None:
    """A group of links, if there is one; TEI has no empty groups."""
    if links:
        group = ElementTree.SubElement(parent, "linkGrp", {"type": kind})
        for name, targets in links.items():
            ElementTree.SubElement(group, "link", {_ID: name, "target": " ".join(targets)})


def _add_header(root: ElementTree.Element) -> None:
    description = ElementTree.SubElement(ElementTree.SubElement(root, "teiHeader"), "fileDesc")
    statements = (("titleStmt", "title", "Text reuse"), ("publicationStmt", "p", "Not published"))
    for statement, element, text in (
        *statements,
        ("sourceDesc", "p", "Passages of a collection, found by ibidem reuse"),
    ):
        ElementTree.SubElement(ElementTree.SubElement(description, statement), element).text = text
