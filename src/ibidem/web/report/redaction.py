"""What a report does not say: names of documents, texts of passages, and names in the texts."""

import re
from collections.abc import Sequence
from unicodedata import normalize

import msgspec

from ibidem.comparison import Comparison, Side
from ibidem.web.report.view import View

_BLANK = "█"


class NameBlanker:
    """Replaces names by blocks, one for each code point, so that positions in a text stay the same.

    A name is found as a whole word or as several, whatever white space is between its words, with the s of a genitive,
    and whether its accents are letters of their own or not. One of several words is found in any case; of one word, a
    capital is no small letter: "Will" is a name, and "will" is a verb.

    >>> NameBlanker(["Anna Lee", "Will"]).blank("By Anna  Lee and Annalee; Will will.")
    'By █████████ and Annalee; ████ will.'
    """

    def __init__(self, names: Sequence[str]) -> None:
        spellings = {normalize(form, name) for name in names for form in ("NFC", "NFD")}
        patterns = [_pattern_of(name.split()) for name in sorted(spellings, key=len, reverse=True)]
        pattern = "|".join(filter(None, patterns))
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})s?(?![\w\u0300-\u036f])") if pattern else None

    def blank(self, text: str) -> str:
        """The text without the names."""
        return text if self._pattern is None else self._pattern.sub(lambda name: _BLANK * len(name.group()), text)


def _pattern_of(words: Sequence[str]) -> str:
    parts = r"\s+".join(map(re.escape, words))
    if len(words) == 1 and words[0][:1].isupper():
        return f"(?:{parts}|{re.escape(words[0].upper())})"
    return f"(?i:{parts})" if parts else ""


class Redaction:
    """What is taken out of a view and its comparisons.

    Attributes:
        anonymous: whether documents have numbers in place of names, and nothing else is said of them.
        texts: whether the texts of passages are kept.
        blanker: of names in texts.
    """

    def __init__(self, anonymous: bool, texts: bool, names: Sequence[str]) -> None:
        self.anonymous, self.texts, self.blanker = anonymous, texts, NameBlanker(names)

    def redact_view(self, view: View) -> View:
        """The view without what is not to be said."""
        blank = self.blanker.blank if self.texts else lambda text: ""
        clusters = [
            cluster | {"title": blank(cluster["title"]), "witnesses": [self._hide(row) for row in cluster["witnesses"]]}
            for cluster in view.clusters
        ]
        left_out = [row | {"a_text": blank(row["a_text"])} for row in view.left_out]
        shown = msgspec.structs.replace(view, clusters=clusters, left_out=left_out)
        if not self.anonymous:
            return shown
        kept = ("words", "role", "reused")
        return msgspec.structs.replace(
            shown,
            documents=[
                {name: row[name] for name in kept if name in row} | {"name": None, "date": None}
                for row in view.documents
            ],
            left_out=[row | {"a": "", "b": ""} for row in left_out],
            subtracted=[],
            not_subtracted=[],
            not_read=view.not_read and [("", why) for _, why in view.not_read],
        )

    def _hide(self, witness: Sequence[int | str | None]) -> list[int | str | None]:
        """A witness of a cluster; its date tells a document from others."""
        document, start, end, date, source = witness
        return [document, start, end, None if self.anonymous else date, source]

    def redact(self, comparison: Comparison) -> Comparison:
        """A comparison without what is not to be said."""
        sides = {name: self._redact_side(getattr(comparison, name)) for name in "ab"}
        redacted = msgspec.structs.replace(comparison, **sides)
        reasons = comparison.reasons if self.texts else None
        if reasons is None:
            return msgspec.structs.replace(redacted, reasons=None)
        lists = {
            name: tuple(
                msgspec.structs.replace(word, text=self.blanker.blank(word.text)) for word in getattr(reasons, name)
            )
            for name in ("only_a", "only_b")
        }
        return msgspec.structs.replace(redacted, reasons=msgspec.structs.replace(reasons, **lists))

    def _redact_side(self, side: Side) -> Side:
        blank = self.blanker.blank if self.texts else lambda text: ""
        side = msgspec.structs.replace(side, text=blank(side.text), before=blank(side.before), after=blank(side.after))
        return msgspec.structs.replace(side, document="", metadata={}, locators=()) if self.anonymous else side
