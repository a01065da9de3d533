"""Documents, one by one and in batches."""

import pytest

from ibidem import Document
from ibidem.errors import CorpusError
from ibidem.text import as_batches


def test_metadata_that_is_no_json_is_refused_with_the_id():
    with pytest.raises(CorpusError, match=r"'a'.*JSON"):
        list(as_batches([Document("a", "text", {"x": object()})]))


def test_a_document_can_stand_in_a_set():
    document = Document("a", "text", {"years": [1903]})
    assert {document, Document("a", "text", {"years": [1903]})} == {document}
