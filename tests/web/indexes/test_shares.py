"""How many words a text and the documents of an index share, over HTTP."""

import httpx
import pytest

import ibidem
from ibidem.text import Texts

from ..samples import FERRY


def test_an_alignment_says_how_many_words_each_document_has_of_the_text(client: httpx.Client) -> None:
    before = "Über allen Gipfeln: “"
    text = f"{before}{FERRY}” And so it was."
    asked = {"text": text, "shares": True}
    answer = client.post("/v1/align", json=asked).json()
    [shared] = answer["shares"]
    words = len(ibidem.make_tokenizer("words").encode(Texts.from_strings([FERRY])).ids)
    assert (shared["document"], shared["passages"]) == ("ferry", len(answer["matches"]))
    assert shared["b"]["identical"] == shared["b"]["words"] == words
    assert shared["b"]["reading"] == (
        f"ferry: {words} of {words} words (100 %) are in the text, too, in runs of five or more"
    )
    assert shared["a"]["identical_share"] == pytest.approx(words / (words + 7))
    [quoted] = client.post("/v1/align", json=asked | {"quotations": 5}).json()["shares"]
    assert (quoted["a"]["words"], quoted["a"]["identical"], quoted["a"]["quoted"]) == (words + 7, 0, words)
    [quotation] = quoted["a"]["quotations"]
    assert text[quotation["start"] : quotation["end"]] == FERRY.rstrip(".")
    assert client.post("/v1/align", json={"text": text}).json()["shares"] == []
