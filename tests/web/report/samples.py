"""Pairs of passages that a report is made of."""

from collections.abc import Iterator

import ibidem
from ibidem.comparison import Locators
from ibidem.web.report import FoundPair, Source

FERRY = (
    "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets.\n"
    "The captain stood at the rail and called out the names.\nNobody had slept since the storm began.\n"
)
CHANGED = (
    "The captain stood at the rail and called out the names.\n"
    "When the ferry came in, the whole street ran down to the quay with lanterns and blankets.\n"
    "Nobody slept since the storm began.\n"
)
CHINESE = "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎"
ARABIC = "كان يا ما كان في قديم الزمان ملك عادل يحكم مدينة كبيرة وكان له ثلاثة أبناء يحبهم حبا شديدا"
SCRIPT = (
    "<script>document.title='stolen'</script><img src=x onerror=alert(1)> \U0001d504\U0001d505 e\u0301 words that "
    "stand again in both texts </script><!-- <script>"
)

SOURCES = {
    "ferry": Source(FERRY, "1903", Locators([(0, 101, "1:1"), (101, 157, "1:2"), (157, 197, "1:3")])),
    "quay": Source(CHANGED, "1911"),
    "again": Source(FERRY.replace("lanterns", "torches"), "1950-06-01"),
    "論語 甲": Source(CHINESE),
    "論語 乙": Source(CHINESE[10:20] + CHINESE[:10] + CHINESE[20:].replace("知", "識")),
    "حكاية أولى": Source(ARABIC),
    "حكاية ثانية": Source(ARABIC.replace("ثلاثة", "سبعة").replace("عادل ", "")),
    "<b>markup</b>": Source(SCRIPT),
    "script": Source(f"\U0001f600 {SCRIPT}"),
}

GROUPS = (
    ("ferry", "quay", "again"),
    ("論語 甲", "論語 乙"),
    ("حكاية أولى", "حكاية ثانية"),
    ("<b>markup</b>", "script"),
)


def found_pairs() -> Iterator[FoundPair]:
    """What ``align`` finds in each group."""
    for group in GROUPS:
        for number, a in enumerate(group):
            for b in group[number + 1 :]:
                texts = SOURCES[a].text or "", SOURCES[b].text or ""
                for pair in ibidem.align(*texts, min_pair_length=6):
                    yield FoundPair.of_alignment(pair, (a, b))
