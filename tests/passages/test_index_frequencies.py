"""Document frequencies are those given, then those held, and are counted over what is alive where there are none."""

from ibidem import PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies

TEXTS = ["a rose is a rose", "the rose", "the night"]


def look_up(frequencies, words):
    return frequencies.lookup(make_tokenizer("words").encode(Texts.from_strings([words])).ids).tolist()


def test_frequencies_are_counted_once_for_a_generation(tmp_path):
    with PassageIndex.build(tmp_path / "index", TEXTS) as index:
        assert index._frequencies.of(index.configuration) is None
        weighted = index.configuration.with_options(SearchOptions(idf="smooth"))
        counted = index._frequencies.of(weighted)
        assert (look_up(counted, "rose the other"), counted.num_documents) == ([2, 2, 0], 3)
        assert index._frequencies.of(weighted) is counted
        index.remove(["1"])
        counted = index._frequencies.of(weighted)
        assert (look_up(counted, "rose the other"), counted.num_documents) == ([1, 1, 0], 2)


def test_given_frequencies_are_known_before_the_index_holds_them(tmp_path):
    given = DocumentFrequencies.count([make_tokenizer("words").encode(Texts.from_strings(TEXTS))])
    options = {"family": "weighted", "idf": "smooth"}
    with PassageIndex.build(tmp_path / "index", TEXTS[:1], frequencies=given, **options) as index:
        held = index._frequencies.known
        assert (held is not given, held.tokens.tolist()) == (True, given.tokens.tolist())
        assert index._frequencies.known is held
        assert index._frequencies.of(index.configuration) is held
