"""The alignment of two texts: its passages, words and units, and how it is shown."""

from ibidem import align
from ibidem.results.alignments import Alignments
from ibidem.spans import Alignment

A = "All the world's a stage, and all the men and women merely players."


B = "All the world is <b>our</b> stage & all the men and women merely players."


def test_an_alignment_knows_the_words_and_units_of_its_pairs() -> None:
    found = align(A, B, min_pair_length=5, threshold=0.1)
    assert len(found) >= 1
    assert found.a == A
    assert found.passages(0) == (A[found[0].a_start : found[0].a_end], B[found[0].b_start : found[0].b_end])
    assert found.words(0) == found.words(found[0])
    assert {word.kind for word in found.words(-1)} >= {"equal"}
    assert [unit.a_unit for unit in found.units("line")] == ["1"]
    assert found.compare(0, names=("as you like it", "copy")).a.document == "as you like it"


def test_a_printed_line_says_where_the_passages_stand_and_shortens_them() -> None:
    pair = Alignment(a_start=4, a_end=len(A), b_start=0, b_end=3, similarity=0.5)
    assert repr(Alignments([pair], a=A, b=B)) == (
        "Alignments: 1\n  0.500  4 to 66: \"the world's a s ... merely players.\"  0 to 3: 'All'"
    )


def test_a_slice_keeps_the_texts_and_the_tokenizer() -> None:
    pair = Alignment(a_start=0, a_end=3, b_start=0, b_end=3, similarity=1.0)
    part = Alignments([pair, pair], a="子曰學", b="子曰学", tokenizer="characters")[:1]
    assert part.passages(0) == ("子曰學", "子曰学")
    assert [word.a for word in part.words(0)] == [(0, 1), (1, 2), (2, 3)]
