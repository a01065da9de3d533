"""A family is a representative and its places, and says of each why it is no reuse."""

from pathlib import Path

from ibidem.resources import Resources
from ibidem.reuse.families import Families, find_families
from ibidem.reuse.prepared_collection import leave_absent_out
from ibidem.reuse.question import Question
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from .quotations import words

SHEET = words(9_000, 50)  # no document begins so


def families_of(tmp_path: Path, sides: list[dict[str, str]], question: Question) -> Families:
    read = read_collection(
        [side.items() for side in sides], make_tokenizer("words"), tmp_path, Resources.of("64M", 1, None)
    )
    return find_families(leave_absent_out(read, question, tmp_path), set(), within=question.within)


def around_sheet(number: int) -> str:
    return " ".join([*words(number, 30), *SHEET, *words(100 + number, 40)])


def test_each_place_is_a_pair_with_one_representative(tmp_path: Path) -> None:
    families = families_of(tmp_path, [{f"d{n}": around_sheet(n) for n in range(20)}], Question())
    assert families.reasons == ["frequent"] * 19
    assert families.boilerplate == ["frequent"]
    (representative,) = set.intersection(*(set(pair) for pair in families.pairs.documents.tolist()))
    assert sorted(families.pairs.documents.ravel().tolist()) == sorted([*range(20), *[representative] * 18])
    assert (families.pairs.ranges == [30, 80, 30, 80]).all()
    assert (families.pairs.similarity == 1).all()


def test_of_two_collections_each_place_has_its_representative_on_the_other_side(tmp_path: Path) -> None:
    sides = [{f"d{n:03}": around_sheet(n) for n in range(40)}, {f"e{n:03}": around_sheet(200 + n) for n in range(220)}]
    families = families_of(tmp_path, sides, Question())
    assert all(a < 40 <= b for a, b in families.pairs.documents.tolist())
    assert {a for a, _ in families.pairs.documents.tolist()} == set(range(40))
    assert {b for _, b in families.pairs.documents.tolist()} == set(range(40, 260))
    assert set(families.reasons) == {None}


def test_a_phrase_is_a_family_of_its_own_and_makes_no_cluster(tmp_path: Path) -> None:
    phrase = " ".join(words(800, 12))
    texts = {f"d{n}": " ".join(words(n, 30)) + " " + phrase for n in range(3)}
    families = families_of(tmp_path, [texts], Question(phrases=(phrase,)))
    assert families.reasons == ["phrase"] * 2
    assert families.clusters.names == []


def test_text_in_more_places_than_pairs_are_made_of_is_reported_though_it_is_not_frequent(tmp_path: Path) -> None:
    texts = {f"d{n:04}": " ".join(words(n, 12)) + (" " + " ".join(SHEET) if n < 260 else "") for n in range(2_700)}
    families = families_of(tmp_path, [texts], Question())
    assert families.reasons == [None] * 259
    assert families.boilerplate == [None]
