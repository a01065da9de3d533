"""Prints the kernels that a command compiles after ``ibidem warmup``: a program of its own, which a test runs.

python tests/cli/kernels_of_commands.py FOLDER
"""

import json
import os
import random
import sys
from pathlib import Path

from click.testing import CliRunner

from ibidem.cli.group import main
from ibidem.kernels import KERNELS, compiler

INDEXES = {
    "exact": [],
    "sets": ["--family", "set", "--tokenizer", "characters"],
    "weighted": ["--family", "weighted", "--tf", "logarithmic", "--idf", "smooth"],
    "bins": ["--sketch", "oph"],
    "samples": ["--sketch", "minhash"],
    "sampled-sets": ["--sketch", "minhash", "--family", "set", "--tokenizer", "characters:3"],
    "sampled-weights": ["--sketch", "minhash", "--family", "weighted", "--tokenizer", "words:2", "--idf", "smooth"],
}
"""Options of indexes, by name. The first three are of passages, the others of sketches."""

EXACT = ("exact", "sets", "weighted")

QUERIES = ([], ["--select", "longest"], ["--select", "document"], ["--select", "all"], ["--explain"])

SKETCH_QUERIES = ([], ["--select", "all"], ["--verify"], ["--select", "all", "--verify"])

NO_KERNELS = {"app", "warmup", "mcp", "evaluate", "serve", "info", "advise"}
"""Commands that compile nothing of their own; ``serve`` and ``mcp`` are asked by :func:`ask_service`."""


def list_calls() -> list[list[str]]:
    """A call of every command, with the options that take other ways through the code."""
    calls = []
    for name, options in INDEXES.items():
        index = f"{name}.ibidem"
        calls += [["index", "a.jsonl", "-o", index, "--min-length", "8", *options], ["add", index, "b.jsonl"]]
        calls += [["remove", index, "5"]]
        if name in EXACT:
            calls += [["search", index, "p.txt", "q.txt", *each] for each in QUERIES]
            calls += [["search", index, "q.txt", "--parts"], ["align", "--index", index, "q.txt"]]
            calls += [["align", "--index", index, "queries.jsonl"], ["trace", "queries.jsonl", "--index", index]]
            calls += [["search", index, "p.txt", "--family", each] for each in ("set", "multiset", "weighted")]
        else:
            calls += [["search", index, "p.txt", *each] for each in SKETCH_QUERIES]
        calls += [["check", index], ["merge", index], ["search", index, "p.txt"]]
    calls += [
        ["align", "p.txt", "q.txt"],
        ["align", "p.txt", "q.txt", "--summaries"],
        ["align", "p.txt", "q.txt", "--units", "sentence"],
        ["align", "--documents", "all.jsonl", "--pairs", "pairs.jsonl"],
        ["dedup", "all.jsonl", "-o", "d1"],
        ["dedup", "all.jsonl", "-o", "d2", "--shingle", "words:3", "--cluster-mode", "connected", "--recall", "1"],
        ["dedup", "all.jsonl", "-o", "d4", "--shingle", "characters:5"],
        ["dedup", "a.jsonl", "-o", "d5", "--against", "known", "--add"],
        ["dedup", "b.jsonl", "-o", "d6", "--against", "known", "--add"],
        ["dedup", "all.jsonl", "-o", "d7", "--passages"],
        ["dedup", "all.jsonl", "-o", "d8", "--passages", "--boundary", "lines"],
        ["reuse", "all.jsonl", "-o", "r1"],
        ["reuse", "all.jsonl", "-o", "r2", "--within", "--recall", "1", "--texts", "--date", "year"],
        ["reuse", "a.jsonl", "--against", "b.jsonl", "-o", "r3", "--texts"],
        ["reuse", "all.jsonl", "-o", "r5", "--keep-boilerplate", "--tokenizer", "words:2", "--series", "year"],
        ["reuse", "all.jsonl", "-o", "r6", "--also", "graphml", "--format", "csv"],
        ["reuse", "all.jsonl", "--explain", "0", "1"],
        [
            *("decontaminate", "all.jsonl", "--evals", "queries.jsonl", "--question", "text"),
            *("--audit", "--plants", "1", "--sample", "9"),
        ],
        ["decontaminate", "all.jsonl", "--evals", "queries.jsonl", "--question", "text", "-o", "c1"],
        ["report", "r2", "-o", "report.html"],
        ["demo"],
    ]
    return calls


def write_collection() -> None:
    """Texts of which many share passages, and some hold none or are of another script."""
    drawn = random.Random(1)
    words = [f"w{int(500 ** drawn.random())}" for _ in range(3000)]
    texts = {str(n): " ".join(words[100 * n : 100 * n + 400]) for n in range(20)}
    texts |= {
        "none": "",
        "script": "ἀρχὴ ἥμισυ παντός 初めに言葉があった",
        "copy": texts["0"],
        "near": f"{texts['0']} more",
    }
    rows = [json.dumps({"id": name, "text": text, "year": 1900}) + "\n" for name, text in texts.items()]
    for file, part in (("all", rows), ("a", rows[:12]), ("b", rows[12:])):
        Path(f"{file}.jsonl").write_text("".join(part), "utf-8")
    Path("p.txt").write_text(f"{texts['3'][40:700]} and so on", "utf-8")
    Path("q.txt").write_text(f"It began. {texts['3']} {texts['7']}", "utf-8")
    queries = [json.dumps({"id": f"q{n}", "text": texts[str(n)][30:500]}) + "\n" for n in range(6)]
    Path("queries.jsonl").write_text("".join(queries), "utf-8")
    Path("pairs.jsonl").write_text(json.dumps({"a": "0", "b": "1"}) + "\n", "utf-8")


def ask_service() -> None:
    """Every operation of ``ibidem serve`` that works on texts, and so every tool of ``ibidem mcp``."""
    from starlette.testclient import TestClient

    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.indexes.server import make_app

    text = Path("p.txt").read_text("utf-8")
    with TestClient(make_app([ServedIndex("exact.ibidem")])) as client:

        def ask(path: str, **body: object) -> None:
            answer = client.post(path, json=body)
            assert answer.status_code == 200, answer.text

        ask("/v1/search", text=text, index="exact", context=9)
        ask("/v1/align", text=text, index="exact")
        ask("/v1/compare", a={"text": text}, b={"index": "exact", "document": "3"})
        ask("/v1/compare", a={"text": text}, b={"text": text})


def list_compiled() -> set[str]:
    """Every kernel that this process has compiled or read from the cache, with its types."""
    every = [(kernel.py_func, signature) for kernel in KERNELS for signature in kernel.signatures]
    return {f"{function.__module__}.{function.__name__} {signature}" for function, signature in every}


def run(*arguments: str) -> None:
    """Run a command in this process."""
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, (arguments, done.output, done.exception)


if __name__ == "__main__":
    compiler._notice.told = True
    os.chdir(sys.argv[1])
    write_collection()
    run("warmup")
    known = list_compiled()
    for call in list_calls():
        run(*call)
        for each in sorted(list_compiled() - known):
            print(" ".join(call), each, sep=": ", flush=True)
        known |= list_compiled()
    ask_service()
    for each in sorted(list_compiled() - known):
        print("serve", each, sep=": ")
