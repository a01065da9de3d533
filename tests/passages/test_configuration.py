"""What an index can be: what makes no sense is refused, and a search chooses what the index leaves open."""

import pytest

from ibidem.errors import ConfigurationError
from ibidem.options import IndexOptions
from ibidem.passages.configuration import LONGEST, Configuration
from ibidem.passages.query.options import SearchOptions

TOKENIZER = {"name": "words"}
WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


def test_weights_are_refused_without_units_and_units_without_weights():
    with pytest.raises(ValueError, match="'oph' has no family 'weighted' but with weights"):
        Configuration(tokenizer=TOKENIZER, scheme="oph", **WEIGHTED)
    for more in ({"family": "set", "scheme": "oph"}, {"family": "weighted"}):
        with pytest.raises(ValueError, match="weight_units are for the family 'weighted' with"):
            Configuration(tokenizer=TOKENIZER, weight_units=4, **more)
    with pytest.raises(ConfigurationError, match="Invalid enum value 'two permutations'"):
        Configuration.read({"tokenizer": TOKENIZER, "scheme": "two permutations"})


def test_a_stored_configuration_that_makes_no_sense_is_refused():
    for wrong in ({"scheme": "exact", "num_hashes": 3}, {"num_hashes": "many"}, {"family": "sets"}):
        with pytest.raises(ConfigurationError, match=r"built by another version of ibidem.*build it again"):
            Configuration.read({"tokenizer": TOKENIZER} | wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"family": "sets"}, "no family is called 'sets'; there are set, multiset, weighted"),
        ({"scheme": "exact"}, "hashes nothing"),
        ({"num_hashes": 0}, "num_hashes is between 1 and"),
        ({"num_hashes": 65_536}, "num_hashes is between 1 and 65535"),
        ({"min_length": 0}, "not 0 and 1024"),
        ({"min_length": 9, "max_length": 8}, "not 9 and 8"),
        ({"max_length": LONGEST + 1}, "max_length <= 65535"),
        ({"seed": -1}, "seed"),
        ({"tf": "squared"}, "tf and idf are weights of the family 'weighted', not of 'multiset'"),
        ({"family": "weighted", "tf": "cubed"}, "cubed"),
        ({"family": "weighted", "idf": "rare"}, "no idf is called 'rare'"),
    ],
)
def test_choices_that_make_no_sense_are_refused_by_name(wrong, message):
    with pytest.raises(ValueError, match=message):
        Configuration(tokenizer=TOKENIZER, **wrong)


def test_an_index_is_exact_unless_sketches_are_asked_for():
    for choices, expected in (
        ({}, ("exact", 0, 1)),
        ({"scheme": "minhash", "num_hashes": 8}, ("minhash", 8, 32)),
        ({"scheme": "oph"}, ("oph", 16, 32)),
        ({"scheme": "minhash", "min_length": 5}, ("minhash", 16, 5)),
    ):
        made = Configuration.of(TOKENIZER, IndexOptions(**choices))
        assert (made.scheme, made.num_hashes, made.min_length) == expected
        assert made.is_exact == (expected[0] == "exact")


def test_a_search_chooses_the_measure_of_an_exact_index_alone():
    weighted = Configuration(tokenizer=TOKENIZER, scheme="exact", num_hashes=0, **WEIGHTED)
    assert weighted.with_options(SearchOptions()) is weighted
    as_sets = weighted.with_options(SearchOptions(family="set", min_length=40))
    assert (as_sets.family, as_sets.tf, as_sets.idf, as_sets.lengths) == ("set", "raw", "unary", (40, 1024))
    plain = Configuration(tokenizer=TOKENIZER, scheme="exact", num_hashes=0)
    by_idf = plain.with_options(SearchOptions(idf="smooth"))
    assert (by_idf.family, by_idf.needs_frequencies, plain.needs_frequencies) == ("weighted", True, False)
    with pytest.raises(ValueError, match="family, min_length: chosen when the index was built"):
        Configuration(tokenizer=TOKENIZER).with_options(SearchOptions(family="set", min_length=40))
