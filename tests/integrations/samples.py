"""Documents of which some repeat others, for the tests of all pipelines."""

import random
from pathlib import Path
from typing import Any

from ibidem import PassageIndex


def some_words(count: int, seed: int) -> list[str]:
    drawn = random.Random(seed)
    return [f"w{int(4000 ** drawn.random())}" for _ in range(count)]


def make_documents() -> list[dict[str, Any]]:
    """Twelve documents; 5 is nearly 1, 9 is 2, and all else is different. Ids repeat."""
    texts = [" ".join(some_words(120, seed)) for seed in range(12)]
    texts[5] = texts[1] + " and so on"
    texts[9] = texts[2]
    return [{"id": f"d{n % 4}", "text": text, "n": n, "tags": [n, n]} for n, text in enumerate(texts)]


KEPT = [n for n in range(12) if n not in (5, 9)]


def build_index(folder: Path) -> str:
    """An index of documents, the third of which the text of document 3 quotes."""
    quoted = " ".join([*some_words(60, 70), *some_words(120, 3)[20:90]])
    path = str(folder / "index")
    PassageIndex.build(path, [("other", " ".join(some_words(200, 80))), ("quoting", quoted)]).close()
    return path


def require_marked(rows: list[dict[str, Any]]) -> None:
    """Check the rows of ``make_documents`` that an index was asked about: all there, and one of them marked."""
    rows = sorted(rows, key=lambda row: row["n"])
    assert [row["n"] for row in rows] == list(range(12))
    assert [row["n"] for row in rows if row["matches"]] == [3]
    (match,) = rows[3]["matches"]
    assert match["document"] == "quoting"
    words = " ".join(some_words(120, 3)[20:90])
    assert rows[3]["text"][match["query_start"] : match["query_end"]].startswith(words[:40])
    assert match["similarity"] > 0.9
    assert [list(row["tags"]) for row in rows] == [[n, n] for n in range(12)]


EVALS = [
    {
        "question": "Which glacier feeds the turquoise lake above the old monastery of Saint Verena?",
        "answer": "Ferpecle",
    },
    {"question": "How many copper kettles did the tinker of Ravensburg mend before Michaelmas?", "answer": "Seventeen"},
]


def make_leaking() -> list[dict[str, Any]]:
    """The documents, of which 7 holds the second item with a word changed."""
    documents = make_documents()
    leak = EVALS[1]["question"].replace("kettles", "pans")
    documents[7]["text"] = f"{documents[7]['text'][:200]} {leak} {documents[7]['text'][200:]}"
    return documents


def sample_of_texts() -> list[str]:
    return [row["text"] for row in make_documents()]


def require_leak(rows: list[dict[str, Any]]) -> None:
    """Check the rows of ``make_leaking`` that evals were looked for in."""
    rows = sorted(rows, key=lambda row: row["n"])
    assert [row["n"] for row in rows if row["leaks"]] == [7]
    (leak,) = rows[7]["leaks"]
    assert (leak["eval_instance_index"], leak["part"]) == ("1", "question")
    assert rows[7]["text"][leak["start"] : leak["end"]].startswith("How many copper pans")
    assert [list(row["tags"]) for row in rows] == [[n, n] for n in range(12)]
