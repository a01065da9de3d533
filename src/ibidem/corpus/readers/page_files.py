"""The pages of a document that lie in files of their own: which come first, and their text as one."""

import re
from collections.abc import Sequence
from pathlib import PurePath

from ibidem.corpus.readers.document import ReadDocument, Span

_BREAK = "\n\n"


def page_order(name: str) -> tuple[tuple[int, str], ...]:
    """The key by which names of page files are sorted: numbers in them by their values.

    >>> sorted(["page10.xml", "page9.xml", "page9v.xml"], key=page_order)
    ['page9.xml', 'page9v.xml', 'page10.xml']
    """
    parts = re.split(r"([0-9]+)", PurePath(name).stem)
    return tuple((int(part), "") if at % 2 else (-1, part) for at, part in enumerate(parts))


def join_pages(documents: Sequence[tuple[str, ReadDocument]]) -> ReadDocument:
    """One document of pages and the names of their files, in order; a word that two pages share is whole on the first.

    A page is called what its file says, else by the number at the end of its file's name, or by this name. Metadata is
    what all of the pages agree on.
    """
    labels = _label_pages(documents)
    parts: list[str] = []
    spans: list[Span] = []
    length, divided = 0, ""
    for (name, document), label in zip(documents, labels, strict=True):
        text, cut = _leave_out_rest(document, divided)
        if text and length:
            parts.append(_BREAK)
            length += len(_BREAK)
        parts.append(text)
        own = [
            span._replace(
                start=max(0, span.start - cut) + length, end=span.end - cut + length, target=f"{name}{span.target}"
            )
            for span in document.spans
            if span.end > cut
        ]
        if not any(span.kind == "page" for span in own) and text:
            own.insert(0, Span("page", label, length, length + len(text), name))
        elif label:
            own = [span._replace(label=label) if span.kind == "page" else span for span in own]
        spans += own
        length += len(text)
        divided = document.divided if text else divided
    first = documents[0][1].metadata
    agreed = {
        key: value
        for key, value in first.items()
        if all(document.metadata.get(key) == value for _, document in documents)
    }
    return ReadDocument("".join(parts), agreed, spans)


def _leave_out_rest(document: ReadDocument, divided: str) -> tuple[str, int]:
    """The text of a page without the rest of the word that the page before ends with, and how much was left out."""
    if not (divided and document.rest and document.rest_of in ("", divided)):
        return document.text, 0
    text = document.text.removeprefix(document.rest).lstrip()
    return text, len(document.text) - len(text)


def _label_pages(documents: Sequence[tuple[str, ReadDocument]]) -> list[str]:
    """The label of each page; empty if the labels that the files have tell all pages apart."""
    own = [[span.label for span in document.spans if span.kind == "page"] for _, document in documents]
    known = [label for labels in own for label in labels]
    if all(own) and len({*known}) == len(known):
        return [""] * len(own)
    stems = [PurePath(name).name.partition(".")[0] for name, _ in documents]
    numbers = [match[1] if (match := re.search(r"0*([0-9]+[rv]?)$", stem)) else "" for stem in stems]
    return numbers if all(numbers) and len({*numbers}) == len(numbers) else stems
