"""A report as one HTML file: the style and modules of the page, and the content. It loads no other file."""

import base64
import hashlib
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Literal

import msgspec

import ibidem
from ibidem.corpus.writing.apart import require_apart
from ibidem.text import TokenizerSpec, make_tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.web.page_files import read_page_file
from ibidem.web.report.clusters import FoundCluster
from ibidem.web.report.content import Content, Privacy, make_content
from ibidem.web.report.findings import FoundPair, Source
from ibidem.web.report.marks import PairMark
from ibidem.web.report.names import NameBlanker
from ibidem.web.report.shares import SharedDocuments

Language = Literal["en", "de"]
"""The languages of what a report itself says; ``page/phrases.js`` has the words."""

MODULES = ("dom.js", "passage.js", "dotplot.js", "pair.js", "charts.js", "overview.js", "phrases.js", "report.js")
"""The page's modules, each after those that it imports."""

_NEEDS: Mapping[Language, str] = {
    "en": "This report needs JavaScript, which it brings along: it loads nothing from anywhere.",
    "de": "Dieser Bericht braucht JavaScript, das er mitbringt: er lädt nichts von anderswo.",
}
"""The words of a report where no module runs, which has all others."""

_TITLE = "Matching passages"

_EMPTY_PAGE = 79_000
"""Bytes of a report without a pair, more or less."""


@dataclass(frozen=True)
class ReportOptions:
    """The contents and the options of a report.

    Attributes:
        title: its heading, if it has one of its own.
        anonymous: documents are named by numbers, and what else is known of them is left out. Names in the texts stay.
        texts: whether the texts of passages are in the report.
        most_bytes: the size that the file stays within.
        rest: where the reader finds the pairs for which there is no room.
        tokenizer: what cuts texts into words.
        left_out: pairs that are only there, whatever the room.
        set_aside: how many pairs were no reuse, by reason, which are listed only there.
        blank: names that texts must not tell.
        marks: what people said of pairs of documents.
        language: of what the report itself says.
    """

    title: str | None = None
    anonymous: bool = False
    texts: bool = True
    most_bytes: int = 32_000_000
    rest: str = "the file of results"
    tokenizer: TokenizerSpec = "words"
    left_out: int = 0
    set_aside: Mapping[str, int] = field(default_factory=dict)
    blank: Sequence[str] = ()
    marks: Sequence[PairMark] = ()
    language: Language = "en"


_DEFAULTS = ReportOptions()


class Written(msgspec.Struct, frozen=True):
    """Counts of a written report: pairs, those left out for want of room, those without text, bytes, and the documents
    in the order of their numbers."""

    pairs: int
    left_out: int
    without_text: int
    size: int
    documents: list[str]


def write_report(
    path: str | os.PathLike[str],
    pairs: Sequence[FoundPair],
    sources: Mapping[str, Source],
    options: ReportOptions = _DEFAULTS,
    clusters: Sequence[FoundCluster] = (),
    document_pairs: Sequence[SharedDocuments] = (),
) -> Written:
    """Write a report of ``pairs``, the most important first; the file is there whole or not at all.

    Args:
        sources: what is known of documents, by id; of others only the passages are shown.
        clusters: matching passages; without them the documents that pairs join are clusters.
        document_pairs: how many words documents share, in the order of the report.

    Raises:
        CorpusError: the file lies inside an index, a plan or a result.
        ValueError: a passage does not lie in its document.
    """
    privacy = Privacy(options.anonymous, options.texts)
    room = options.most_bytes - _EMPTY_PAGE
    if room < 0:
        raise ValueError(f"a report takes {_EMPTY_PAGE:,} bytes at least, not {options.most_bytes:,}")
    if options.blank:
        blanker = NameBlanker(options.blank)
        pairs, sources = [blanker.blank_pair(pair) for pair in pairs], blanker.blank_sources(sources)
        clusters = [blanker.blank_cluster(cluster) for cluster in clusters]
    content = make_content(pairs, sources, make_tokenizer(options.tokenizer), privacy, room, clusters, document_pairs)
    page = _page(content, options).encode("utf-8")
    require_apart([path])
    aside = Path(f"{os.fspath(path)}.{uuid.uuid4().hex[:12]}.partial")
    try:
        with aside.open("xb") as out:
            out.write(page)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    pairs_shown, left_out = len(content.columns["a"]), content.left_out + options.left_out
    return Written(pairs_shown, left_out, content.without_text, len(page), content.ids)


def page_file(name: str) -> str:
    """Read a file of the page."""
    return read_page_file(name).decode("utf-8")


def _script() -> str:
    """Join the modules of the page into one script, without imports and exports."""
    parts = (page_file(name) for name in MODULES)
    return "\n".join(
        re.sub(r"^export ", "", re.sub(r"^import .*?;\n", "", part, flags=re.M), flags=re.M) for part in parts
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _page(content: Content, options: ReportOptions) -> str:
    script, style = _script(), page_file("style.css")
    policy = "; ".join(
        [
            "default-src 'none'",
            "img-src data:",
            f"style-src {_hash(style)}",
            f"script-src {_hash(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    report = {
        "title": options.title,
        "language": options.language,
        "anonymous": options.anonymous,
        "version": ibidem.__version__,
        "notes": _list_notes(content, options),
        "documents": content.documents,
        "columns": content.columns,
        "clusters": content.clusters,
        "documentPairs": content.document_pairs,
        "marks": _describe_marks(options, content.ids),
    }
    data = msgspec.json.encode(report).decode("utf-8").replace("<", "\\u003c")
    lines = b"\n".join(content.comparisons).decode("utf-8")
    return f"""<!doctype html>
<html lang="{options.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{escape(options.title or _TITLE)}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>{escape(options.title or _TITLE)}</h1>
</header>
<main><noscript>{_NEEDS[options.language]}</noscript></main>
<footer></footer>
<script type="application/json" id="report">{data}</script>
<script type="application/json" id="comparisons">{lines}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _describe_marks(options: ReportOptions, ids: Sequence[str]) -> list[list[int | str]]:
    """The marks of pairs in the report, with the numbers of their documents and with names blanked."""
    numbers, blanker = {name: number for number, name in enumerate(ids)}, NameBlanker(options.blank)
    return [
        [numbers[mark.a], numbers[mark.b], replace_surrogates(mark.mark), replace_surrogates(blanker.blank(mark.note))]
        for mark in options.marks
        if mark.a in numbers and mark.b in numbers
    ]


def _list_notes(content: Content, options: ReportOptions) -> list[tuple[str, dict[str, Any]]]:
    """Notes on what is not in the report: words that the page translates, and the values in them."""
    results_name = "the results" if options.anonymous else options.rest  # the name of a file may be that of its author
    notes: list[tuple[str, dict[str, Any]]] = []

    def add(number: int, singular: str, plural: str, **values: Any) -> None:
        if number:
            notes.append((singular if number == 1 else plural, {"n": number, **values}))

    add(content.left_out + options.left_out, *_MORE_PAIRS, rest=results_name)
    reasons = [(number, reason) for reason, number in sorted(options.set_aside.items())]
    add(sum(options.set_aside.values()), *_SET_ASIDE, rest=results_name, reasons=reasons)
    add(content.clusters_left_out, *_MORE_CLUSTERS, rest=results_name)
    add(content.without_text, *_WITHOUT_TEXT)
    if options.anonymous:
        notes.append(("Documents have numbers in the place of names.", {}))
    if not options.texts:
        notes.append(("The texts of the passages were left out.", {}))
    return notes


_MORE_PAIRS = (
    "{n} more is in {rest}: the most important are shown here.",
    "{n} more are in {rest}: the most important are shown here.",
)
_SET_ASIDE = (
    "{n} pair is left out ({reasons}): see left_out in {rest}.",
    "{n} pairs are left out ({reasons}): see left_out in {rest}.",
)
_MORE_CLUSTERS = ("{n} more cluster is in {rest}.", "{n} more clusters are in {rest}.")
_WITHOUT_TEXT = (
    "{n} pair is shown without the texts, for which there was no room.",
    "{n} pairs are shown without the texts, for which there was no room.",
)
