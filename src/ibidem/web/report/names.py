"""Blanking names in the texts of a report that is anonymous."""

import re
from collections.abc import Mapping, Sequence
from unicodedata import normalize

from ibidem.web.report.clusters import FoundCluster
from ibidem.web.report.findings import FoundPair, Source

_BLANK = "█"


class NameBlanker:
    """Replaces names by blocks, one for each code point, so that positions in a text stay the same.

    A name is found as a whole word or as several, in any case, whatever white space is between its words, with the s of
    a genitive, and whether its accents are letters of their own or not.

    >>> NameBlanker(["Anna Lee"]).blank("By Anna  Lee and Annalee.")
    'By █████████ and Annalee.'
    """

    def __init__(self, names: Sequence[str]) -> None:
        spellings = {normalize(form, name) for name in names for form in ("NFC", "NFD")}
        words = [r"\s+".join(map(re.escape, name.split())) for name in sorted(spellings, key=len, reverse=True)]
        pattern = "|".join(filter(None, words))
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})s?(?![\w\u0300-\u036f])", re.IGNORECASE) if pattern else None

    def blank(self, text: str) -> str:
        """The text without the names."""
        return text if self._pattern is None else self._pattern.sub(lambda name: _BLANK * len(name.group()), text)

    def blank_maybe(self, text: str | None) -> str | None:
        """The text without the names; ``None`` if the text is not known."""
        return None if text is None else self.blank(text)

    def blank_sources(self, sources: Mapping[str, Source]) -> dict[str, Source]:
        """Documents without the names."""
        return {name: source._replace(text=self.blank_maybe(source.text)) for name, source in sources.items()}

    def blank_pair(self, pair: FoundPair) -> FoundPair:
        """A pair whose passages lack the names."""
        a, b = map(self.blank_maybe, pair.passages)
        return pair._replace(passages=(a, b))

    def blank_cluster(self, cluster: FoundCluster) -> FoundCluster:
        """A cluster whose witnesses lack the names."""
        return cluster._replace(
            witnesses=[witness._replace(text=self.blank_maybe(witness.text)) for witness in cluster.witnesses]
        )
