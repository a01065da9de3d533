"""One collection of quotations for the tests of reuse."""

from typing import Any

import pytest

from .quotations import around, words


@pytest.fixture(scope="module")
def quoted() -> list[dict[str, Any]]:
    """One passage in four documents, one in two, and a document that shares nothing."""
    often, seldom = words(100, 60), words(101, 80)
    texts = [around(1, often), around(2, often[:50]), around(3, [*often, *words(900, 40), *seldom]), around(4, seldom)]
    texts += [around(5, often[5:]), around(6, [])]
    return [{"id": f"d{number}", "text": text, "year": 1900 + number} for number, text in enumerate(texts)]
