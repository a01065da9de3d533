"""The choice does not depend on how many clusters memory holds at a time."""

from functools import partial

import numpy as np
import pytest

from ibidem.documents import candidates, choice
from ibidem.documents.choice import choose_documents, list_pairs, open_choice
from ibidem.documents.digests import Digests
from ibidem.documents.links import link_range
from ibidem.documents.rules import Rules
from ibidem.documents.texts import find_texts
from ibidem.engine import Here
from ibidem.engine.hash_ranges import HashRange
from ibidem.errors import CorpusError

from .samples import digest, make_resources


def make_collection(year=lambda number: number % 5):
    """Chains of texts in which each resembles the next, some of them copied, and texts that stand alone."""
    records = []
    for chain in range(8):
        for place in range(chain):
            words = [f"c{chain}w{word}" for word in range(3 * place, 3 * place + 12)]
            records += [{"text": " ".join(words)}] * (1 + (place % 3 == 1))
        records.append({"text": f"{chain} alone"})
    return [{"id": f"d{number:03}", "year": year(number), **record} for number, record in enumerate(records)]


def choose(folder, rules, parts):
    """The choice among the documents of some parts, and all pairs."""
    folder.mkdir()
    engine, digests = Here(make_resources()), digest(folder, parts, rules)
    [texts] = engine.map_files("sorting", partial(find_texts, rules), [digests], folder / "texts")
    ranges = HashRange().cut(len(digests))
    links = engine.map_files("comparing", partial(link_range, rules, digests, texts), ranges, folder / "links")
    [chosen] = engine.map_files(
        "choosing", partial(choose_documents, rules, digests, texts), [links], folder / "choice"
    )
    chosen = open_choice(chosen)
    return chosen, list_pairs(links, chosen), Digests(digests)


@pytest.mark.parametrize("mode", ["representative", "connected"])
@pytest.mark.parametrize("keep", ["first", "longest", "max(year)"])
@pytest.mark.parametrize("small", [2, 64])
def test_groups_of_clusters_and_parts_give_the_choice_of_all_at_once(tmp_path, monkeypatch, mode, keep, small):
    monkeypatch.setattr(candidates, "SMALL", small)
    rules = Rules(shingle="words:1", threshold=0.5, keep=keep, cluster_mode=mode)
    records = make_collection()
    at_once, all_pairs, _ = choose(tmp_path / "one", rules, [records])
    for name in ("_LINK_BYTES", "_DOCUMENT_BYTES", "_NAMED_BYTES"):
        monkeypatch.setattr(choice, name, 1 << 22)  # of 16 MiB
    monkeypatch.setattr(choice, "_BLOCK", 3)
    in_groups, pairs, _ = choose(tmp_path / "several", rules, [records[:9], records[9:]])
    for one, other in zip(at_once[:6], in_groups[:6], strict=True):
        assert one.tolist() == other.tolist()
    assert pairs.pairs.tolist() == all_pairs.pairs.tolist()
    assert pairs.similarities.tolist() == all_pairs.similarities.tolist()
    assert 0 < at_once.kept.sum() < len(records) - 8


def test_all_documents_that_resemble_another_say_whether_a_column_has_numbers(tmp_path, monkeypatch):
    for name in ("_LINK_BYTES", "_NAMED_BYTES"):
        monkeypatch.setattr(choice, name, 1 << 24)
    rules = Rules(shingle="words:1", threshold=0.5, keep="max(year)")
    records = make_collection(lambda number: "late" if number == 3 else str(number))
    chosen, _, _ = choose(tmp_path / "words", rules, [records])
    strings = [str(record["year"]) for record in records]
    for row, kept in enumerate(chosen.duplicate_of.tolist()):
        if chosen.exact[row]:
            assert strings[kept] >= strings[row]
    records = make_collection(lambda number: "late" if number == 3 else number)
    with pytest.raises(CorpusError, match="a word in a column that has numbers"):
        choose(tmp_path / "mixed", rules, [records])


def test_the_best_document_of_a_text_stands_for_it(tmp_path):
    rules = Rules(shingle="words:1", threshold=0.5, keep="max(year)")
    records = make_collection()
    chosen, pairs, digests = choose(tmp_path / "one", rules, [records])
    texts = [record["text"] for record in records]
    for row in np.unique(pairs.pairs).tolist():
        copies = [other for other, text in enumerate(texts) if text == texts[row]]
        assert records[row]["year"] == max(records[copy]["year"] for copy in copies)
    assert digests.rows == len(chosen.kept)
