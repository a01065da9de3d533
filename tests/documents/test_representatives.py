"""From what became of texts to what became of documents."""

import numpy as np

from ibidem.documents.representatives import GroupedDocuments


def test_the_first_document_of_an_order_is_the_best_of_its_text() -> None:
    grouped = GroupedDocuments(first=np.array([2, 0]), of=np.array([1, 1, 0]))
    best, order = grouped.choose_best(np.array([1, 2, 0]))
    assert best.tolist() == [2, 1]
    assert order.tolist() == [1, 0]
