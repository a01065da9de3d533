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
from typing import Literal

import msgspec

from ibidem.comparison import Comparison
from ibidem.corpus.writing.apart import require_apart
from ibidem.text import TokenizerSpec, make_tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.web.page_files import read_page_file
from ibidem.web.report.findings import Findings, Source
from ibidem.web.report.marks import PairMark
from ibidem.web.report.redaction import Redaction, without_text
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

_PART_FOR_CLUSTERS = 3
"""One such part of the room is for clusters."""

_PART_FOR_DOCUMENT_PAIRS = 10
"""One such part of the room is for pairs of documents."""

_BYTES_OF_DOCUMENT_PAIR = 260
"""Of JSON, at most."""

_BYTES_OF_ROW = 60
"""Of JSON that the columns have of a pair of passages, more or less."""

_BYTES_OF_NOTES = 300
"""Of JSON of what a report says of itself."""

_PART_FOR_LEFT_OUT = 5000
"""Bytes of a report for each row of what was left out."""

_MORE_PAIRS = "report-more-pairs"


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report.

    Attributes:
        title: its heading, if it has one of its own.
        anonymous: documents are named by numbers, and what else is known of them is left out. Names in the texts stay.
        texts: whether the texts of passages are in the report.
        most_bytes: the size that the file stays within.
        tokenizer: what cuts texts into words.
        blank: names that texts must not tell.
        marks: what people said of pairs of documents.
        language: of what the report itself says.
    """

    title: str | None = None
    anonymous: bool = False
    texts: bool = True
    most_bytes: int = 32_000_000
    tokenizer: TokenizerSpec = "words"
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
    findings: Findings,
    sources: Mapping[str, Source],
    options: ReportOptions = _DEFAULTS,
) -> Written:
    """Write a report of findings, the most important first; the file is there whole or not at all.

    Args:
        sources: what is known of documents, by id; of others only the passages are shown.

    Raises:
        CorpusError: the file lies inside an index, a plan or a result.
        ValueError: a passage does not lie in its document, or no report is as small as asked.
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
    """The page of a view, as much of it as its size allows: clusters take a third of the room at most.

    Raises:
        ValueError: no report is as small as asked.
    """
    redaction = Redaction(options.anonymous, options.texts, options.blank)
    shown = msgspec.structs.replace(
        redaction.redact_view(view),
        title=options.title,
        language=options.language,
        left_out=redaction.redact_view(view).left_out[: options.most_bytes // _PART_FOR_LEFT_OUT],
        marks=_list_marks(options.marks, ids, redaction),
    )
    least = len(_render(_trim(shown, 0, 0, 0, 0), [], options)) + _BYTES_OF_NOTES
    if options.most_bytes < least:
        raise ValueError(f"a report takes {least:,} bytes at least, not {options.most_bytes:,}")
    fitted = _Fitted(shown, comparisons, redaction, options.most_bytes - least)
    part = _trim(shown, len(fitted.lines), fitted.clusters, fitted.document_pairs, fitted.documents)
    lines = [*fitted.lines, *fitted.cluster_lines]
    if fitted.whole is not None:
        part.whole = len(lines)
        lines.append(fitted.whole)
    fitted.longest.set_in(part)
    left_out = len(view.columns["a"]) - len(fitted.lines)
    left_out += sum(values["n"] for name, values in view.notes if name == _MORE_PAIRS)
    counts = {
        _MORE_PAIRS: left_out,
        "report-more-clusters": len(view.clusters) - fitted.clusters,
        "report-without-text": fitted.without_text,
    }
    part.notes = [(name, {"n": number}) for name, number in counts.items() if number]
    part.notes += [("report-anonymous", {})] if options.anonymous else []
    part.notes += [] if options.texts else [("report-textless", {})]
    page = _render(part, lines, options)
    documents = list(ids[: fitted.documents])
    return page, Written(len(fitted.lines), left_out, fitted.without_text, len(page), documents)


class _Fitted:
    """What has room: clusters, then pairs of passages, at the end of these without their texts.

    Attributes:
        lines, cluster_lines, whole: comparisons as JSON.
        clusters, document_pairs, documents: how many of each.
        without_text: pairs whose texts have no room.
        longest: the longest runs of the pairs.
    """

    def __init__(self, view: View, comparisons: ComparisonsByNumber, redaction: Redaction, room: int) -> None:
        self.lines: list[bytes] = []
        self.cluster_lines: list[bytes] = []
        self.whole: bytes | None = None
        self.clusters = self.documents = self.without_text = 0
        self.longest = LongestRuns()
        self._view, self._room = view, room
        self.document_pairs = min(len(view.document_pairs), room // _PART_FOR_DOCUMENT_PAIRS // _BYTES_OF_DOCUMENT_PAIR)
        self._room -= _BYTES_OF_DOCUMENT_PAIR * self.document_pairs
        for pair in view.document_pairs[: self.document_pairs]:
            self._take(max(pair["a"], pair["b"]), 0)
        self._add_clusters(comparisons, redaction)
        self._add_pairs(comparisons, redaction)
        if view.whole is not None:
            line = _encode(redaction.redact(comparisons[view.whole]))
            self.whole = line if self._take(0, len(line)) else None
        self._take(len(view.documents) - 1, 0)  # those in which nothing was found

    def _take(self, document: int, size: int) -> bool:
        """Take so many bytes, and those of all documents up to a number, if there is room for both."""
        documents = self._view.documents[self.documents : document + 1]
        size += len(msgspec.json.encode(documents)) if documents else 0
        if size > self._room:
            return False
        self._room -= size
        self.documents += len(documents)
        return True

    def _add_clusters(self, comparisons: ComparisonsByNumber, redaction: Redaction) -> None:
        number, left = len(self._view.columns["a"]), self._room - self._room // _PART_FOR_CLUSTERS
        for cluster in self._view.clusters:
            last = number + cluster["compared"]
            own = [_encode(redaction.redact(comparisons[at])) for at in range(number, last)]
            size = len(msgspec.json.encode(cluster)) + sum(map(len, own))
            named = [each for witness in cluster["witnesses"] for each in (witness[0], witness[4]) if each is not None]
            if self._room - size < left or not self._take(max(named), size):
                return
            self.cluster_lines += own
            self.clusters, number = self.clusters + 1, last

    def _add_pairs(self, comparisons: ComparisonsByNumber, redaction: Redaction) -> None:
        columns = self._view.columns
        for row, named in enumerate(map(max, columns["a"], columns["b"])):
            comparison = comparisons[row]
            redacted = redaction.redact(comparison)
            line = _encode(redacted)
            if not self._take(named, len(line) + _BYTES_OF_ROW):
                line = _encode(without_text(redacted))
                if not self._take(named, len(line) + _BYTES_OF_ROW):
                    return
                self.without_text += 1
            self.longest.add(comparison)
            self.lines.append(line)


def _trim(view: View, pairs: int, clusters: int, document_pairs: int, documents: int) -> View:
    """The beginning of a view."""
    shared = view.document_pairs[:document_pairs]
    return msgspec.structs.replace(
        view,
        documents=view.documents[:documents],
        columns={name: column if name == "kinds" else column[:pairs] for name, column in view.columns.items()},
        clusters=view.clusters[:clusters],
        document_pairs=[pair | {"rows": [row for row in pair["rows"] if row < pairs]} for pair in shared],
        marks=[each for each in view.marks if max(each[:2]) < documents],
        whole=None,
    )


def _list_marks(marks: Sequence[PairMark], ids: Sequence[str], redaction: Redaction) -> list[tuple[int, int, str, str]]:
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
