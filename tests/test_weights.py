import io
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import CorpusError, FormatVersionError
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

ids = st.integers(0, 2**32 - 1)
FREQUENCIES = DocumentFrequencies([2, 5, 2**32 - 1], [1, 4, 8], num_documents=8)


@pytest.mark.parametrize(
    ("tf", "weight"),
    [
        ("binary", lambda f: float(f > 0)),
        ("raw", float),
        ("logarithmic", lambda f: math.log(f + 1)),
        ("squared", lambda f: f**2),
    ],
)
def test_tf_table_has_the_weight_of_every_frequency(tf, weight):
    table = Weighting(tf=tf).tf_table(300)
    assert table.dtype == np.float64
    assert table[0] == 0
    np.testing.assert_allclose(table, [weight(f) for f in range(301)], rtol=1e-15)
    assert Weighting(tf=tf).tf_table(0).tolist() == [0]


@pytest.mark.parametrize(
    ("idf", "weight"),
    [
        ("unary", lambda n, n_t: 1),
        ("standard", lambda n, n_t: math.log(n / n_t)),
        ("smooth", lambda n, n_t: math.log((n + n_t) / n_t) + 1),
        ("probabilistic", lambda n, n_t: math.log((n - n_t) / n_t) if n_t < n else -math.inf),
    ],
)
def test_idf_is_that_of_the_formula_and_never_below_zero(idf, weight):
    # The second token stands in half of the documents, the third in all; the last in none, and counts as in one.
    weights = Weighting(idf=idf, frequencies=FREQUENCIES).idf_of(np.array([2, 5, 2**32 - 1, 77], np.uint32))
    expected = [max(weight(8, n_t), 0) for n_t in (1, 4, 8, 1)]
    assert weights.dtype == np.float64
    np.testing.assert_allclose(weights, expected, rtol=1e-15)


@pytest.mark.parametrize("idf", ["standard", "smooth", "probabilistic"])
@pytest.mark.parametrize("num_documents", [0, 1])
def test_a_collection_of_no_more_than_one_document_gives_finite_weights(idf, num_documents):
    weights = Weighting(idf=idf, frequencies=DocumentFrequencies([], [], num_documents)).idf_of([1, 2])
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()


@pytest.mark.parametrize(("field", "name"), [("tf", "row"), ("idf", "standart")])
def test_an_unknown_function_lists_the_known_ones(field, name):
    with pytest.raises(ValueError, match=f"no {field} is called '{name}'; there are .*, "):
        Weighting(**{field: name})


def test_an_idf_needs_document_frequencies():
    with pytest.raises(ValueError, match="'smooth' needs document frequencies"):
        Weighting.of("weighted", idf="smooth")


def test_families_are_named_weightings():
    assert Weighting.of("set") == Weighting("binary", "unary")
    assert Weighting.of("multiset") == Weighting("raw", "unary") == Weighting.of("weighted")
    assert Weighting.of("weighted", tf="squared", idf="smooth", frequencies=FREQUENCIES).frequencies is FREQUENCIES


@pytest.mark.parametrize(("family", "options"), [("bag", {}), ("set", {"tf": "raw"}), ("multiset", {"idf": "smooth"})])
def test_a_family_that_is_not_what_is_asked_for_is_refused(family, options):
    with pytest.raises(ValueError, match="family"):
        Weighting.of(family, **options)


@given(table=st.dictionaries(ids, st.integers(1, 9)), wanted=st.lists(ids))
def test_lookup_gives_the_count_or_zero(table, wanted):
    tokens = sorted(table)
    frequencies = DocumentFrequencies(tokens, [table[token] for token in tokens], 9)
    found = frequencies.lookup(np.array([*wanted, *tokens], np.uint32))
    assert found.dtype == np.int64
    assert found.tolist() == [table.get(token, 0) for token in [*wanted, *tokens]]


@given(st.lists(st.lists(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6), max_size=4), max_size=3))
def test_counting_gives_in_how_many_documents_a_token_stands(batches):
    encoded = [
        make_tokenizer(str.split).encode(Texts.from_strings([" ".join(each) for each in batch])) for batch in batches
    ]
    counted = DocumentFrequencies.count(encoded)
    expected = Counter(token for batch in batches for document in batch for token in set(document))
    names = make_tokenizer(str.split).encode(Texts.from_strings(["a b c d"])).ids
    assert counted.lookup(names).tolist() == [expected[name] for name in "abcd"]
    assert len(counted.tokens) == len(expected)
    assert counted.num_documents == sum(map(len, batches))


@pytest.mark.parametrize(
    ("tokens", "counts", "documents"),
    [([2, 1], [1, 1], 1), ([1, 1], [1, 1], 1), ([1], [0], 1), ([1], [2], 1), ([1, 2], [1], 1), ([[1]], [[1]], 1)],
)
def test_frequencies_that_cannot_be_are_refused(tokens, counts, documents):
    with pytest.raises(ValueError):
        DocumentFrequencies(tokens, counts, documents)


def test_what_was_saved_is_loaded(tmp_path):
    path = tmp_path / "frequencies"  # the name is kept as it is
    FREQUENCIES.save(path)
    loaded = DocumentFrequencies.load(path)
    assert loaded.tokens.tolist() == FREQUENCIES.tokens.tolist()
    assert loaded.counts.tolist() == FREQUENCIES.counts.tolist()
    assert loaded.num_documents == 8
    assert (loaded.tokens.dtype, loaded.counts.dtype) == (np.uint32, np.uint32)


def test_a_table_of_words_is_loaded(tmp_path):
    path = tmp_path / "words.tsv"
    path.write_text("\ufeffdocuments\t100\nthe\t99\r\nWhale\t3\n\n", "utf-8")
    ids = make_tokenizer("words").encode(Texts.from_strings(["whale the other"])).ids
    assert DocumentFrequencies.load(path).lookup(ids).tolist() == [3, 99, 0]
    assert DocumentFrequencies.load(path).num_documents == 100
    # With a tokenizer that does not fold, the word is another.
    assert DocumentFrequencies.load(path, make_tokenizer(str.split)).lookup(ids).tolist() == [0, 99, 0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1 must be 'documents'"),
        ("the\t99\n", "line 1 must be 'documents'"),
        ("documents\t9\nthe 5\n", "line 2: expected a word, a tab and a count, not 'the 5'"),
        ("documents\t9\n\nthe\t-5\n", "line 3: expected a word"),
        ("documents\t9\nthe\t10\n", "line 2: a count is from 1 to 9, not 10"),
        ("documents\t9\nthe\t0\n", "line 2: a count is from 1 to 9, not 0"),
        ("documents\t9\ndon't\t5\n", 'line 2: "don\'t" is 2 tokens'),
        ("documents\t9\nthe\t5\nThe\t2\n", "line 3: 'The' is the same token as the word of line 2"),
    ],
)
def test_a_table_that_is_wrong_is_an_error_that_names_file_and_line(tmp_path, content, message):
    path = tmp_path / "words.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(CorpusError) as caught:
        DocumentFrequencies.load(path)
    assert str(caught.value).startswith(f"{path}: document frequencies cannot be read: {message}")


def test_a_file_that_is_missing_or_damaged_is_named(tmp_path):
    FREQUENCIES.save(tmp_path / "whole.npz")
    damaged = bytearray((tmp_path / "whole.npz").read_bytes())
    damaged[damaged.index(b"tokens") + 140] ^= 1
    (tmp_path / "damaged.npz").write_bytes(damaged)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    for name in ("missing", "damaged.npz", "binary"):
        with pytest.raises(CorpusError, match=name):
            DocumentFrequencies.load(tmp_path / name)


def test_pickles_and_files_of_a_later_format_are_refused(tmp_path):
    columns = {"tokens": np.zeros(0, np.uint32), "counts": np.zeros(0, np.uint32), "num_documents": 1}
    np.savez(tmp_path / "later.npz", **columns, version=2)
    with pytest.raises(FormatVersionError, match=r"later\.npz: saved by a newer ibidem"):
        DocumentFrequencies.load(tmp_path / "later.npz")
    np.savez(tmp_path / "pickled.npz", **{**columns, "tokens": np.array([io.StringIO], object)}, version=1)
    with pytest.raises(CorpusError, match="pickle"):
        DocumentFrequencies.load(tmp_path / "pickled.npz")
