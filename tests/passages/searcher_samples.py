"""An index of many segments, and searches of every kind in it."""

import random
from unittest import mock

from ibidem import PassageIndex, index_building

SEARCHES = [
    {"threshold": 0.5},
    {"threshold": 0.3},
    {"threshold": 0.5, "select": "longest"},
    {"threshold": 0.6, "select": "all", "limit": None},
    {"threshold": 0.4, "select": "document"},
    {"threshold": 0.5, "family": "weighted", "idf": "smooth"},
    {"threshold": 0.5, "family": "weighted", "idf": {"word7": 5.0}},
    {"threshold": 1.0},
]


def build(folder, segments=22, **options):
    """An index of about so many segments, with passages that many documents share, and queries for it."""
    source = random.Random(5)
    words = [f"word{number}" for number in range(300)]
    shared = [source.choices(words, k=40) for _ in range(4)]
    documents = []
    for number in range(4 * segments):
        text = (
            source.choices(words, k=30) + source.choice(shared)[: source.randint(20, 40)] + source.choices(words, k=10)
        )
        documents.append((f"d{number}", " ".join(text)))
    tokens = sum(text.count(" ") + 1 for _, text in documents)
    with mock.patch.object(index_building, "segment_tokens", return_value=tokens // segments + 20):
        index = PassageIndex.build(folder, documents, min_length=4, max_length=30, **options)
    index.remove(["d3", "d6"])
    long = " ".join(word for passage in shared for word in passage)
    return index, [
        " ".join(shared[0]),
        " ".join(shared[1][5:25]),
        documents[1][1],
        long,
        "word1 word2",
        "nothing known",
    ]
