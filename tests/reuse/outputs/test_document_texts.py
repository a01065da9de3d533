"""The texts and columns of documents, as long as they are at hand."""

import pytest

from ibidem.reuse.outputs import document_texts
from ibidem.reuse.outputs.document_texts import DocumentTexts
from ibidem.reuse.outputs.result import Reuse

from .conftest import DOCUMENTS, TEXTS


def test_each_id_has_its_text_and_its_columns(reuse: Reuse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_texts, "_CACHED", 2)
    texts = DocumentTexts(reuse)
    for _ in range(2):
        assert {id: texts.text(id) for id in TEXTS} == TEXTS
    for document in DOCUMENTS:
        assert texts.metadata(document["id"], 0, 1) == {"year": document["year"], "author": document["author"]}


def test_a_result_without_its_documents_says_when_to_ask(reuse: Reuse) -> None:
    from dataclasses import replace

    with pytest.raises(ValueError, match="write it with ibidem reuse --also, while they are at hand"):
        DocumentTexts(replace(reuse, collection=None))
