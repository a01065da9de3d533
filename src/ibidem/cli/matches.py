"""Matches as lines of JSON, with the texts of both sides unless they are to be left out."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ibidem.cli.terminal import write_json
from ibidem.locators import describe_place, without_locators

if TYPE_CHECKING:
    from ibidem import Alignment, Document, DocumentMatch, Match, Matches, SketchMatch, UnitPair


def write_matches(query: "Document", matches: "Matches", *, with_text: bool) -> None:
    """Write a line for each match, with its fields that are not empty and the columns of the query."""
    from ibidem.text.look_alikes import count_look_alikes

    for match in matches:
        record = match_record(match, query.text if with_text else None)
        if words := count_look_alikes(query.text[match.query_start : match.query_end]):
            record["query_look_alikes"] = words
        if place := describe_place(query.metadata, match.query_start, match.query_end):
            record["query_locator"] = place
        if metadata := without_locators(query.metadata):
            record["query_metadata"] = metadata
        write_json(record)


def write_fields(query: "Document", matches: "Iterable[SketchMatch | DocumentMatch]", *, with_text: bool) -> None:
    """Write a line for each match of sketches or of documents, as ``write_matches`` does."""
    import msgspec

    for match in matches:
        fields: dict[str, Any] = {"query": query.id} | msgspec.to_builtins(match) | {"query": query.id}
        fields |= {
            "metadata": without_locators(match.metadata),
            "locator": getattr(match, "locator", ""),
            "query_metadata": without_locators(query.metadata),
        }
        silent = {name for name, value in fields.items() if value in (None, {}, "")}
        if not with_text:
            silent.add("text")
        write_json({name: value for name, value in fields.items() if name not in silent})


def write_pair(
    pair: "Alignment | UnitPair",
    sides: "tuple[Document, Document]",
    *,
    with_text: bool,
    names: Mapping[str, str] | None = None,
) -> None:
    """Write a line for passages or units of two documents, with their columns; ``names`` say which these are."""
    from ibidem.comparison.records import pair_record

    write_json(pair_record(pair, sides, with_text=with_text, names=names))


def match_record(match: "Match", query: str | None) -> dict[str, Any]:
    """The fields of a match, the query's passage beside the document's; without a ``query`` there are no texts."""
    import msgspec

    from ibidem.text.look_alikes import count_look_alikes

    fields: dict[str, Any] = msgspec.to_builtins(match)
    fields["metadata"] = without_locators(match.metadata)
    if match.locator:
        fields["locator"] = match.locator
    if words := count_look_alikes(match.text):
        fields["look_alikes"] = words
    silent = {
        name for name in ("metadata", "starts", "ends", "containment", "expected") if fields.get(name) in (None, {})
    }
    if match.kind == "similar":
        silent.add("kind")
    record = {}
    for name, value in fields.items():
        if name != "text" and name not in silent:
            record[name] = value
        elif name == "text" and query is not None:
            record |= {"text": value, "query_text": query[match.query_start : match.query_end]}
    return record
