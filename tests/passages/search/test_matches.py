"""A hit becomes a match: code points of the text as given, and its metadata."""

from ibidem import Document, Match, PassageIndex
from ibidem.passages.search.chaining import Hit
from ibidem.passages.search.matches import MatchMaker
from ibidem.passages.search.selection import SegmentPassage
from ibidem.text import Texts
from ibidem.weights import Weighting


def test_offsets_index_the_text_as_given(tmp_path):
    text = "\ufeffÀ bas!\r\n\r\n«Naïve» 𝔘nicode, e\u0301te\u0301; one two three four five six seven.\r\n"
    with PassageIndex.build(tmp_path / "index", [("x", text)], min_length=3) as index:
        for query in ("été one two three", "naïve 𝔘nicode ÉTÉ"):
            (match,) = index.search(query, threshold=0.7)
            assert text[match.start : match.end] == match.text
            assert match.similarity >= 0.7


def test_a_hit_becomes_a_match_with_the_places_of_its_tokens(tmp_path):
    document = Document("tiger", "O tyger, tyger: burning bright!", {"by": "Blake"})
    with PassageIndex.build(tmp_path / "index", ["zero one two", document]) as index:
        (segment,) = index._store.segments
        query = index.tokenizer.encode(Texts.from_strings(["say: tyger burning"]), offsets=True)
        whole = SegmentPassage(document=1, first=3, last=7, score=0.25, starts=(3, 5), ends=(6, 7))
        part = SegmentPassage(document=1, first=5, last=6, score=1.0)
        hits = [Hit(segment, part, 1, 2), Hit(segment, whole, 0, 2)]
        made = {match.start: match for match in MatchMaker(query, "letter", Weighting.of("set")).make(hits)}
        assert list(made) == [9, 0]
        assert made[9] == Match(
            query_name="letter",
            query_start=5,
            query_end=18,
            document="tiger",
            start=9,
            end=23,
            similarity=1.0,
            text="tyger: burning",
            metadata={"by": "Blake"},
        )
        assert (made[0].starts, made[0].ends) == ((0, 9), (23, 30))
        assert made[0].text == "O tyger, tyger: burning bright"
        assert made[0].similarity == 2 / 5
