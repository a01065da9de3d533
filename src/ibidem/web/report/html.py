"""A report as one HTML file: the style and modules of the page, and the content. It loads no other file."""

import base64
import hashlib
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from ibidem.comparison import Comparison
from ibidem.corpus.writing.apart import require_apart
from ibidem.text import TokenizerSpec, make_tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.web.page_files import read_page_file
from ibidem.web.report.findings import Findings, Source
from ibidem.web.report.marks import Mark
from ibidem.web.report.redaction import Redaction
from ibidem.web.report.view import (
    Comparisons,
    ComparisonsByNumber,
    LongestRuns,
    View,
    count_frequencies,
    count_words,
    make_view,
)

Language = Literal["en", "de"]
"""The languages of what a report itself says; ``page/words.js`` has the words."""

MODULES = (
    *("words", "dom", "focus", "calls", "passage", "dotplot", "pair", "filters", "basis", "charts", "pictures"),
    *("documents", "clusters", "pairs", "answer", "report"),
)
"""The page's modules that a report has."""

_NEEDS: Mapping[Language, str] = {
    "en": "This report needs JavaScript, which it brings along: it loads nothing from anywhere.",
    "de": "Dieser Bericht braucht JavaScript, das er mitbringt: er lädt nichts von anderswo.",
}
"""The words of a report where no module runs, which has all others."""

_TITLES: Mapping[Language, str] = {"en": "Matching passages", "de": "Gleiche Stellen"}

_MOST_BYTES = 30_000_000
"""Of the comparisons of pairs that a report has."""

_MOST_CLUSTERS = 100
"""Clusters of a report, as many as the page shows."""


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report.

    Attributes:
        title: its heading, if it has one of its own.
        anonymous: documents are named by numbers, and what else is known of them is left out. Names in the texts stay.
        texts: whether the texts of passages are in the report.
        tokenizer: what cuts texts into words.
        blank: names that texts must not tell.
        marks: what people said of pairs of documents.
        language: of what the report itself says.
    """

    title: str | None = None
    anonymous: bool = False
    texts: bool = True
    tokenizer: TokenizerSpec = "words"
    blank: Sequence[str] = ()
    marks: Sequence[Mark] = ()
    language: Language = "en"


_DEFAULTS = ReportOptions()


class Written(NamedTuple):
    """Counts of a written report: pairs, those left out for want of room, bytes; and the documents in the order of
    their numbers."""

    pairs: int
    left_out: int
    size: int
    documents: Sequence[str]


def write_report(
    path: str | os.PathLike[str],
    findings: Findings,
    sources: Mapping[str, Source],
    options: ReportOptions = _DEFAULTS,
) -> Written:
    """Write a report of findings, the most important first; the file is there whole or not at all.

    Args:
        sources: what is known of documents, by id; of others only the passages are shown.

    Raises:
        CorpusError: the file lies inside an index, a plan or a result.
        ValueError: a passage does not lie in its document.
    """
    known = {name: source.text for name, source in sources.items() if source.text is not None}
    counted = dict(zip(known, count_words([replace_surrogates(text) for text in known.values()]), strict=True))
    findings = findings.order()._replace(words={**findings.words, **counted})
    view, ids = make_view(findings, sources, kind="reuse" if findings.document_pairs else "found")
    tokenizer = make_tokenizer(options.tokenizer)
    comparisons = Comparisons(findings, sources, tokenizer, count_frequencies(findings, sources, tokenizer))
    page, written = make_report(view, comparisons, ids, options)
    require_apart([path])
    aside = Path(f"{os.fspath(path)}.{uuid.uuid4().hex[:12]}.partial")
    try:
        with aside.open("xb") as out:
            out.write(page)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return written


def make_report(
    view: View, comparisons: ComparisonsByNumber, ids: Sequence[str], options: ReportOptions
) -> tuple[bytes, Written]:
    """The page of a view: all that it shows, but pairs and clusters that are more than a browser takes in one file."""
    redaction = Redaction(options.anonymous, options.texts, options.blank)
    longest = LongestRuns()
    lines: list[bytes] = []
    room, all_pairs = _MOST_BYTES, len(view.columns["a"])
    for number in range(all_pairs):
        comparison = comparisons[number]
        line = _encode(redaction.redact(comparison))
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
        longest.add(comparison)
    pairs = len(lines)
    part = msgspec.structs.replace(
        _trim(redaction.redact_view(view), pairs),
        title=options.title,
        language=options.language,
        marks=_list_marks(options.marks, ids, redaction),
        notes=_list_notes(view, pairs, options),
    )
    longest.set_in(part)
    of_clusters = range(all_pairs, all_pairs + sum(cluster["compared"] for cluster in part.clusters))
    lines += [_encode(redaction.redact(comparisons[number])) for number in of_clusters]
    if view.whole is not None:
        part.whole = len(lines)
        lines.append(_encode(redaction.redact(comparisons[view.whole])))
    page = _render(part, lines, options)
    left_out = sum(values["n"] for name, values in part.notes if name == "report-more-pairs")
    return page, Written(pairs, left_out, len(page), ids)


def _trim(view: View, pairs: int) -> View:
    """The view with its first pairs of passages and clusters."""
    shared = view.document_pairs
    return msgspec.structs.replace(
        view,
        columns={name: column if name == "kinds" else column[:pairs] for name, column in view.columns.items()},
        clusters=view.clusters[:_MOST_CLUSTERS],
        document_pairs=[pair | {"rows": [row for row in pair["rows"] if row < pairs]} for pair in shared],
    )


def _list_notes(view: View, pairs: int, options: ReportOptions) -> list[tuple[str, dict[str, Any]]]:
    """What a report says of what it has not."""
    more = len(view.columns["a"]) - pairs + sum(values["n"] for _, values in view.notes)
    counts = {"report-more-pairs": more, "report-more-clusters": len(view.clusters) - _MOST_CLUSTERS}
    states = {"report-anonymous": options.anonymous, "report-textless": not options.texts}
    notes: list[tuple[str, dict[str, Any]]] = [(name, {"n": number}) for name, number in counts.items() if number > 0]
    return [*notes, *((name, {}) for name, holds in states.items() if holds)]


def _list_marks(marks: Sequence[Mark], ids: Sequence[str], redaction: Redaction) -> list[tuple[int, int, str, str]]:
    """The marks of pairs in the report, with the numbers of their documents and with names blanked."""
    numbers, blank = {name: number for number, name in enumerate(ids)}, redaction.blanker.blank
    return [
        (numbers[mark.a], numbers[mark.b], replace_surrogates(mark.mark), replace_surrogates(blank(mark.note)))
        for mark in marks
        if mark.a in numbers and mark.b in numbers
    ]


def _encode(comparison: Comparison) -> bytes:
    return msgspec.json.encode(comparison).replace(b"<", b"\\u003c")


def _script() -> str:
    """Join the modules of the page into one script, without imports and exports."""
    parts = (read_page_file(f"{name}.js").decode() for name in MODULES)
    return "\n".join(
        re.sub(r"^export ", "", re.sub(r"^import .*?;\n", "", part, flags=re.M), flags=re.M) for part in parts
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _render(view: View, lines: Sequence[bytes], options: ReportOptions) -> bytes:
    script, style = _script(), read_page_file("style.css").decode()
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
    data = msgspec.json.encode(view).decode("utf-8").replace("<", "\\u003c")
    comparisons = b"\n".join(lines).decode("utf-8")
    title = escape(options.title or _TITLES[options.language])
    return f"""<!doctype html>
<html lang="{options.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="main"><noscript>{_NEEDS[options.language]}</noscript></main>
<div id="said" role="status"></div>
<footer id="foot"></footer>
<script type="application/json" id="report">{data}</script>
<script type="application/json" id="comparisons">{comparisons}</script>
<script type="module">{script}</script>
</body>
</html>
""".encode()
