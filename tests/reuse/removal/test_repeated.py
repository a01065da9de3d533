"""Which documents hold nothing but passages that go."""

from pathlib import Path

from ibidem.resources import Resources
from ibidem.reuse.removal.repeated import count_emptied
from ibidem.reuse.removal.result import PassageDeduplication, Repeated
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection


def test_a_document_is_emptied_if_all_of_its_tokens_go(tmp_path: Path) -> None:
    texts = [("a", "one two three"), ("b", "one two three"), ("c", "one two three four")]
    collection = read_collection([texts], make_tokenizer("words"), tmp_path, Resources.of("64M", 1, None))
    removed = [Repeated(name, 0, 13, 3, "a", 0, 13, 1.0) for name in "bc"]
    assert count_emptied(PassageDeduplication(removed, 3, 10), collection) == 1
