"""What an index can be: what makes no sense is refused, and a search chooses what the index leaves open."""

from ibidem.passages.configuration import Configuration
from ibidem.passages.query.options import SearchOptions

TOKENIZER = {"name": "words"}
WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


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
