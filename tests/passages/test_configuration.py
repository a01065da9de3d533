"""What an index can be: what makes no sense is refused, and a search chooses what the index leaves open."""

import pytest

from ibidem.errors import ConfigurationError
from ibidem.passages.configuration import Configuration
from ibidem.passages.query.options import SearchOptions

TOKENIZER = {"name": "words"}
WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


@pytest.mark.parametrize("stored", [{"scheme": "exact"}, {"min_length": "many"}, {"family": "sets"}])
def test_a_stored_configuration_that_makes_no_sense_is_refused(stored):
    with pytest.raises(ConfigurationError, match=r"built by another version of ibidem.*build it again"):
        Configuration.read({"tokenizer": TOKENIZER} | stored)


@pytest.mark.parametrize("kind", ["documents", "sketches"])
def test_the_configuration_of_another_kind_of_index_is_refused(kind):
    with pytest.raises(ConfigurationError, match=f"an index of {kind}, not of passages"):
        Configuration.read({"tokenizer": TOKENIZER, "kind": kind})


def test_a_search_chooses_its_measure_and_its_lengths():
    weighted = Configuration(tokenizer=TOKENIZER, **WEIGHTED)
    assert weighted.with_options(SearchOptions()) is weighted
    as_sets = weighted.with_options(SearchOptions(family="set", min_length=40))
    assert (as_sets.family, as_sets.tf, as_sets.idf, as_sets.lengths) == ("set", "raw", "unary", (40, 1024))
    longer = weighted.with_options(SearchOptions(min_length=40))
    assert (longer.family, longer.tf, longer.idf, longer.lengths) == ("weighted", "logarithmic", "smooth", (40, 1024))
    plain = Configuration(tokenizer=TOKENIZER)
    by_idf = plain.with_options(SearchOptions(idf="smooth"))
    assert (by_idf.family, by_idf.needs_frequencies, plain.needs_frequencies) == ("weighted", True, False)
