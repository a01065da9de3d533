"""Are leaks of items told from other items of the same template, which are in no eval?

    python benchmarks/templates.py [--quick] [--csv FILE] [--folder FOLDER]

The folder holds ``bbh.jsonl.gz``: rows of kind ``eval``, with ``id`` and ``question``, are the items of BIG-Bench Hard;
rows of kind ``doc``, with ``text``, are documents with an item (``mechanism`` begins with "leak", ``item`` is its id),
with another item of the same task, or with none. *named* counts the leaks whose own item is named. Runs of 13 words,
of which a document holds half or more, are a simple rival.
"""

import gzip
import json
import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from report import Report, Row

from ibidem import find_contamination


def read(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "bbh.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def generate() -> list[dict[str, Any]]:
    """A template with a name and a town, half of whose items are in the eval."""
    names, towns = ("Nora", "Pavel", "Quentin", "Rosa"), ("Visby", "Tartu", "Odense", "Bergen")
    asked = (
        "On a voyage over the Baltic Sea {} leaves the harbour of {} before the other ships sail. Who arrives first?"
    )
    texts = [asked.format(name, town) for name in names for town in towns]
    rows = [{"kind": "eval", "id": str(n), "question": text} for n, text in enumerate(texts) if n % 2]
    for number, text in enumerate(texts):
        mechanism = "leak verbatim" if number % 2 else "other item"
        item = str(number) if number % 2 else ""
        rows.append({"kind": "doc", "id": f"d{number}", "text": text, "mechanism": mechanism, "item": item})
    return rows


def by_ibidem(documents: list[dict[str, Any]], items: list[dict[str, Any]], threshold: float) -> dict[int, set[str]]:
    found = find_contamination(
        [each["text"] for each in documents], [{"question": each["question"]} for each in items], threshold=threshold
    )
    named: dict[int, set[str]] = defaultdict(set)
    for row in found.contamination.to_pylist():
        named[int(row["document"])].add(items[int(row["eval_instance_index"])]["id"])
    return named


def by_runs(documents: list[dict[str, Any]], items: list[dict[str, Any]], share: float) -> dict[int, set[str]]:
    holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
    runs = {each["id"]: runs_of(each["question"]) for each in items}
    for name, own in runs.items():
        for run in own:
            holders[run].add(name)
    named: dict[int, set[str]] = defaultdict(set)
    for number, document in enumerate(documents):
        shared = Counter(name for run in runs_of(document["text"]) for name in holders.get(run, ()))
        for name, count in shared.items():
            if count >= share * len(runs[name]):
                named[number].add(name)
    return named


def runs_of(text: str, size: int = 13) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return set(zip(*(words[at:] for at in range(size)), strict=False)) or {tuple(words)}


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--folder", type=Path, default=Path(), help="with bbh.jsonl.gz")
    options = report.options()
    rows = generate() if options.quick else read(options.folder)
    documents = [row for row in rows if row["kind"] == "doc"]
    items = [row for row in rows if row["kind"] == "eval"]
    leaks = {number for number, each in enumerate(documents) if each["mechanism"].startswith("leak")}
    table: list[Row] = []
    for name, find, share in (("ibidem", by_ibidem, 0.5), ("ibidem", by_ibidem, 0.8), ("runs of 13", by_runs, 0.5)):
        began = time.process_time()
        named = find(documents, items, share)
        seconds = time.process_time() - began
        true, flagged = len(leaks & named.keys()), max(len(named), 1)
        table.append(
            {
                "method": name,
                "threshold": share,
                "precision": f"{true / flagged:.3f}",
                "recall": f"{true / len(leaks):.3f}",
                "F1": f"{2 * true / (len(named) + len(leaks)):.3f}",
                "named": f"{sum(documents[n]['item'] in named.get(n, ()) for n in leaks)} of {len(leaks)}",
                "seconds": f"{seconds:.1f}",
            }
        )
    report.finish(table)


if __name__ == "__main__":
    main()
