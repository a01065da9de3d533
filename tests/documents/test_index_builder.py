"""The keys under which an index of documents finds them."""

import numpy as np

from ibidem.agreement.banding import Banding
from ibidem.documents.index_builder import Bander
from ibidem.documents.signatures import Functions, Shingler
from ibidem.text import Document, Documents

DOCUMENTS = Documents.of(
    [Document("a", "one two three four"), Document("b", "One, two, three: four!"), Document("c", "")]
)


def bander() -> Bander:
    return Bander(Shingler("words:2"), Functions.of(8), Banding(4, 2))


def test_documents_of_the_same_words_have_the_same_keys() -> None:
    _, tokens, keys = bander().band(DOCUMENTS)
    assert np.diff(tokens.bounds).tolist() == [4, 4, 0]
    assert keys.shape == (3, 4)
    assert keys[0].tolist() == keys[1].tolist() != keys[2].tolist()


def test_a_batch_that_a_segment_holds_gets_the_same_keys_again() -> None:
    documents, tokens, keys = bander().band(DOCUMENTS)
    assert (bander().band_again((documents, tokens))[2] == keys).all()
