"""The choices of a deduplication of passages, and the documents that hold nothing else."""

from pathlib import Path
from typing import Any

import pytest

from ibidem.resources import Resources
from ibidem.reuse.removal.repeated import PassageChoices, PassageDeduplication, Repeated, count_emptied
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection


@pytest.mark.parametrize(
    "choices",
    [{"threshold": 0}, {"recall": 2}, {"seed": -1}, {"keep": "best"}, {"min_length": 0}, {"boundary": "pages"}],
)
def test_choices_that_make_no_sense_are_refused(choices: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        PassageChoices(**choices).require_valid()


def test_a_document_is_emptied_if_all_of_its_tokens_go(tmp_path: Path) -> None:
    texts = [("a", "one two three"), ("b", "one two three"), ("c", "one two three four")]
    collection = read_collection([texts], make_tokenizer("words"), tmp_path, Resources.of("64M", 1, None))
    removed = [Repeated(name, 0, 13, 3, "a", 0, 13, 1.0) for name in "bc"]
    assert count_emptied(PassageDeduplication(removed, 3, 10), collection) == 1
