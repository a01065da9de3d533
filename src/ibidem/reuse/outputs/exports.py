"""The result in formats that other programs read: GraphML, W3C Web Annotation, PAN's XML, TEI, and those of rivals.

- *graphml*: ``documents.graphml``, the graph of documents for Gephi, Cytoscape, igraph or networkx. A node has the id,
  also as its ``label``, and the number of tokens, an edge how many passages two documents share and how many words of
  either. Its ``weight`` is the evidence. If dates were asked for, it goes from the earlier document to the later.
- *web-annotation*: ``annotations.jsonl``, for each passage an annotation (https://www.w3.org/TR/annotation-model/) that
  identifies it with its cluster; the place is a ``TextPositionSelector``. If elements of the original or boxes on its
  pages are known, each is one more target, with a ``FragmentSelector``.
- *pan*: ``pan/``, a file of PAN's XML for each two documents; the later one, or the second by its id, is suspicious.
  Similar pairs that lie in a summary are a part of it.
- *tei*, *passim*, *textpair*, *kitab*: see the modules of these names.
- the name of an entry point of the group ``ibidem.exports``: a function of another package that is called as ours are,
  with the result and a folder that exists.

In XML and in KITAB's tables, a control character of an id is ``\\u`` and four digits (:mod:`ibidem.text.escapes`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from ibidem.comparison.shares import COUNTS
from ibidem.evaluation import Case, write_pan
from ibidem.evaluation.pan import drop_parts_of_summaries
from ibidem.plugins import find_plugins, load_plugin
from ibidem.reuse.outputs.document_texts import DocumentPlaces
from ibidem.reuse.outputs.kitab import write_kitab
from ibidem.reuse.outputs.passim import write_passim
from ibidem.reuse.outputs.result import Reuse, is_later, read_dates
from ibidem.reuse.outputs.tei import write_tei
from ibidem.reuse.outputs.textpair import write_textpair
from ibidem.text.escapes import escape_controls
from ibidem.text.json_values import format_json

Export = Callable[[Reuse, Path], None]
"""Writes a result into a folder that exists."""

_GROUP = "ibidem.exports"

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"

_NODE_KEYS = {"label": "string", "tokens": "long", "reused": "double"}
_EDGE_KEYS = {"weight": "double", "passages": "long", "evidence": "double"}
_EDGE_KEYS |= {f"{side}_{name}": "long" for side in "ab" for name in COUNTS}
_EDGE_KEYS |= {f"{side}_{name}_share": "double" for side in "ab" for name in ("identical", "similar")}


def export_reuse(reuse: Reuse, folder: Path, format: str) -> None:
    """Write a result into ``folder``, in one more format.

    Raises:
        ValueError: no format has this name.
        ConfigurationError: it is that of a package which cannot be imported.
        CorpusError: this format cannot hold an id.
    """
    find_export(format)(reuse, folder)


def find_export(format: str) -> Export:
    """The function that writes a format: ours, or that of another package.

    Raises:
        ValueError: no format has this name.
        ConfigurationError: it is that of a package which cannot be imported.
    """
    if format in EXPORTS:
        return EXPORTS[format]
    plugins = find_plugins(_GROUP)
    if format not in plugins:
        raise ValueError(f"a format is one of {', '.join([*EXPORTS, *sorted(plugins)])}, not {format!r}")
    export: Export = load_plugin(plugins[format], "export")
    return export


def _write_graphml(reuse: Reuse, folder: Path) -> None:
    dates = read_dates(reuse)
    root = ElementTree.Element("graphml", {"xmlns": _GRAPHML})
    for owner, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys.items():
            facts = {"id": name, "for": owner, "attr.name": name, "attr.type": kind}
            ElementTree.SubElement(root, "key", facts)
    graph = ElementTree.SubElement(root, "graph", {"id": "reuse", "edgedefault": "directed" if dates else "undirected"})
    for document in reuse.documents.select(["document", "tokens", "reused"]).to_pylist():
        name = escape_controls(document["document"])
        _add_data(ElementTree.SubElement(graph, "node", {"id": name}), _NODE_KEYS, document | {"label": name})
    for pair in reuse.document_pairs.to_pylist():
        if is_later(dates, pair["a"], pair["b"]):
            pair = _exchange(pair)
        ends = {"source": escape_controls(pair["a"]), "target": escape_controls(pair["b"])}
        edge = ElementTree.SubElement(graph, "edge", ends)
        _add_data(edge, _EDGE_KEYS, pair | {"weight": pair["evidence"]})
    tree = ElementTree.ElementTree(root)
    ElementTree.indent(tree)
    tree.write(folder / "documents.graphml", encoding="utf-8", xml_declaration=True)


def _add_data(element: ElementTree.Element, keys: dict[str, str], values: dict[str, Any]) -> None:
    for name in keys:
        ElementTree.SubElement(element, "data", {"key": name}).text = str(values[name])


def _exchange(pair: dict[str, Any]) -> dict[str, Any]:
    """The same pair of documents, the other first."""
    other_side = {"a": "b", "b": "a"}
    return {
        (other_side[name[0]] + name[1:] if name[:2] in ("a", "b", "a_", "b_") else name): value
        for name, value in pair.items()
    }


def _write_annotations(reuse: Reuse, folder: Path) -> None:
    places = DocumentPlaces(reuse.collection)
    with (folder / "annotations.jsonl").open("x", encoding="utf-8", newline="\n") as file:
        for row in reuse.passages.to_pylist():
            place = f"{quote(row['document'], safe='')}:{row['start']}-{row['end']}"
            annotation = {
                "@context": "http://www.w3.org/ns/anno.jsonld",
                "id": f"urn:ibidem:passage:{place}",
                "type": "Annotation",
                "motivation": "identifying",
                "body": f"urn:ibidem:cluster:{row['cluster']}",
                "target": _list_targets(row, places),
            }
            file.write(format_json(annotation) + "\n")


def _list_targets(row: dict[str, Any], places: DocumentPlaces) -> Any:
    """Return the targets of an annotation: a stretch of the text, and elements and boxes of the original if known."""
    source = f"urn:ibidem:document:{quote(row['document'], safe='')}"
    text = {"source": source, "selector": {"type": "TextPositionSelector", "start": row["start"], "end": row["end"]}}
    fragments = [
        {"source": source, "selector": {"type": "FragmentSelector", **selector}}
        for id, box in places.pointers(row["document"], row["start"], row["end"])
        for selector in (
            *([{"value": id}] if id else []),
            *([{"conformsTo": "http://www.w3.org/TR/media-frags/", "value": box}] if box else []),
        )
    ]
    return [text, *fragments] if fragments else text


def _write_pan_files(reuse: Reuse, folder: Path) -> None:
    dates = read_dates(reuse)
    pairs = reuse.pairs.to_pylist()
    cases = []
    for pair in pairs:
        suspicious, source = "ab" if is_later(dates, pair["a"], pair["b"]) else "ba"
        cases.append(
            Case(
                suspicious=pair[suspicious],
                start=pair[f"{suspicious}_start"],
                end=pair[f"{suspicious}_end"],
                source=pair[source],
                source_start=pair[f"{source}_start"],
                source_end=pair[f"{source}_end"],
            )
        )
    write_pan(folder / "pan", drop_parts_of_summaries(cases, [pair["kind"] for pair in pairs]))


EXPORTS: dict[str, Export] = {
    "graphml": _write_graphml,
    "web-annotation": _write_annotations,
    "pan": _write_pan_files,
    "tei": write_tei,
    "passim": write_passim,
    "textpair": write_textpair,
    "kitab": write_kitab,
}
