"""The keys under which an index of documents finds them."""

from ibidem.documents import index_builder
from ibidem.documents.index import DocumentIndex
from ibidem.documents.index_builder import DocumentConfiguration, make_keys
from ibidem.documents.signatures import Shingler
from ibidem.text import Texts

TEXTS = ["one two three four", "One, two, three: four!", ""]


def test_documents_of_the_same_words_have_the_same_keys() -> None:
    shingler = Shingler("words:2")
    configuration = DocumentConfiguration(shingles=shingler.config, num_hashes=16)
    keys = make_keys(configuration, 2, shingler.tokens(Texts.from_strings(TEXTS)))
    assert keys.shape == (3, configuration.banding.bands)
    assert keys[0].tolist() == keys[1].tolist() != keys[2].tolist()


def test_postings_do_not_depend_on_how_many_documents_a_thread_takes(tmp_path, monkeypatch) -> None:
    texts = [f"{text} {number % 7} and more" for number, text in enumerate(TEXTS * 9)]
    lists = []
    for name, together in (("one", 1 << 18), ("many", 5)):
        monkeypatch.setattr(index_builder, "_TOGETHER", together)
        with DocumentIndex.build(tmp_path / name, texts, shingle="words:2") as index:
            [segment] = index._store.segments
            bands = map(segment.directory, range(segment.num_functions))
            lists.append([column.tolist() for band in bands for column in band])
            assert segment.num_postings == index.last_write.postings > 0
    assert lists[0] == lists[1]
