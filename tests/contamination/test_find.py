import random

import pyarrow as pa
import pytest

import ibidem
from ibidem import resources
from ibidem.contamination import sampling
from ibidem.errors import CorpusError
from tests.contamination.samples import EVALS, QUESTIONS, pages


def test_an_item_is_found_wrapped_embedded_and_with_every_fifth_word_replaced() -> None:
    words = QUESTIONS[1].split()
    wrapped = "\n".join(" ".join(words[at : at + 5]) for at in range(0, len(words), 5))
    changed = " ".join("zebra" if at % 5 == 4 else word for at, word in enumerate(words))
    page = pages(1)[0]
    train = [wrapped, f"{page} {QUESTIONS[1]} {page}", changed, *pages(20, seed=5)]
    table = ibidem.find_contamination(train, EVALS).contamination
    assert table["document"].to_pylist() == ["0", "1", "2"]
    assert set(table["eval_instance_index"].to_pylist()) == {"1"}


def test_the_result_does_not_depend_on_threads_nor_on_how_documents_come() -> None:
    source = random.Random(1)
    train = pages(300)
    for number in range(0, 300, 7):
        train[number] += " " + source.choice(QUESTIONS)
    ids = [str(number) for number in range(len(train))]
    results = [ibidem.find_contamination(train, EVALS, threads=threads, memory="64M") for threads in (1, 2, 3)] + [
        ibidem.find_contamination(pa.table({"id": ids, "text": train}), EVALS),
        ibidem.find_contamination(iter(train), EVALS),
    ]
    assert results[0].contamination.num_rows == 43
    assert all(result.contamination == results[0].contamination for result in results)
    assert all(result.summary == results[0].summary for result in results)


def test_the_result_does_not_depend_on_memory_when_there_is_more_than_the_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sampling, "SAMPLE_BYTES", 20_000)
    monkeypatch.setattr(resources, "_BATCHES", 1 << 14)  # 64M has batches of 4 kB, 1G of 64 kB
    common = [f"{QUESTIONS[1]} {page}" for page in pages(30, seed=8)]  # behind the sample, so its words are rare in it
    train = [*pages(25), *common]
    results = [ibidem.find_contamination(train, EVALS, memory=memory) for memory in ("64M", "200M", "1G")]
    assert sum(len(page.encode()) for page in train[:25]) in range(15_000, 60_000)
    assert results[0].contamination.num_rows > 0
    assert all(result.contamination == results[0].contamination for result in results)
    assert all(result.left_out == results[0].left_out for result in results)


def test_training_data_is_read_once() -> None:
    read = []

    def stream():
        for number, page in enumerate([*pages(20), QUESTIONS[0]]):
            read.append(number)
            yield {"id": str(number), "text": page}

    assert ibidem.find_contamination(stream(), EVALS).contamination["document"].to_pylist() == ["20"]
    assert read == list(range(21))


def test_wrong_arguments_and_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="threshold"):
        ibidem.find_contamination(["x"], EVALS, threshold=0)
    with pytest.raises(CorpusError, match="document 0: a mapping needs a string under 'text'"):
        ibidem.find_contamination([{"id": "1"}], EVALS)
    with pytest.raises(CorpusError, match=r"evals, row 1, column 'question': the question is empty"):
        ibidem.find_contamination(["x"], [{"question": "Q"}, {"question": ""}])


def test_no_training_data_gives_clean_items() -> None:
    assert ibidem.find_contamination([], EVALS).items["status"].to_pylist() == ["clean"] * 3


def test_one_other_number_is_a_template_if_items_differ_in_numbers_alone() -> None:
    asked = "A baker sells {} loaves on Monday and {} on Tuesday at {} cents each. How many loaves does she sell?"
    evals = [{"question": asked.format(n + 11, n + 30, 75)} for n in range(3)]
    train = [*pages(20), f"So: {asked.format(12, 31, 75)}", f"So: {asked.format(12, 99, 75)}"]
    family, alone = (ibidem.find_contamination(train, rows) for rows in (evals, evals[1:2]))
    leaks = family.contamination.select(["document", "eval_instance_index"]).to_pylist()
    assert leaks == [{"document": "20", "eval_instance_index": "1"}]
    reasons = {(row["document"], row["eval_instance_index"]): row["reason"] for row in family.left_out.to_pylist()}
    assert reasons["21", "1"] == "template of many items"
    assert alone.contamination["document"].to_pylist() == ["20", "21"]


def test_a_threshold_of_1_finds_every_verbatim_item() -> None:
    source = random.Random(2)
    vocabulary = [f"word{number}" for number in range(3000)]
    weights = [1 / (number + 1) for number in range(3000)]
    items = [" ".join(source.choices(vocabulary, weights, k=source.randint(15, 40))) for _ in range(60)]
    train = [f"{page} {item} {page}" for page, item in zip(pages(60), items, strict=True)]
    evals = [{"question": item} for item in items]
    assert len(set(ibidem.find_contamination(train, evals, threshold=1.0).contamination["document"].to_pylist())) == 60
