"""The documents that are drawn for an audit."""

import random

from ibidem.auditing.rounds import draw_documents


def test_documents_are_drawn_all_as_likely() -> None:
    texts = [str(number) for number in range(40)]
    drawn = [draw_documents(texts, 10, random.Random(seed)) for seed in range(400)]
    assert all(len(kept) == 10 and read == 40 for kept, read in drawn)
    counts = [sum(any(document.text == text for document in kept) for kept, _ in drawn) for text in texts]
    assert all(60 < count < 140 for count in counts)
    kept, read = draw_documents(texts[:4], 10, random.Random(1))
    assert ([document.text for document in kept], read) == (texts[:4], 4)
