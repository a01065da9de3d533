"""Passages, units and words of two documents as records: what the command line, the app and the service write."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from ibidem.locators import describe_place, without_locators
from ibidem.text.look_alikes import count_look_alikes

if TYPE_CHECKING:
    from ibidem.comparison.text_shares import Shares
    from ibidem.comparison.units import UnitPair
    from ibidem.spans import Alignment
    from ibidem.text import Document


def pair_record(
    pair: "Alignment | UnitPair",
    sides: "tuple[Document, Document]",
    *,
    with_text: bool = True,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The fields of a pair, its texts and places, and the columns of the documents; ``names`` say which these are.

    Where words of a passage have letters of another script in place of their own, ``a_look_alikes`` counts these words.
    """
    a, b = sides
    record: dict[str, Any] = dict(names or {}) | msgspec.to_builtins(pair)
    if with_text:
        record["a_text"] = a.text[pair.a_start : pair.a_end]
        record["b_text"] = b.text[pair.b_start : pair.b_end]
    places = (("a", a, pair.a_start, pair.a_end), ("b", b, pair.b_start, pair.b_end))
    for name, side, start, end in places:
        if place := describe_place(side.metadata, start, end):
            record[f"{name}_locator"] = place
        if words := count_look_alikes(side.text[start:end]):
            record[f"{name}_look_alikes"] = words
    for name, side, _, _ in places:
        if metadata := without_locators(side.metadata):
            record[f"{name}_metadata"] = metadata
    return record


def share_record(names: Mapping[str, str], passages: int, shares: "Shares") -> dict[str, Any]:
    """The fields of two documents with the columns of ``document_pairs``, and the quotations that were asked for."""
    record: dict[str, Any] = {**names, "passages": passages, **shares.to_dict()}
    for side, quotations in (("a", shares.a_quotations), ("b", shares.b_quotations)):
        if quotations:
            record[f"{side}_quotations"] = [quotation._asdict() for quotation in quotations]
    return record
