"""What does it take to look for 15,000 items in training data, and in one document over HTTP?

    python benchmarks/contamination_speed.py [--quick] [--csv FILE] [--gigabytes 1] [--threads 2] [--stream]

The training data are generated: pages of sentences drawn at random from web pages and novels, so that their words
follow each other as in texts, in files of JSON lines; one page in a thousand holds an item. The items are those of
gsm8k, MMLU's dev split and HumanEval, and verses of a bible.

``ibidem decontaminate`` looks through all of it in a process of its own. *reading and tokenizing* is the same without
looking: the files are read, and their words numbered, by the same number of threads. *times* is the processor time of
one by that of the other, and the same by the clock. *MB* is the most anonymous memory
of the process, and *MB over the evals* what is beyond that of a run with one page. The last row is the service: the
median of 500 documents of 300 words, each a request, one after another.

With ``--stream`` the pages are made as ``ibidem.find_contamination`` reads them, and no text is stored: for sizes
beyond the disk. *making pages* is that alone, and *times* leaves it out: the time beyond it of one by that of the
other.
"""

import http.client
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from collections_of_text import generated, rows_of
from memory import MIB, watch
from report import Report, Row

from ibidem import find_contamination
from ibidem.corpus import read
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Documents, as_batches, cut_batches, make_tokenizer

ITEMS = 15_000
FILE_BYTES = 64 << 20


def tokenize(threads: int, documents: Iterator[Documents]) -> None:
    """Number the words of documents, as ``decontaminate`` does before it looks for anything."""
    resources, tokenizer = Resources.of("1G", threads, None), make_tokenizer("words")
    batches = cut_batches(documents, resources.batch_bytes)
    with resources.pool() as pool:
        encoded = in_order(pool, lambda batch: len(tokenizer.encode(batch.texts).ids), batches, 2 * resources.workers)
        deque(encoded, maxlen=0)


def work_on_stream(work: str, size: int, threads: int, folder: Path, is_quick: bool) -> None:
    """Make pages of so many bytes, and nothing else, or number their words, or find items in them."""
    evals = folder / "evals.jsonl"
    questions = [json.loads(line)["question"] for line in evals.read_text("utf-8").splitlines()]
    pages = stream_pages(size, quick_sentences() if is_quick else read_sentences(), questions)
    if work == "make":
        deque(pages, maxlen=0)
    elif work == "tokenize":
        tokenize(threads, as_batches(pages))
    else:
        found = find_contamination(pages, evals, threads=threads)
        (folder / "summary.json").write_text(json.dumps(found.summary), encoding="utf-8")


def stream_pages(size: int, sentences: list[str], questions: list[str]) -> Iterator[tuple[str, str]]:
    """Pages of about 300 words, of so many bytes in all, each made when it is read."""
    source, written, number = np.random.default_rng(1), 0, 0
    while True:
        for chosen in source.integers(len(sentences), size=(1000, 15)).tolist():
            page = [sentences[each] for each in chosen]
            if number % 1000 == 0:
                page.insert(7, questions[int(source.integers(len(questions)))])
            text = " ".join(page)
            yield str(number), text
            number += 1
            written += len(text)
            if written >= size:
                return


def read_questions() -> list[str]:
    questions = [row["question"] for name in ("gsm8k-test", "gsm8k-train") for row in rows_of(name)]
    questions += dict.fromkeys(row["question"] for row in rows_of("evals-mmlu-dev"))
    questions += [row["prompt"] for row in rows_of("humaneval")]
    verses = (line for row in rows_of("bibles-en") for line in row["text"].splitlines())
    questions += dict.fromkeys(line for line in verses if len(line.split()) > 12)
    return questions[:ITEMS]


def read_sentences() -> list[str]:
    texts = [row["text"] for name in ("pan13-train-documents", "article-extraction") for row in rows_of(name)]
    return [each for text in texts for each in re.split(r"(?<=[.!?])\s+", text) if 20 < len(each) < 400]


def write_pages(folder: Path, size: int, sentences: list[str], questions: list[str]) -> list[str]:
    """Files of pages of about 300 words, of so many bytes in all."""
    source, paths, written, number = random.Random(1), [], 0, 0
    while written < size:
        path = folder / f"{len(paths):04}.jsonl"
        paths.append(str(path))
        with path.open("w", encoding="utf-8") as file:
            while file.tell() < min(FILE_BYTES, size - written):
                page = source.choices(sentences, k=15)
                if number % 1000 == 0:
                    page.insert(7, source.choice(questions))
                for _ in range(100):
                    file.write(json.dumps({"id": str(number), "text": " ".join(page)}, ensure_ascii=False) + "\n")
                    page = source.choices(sentences, k=15)
                    number += 1
            written += file.tell()
    return paths


def ask(pages: Iterator[str], evals: str, sample: str) -> list[float]:
    """Seconds of each request to a service of the evals."""
    command = [sys.executable, "-m", "ibidem.cli", "serve", "--evals", evals, "--sample", sample, "--port", "0"]
    seconds = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if line.startswith("serving"))
            connection = http.client.HTTPConnection(said.split("//")[-1].strip().strip("/"), timeout=60)
            for page in pages:
                body = json.dumps({"documents": [{"text": page}]})
                began = time.perf_counter()
                connection.request("POST", "/v1/contamination", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                response.read()
                seconds.append(time.perf_counter() - began)
                assert response.status == 200
        finally:
            running.terminate()
    return seconds


def run(folder: Path, size: int, threads: int, sentences: list[str], questions: list[str]) -> list[Row]:
    evals = folder / "evals.jsonl"
    evals.write_text("".join(json.dumps({"question": each}) + "\n" for each in questions), encoding="utf-8")
    (folder / "one").mkdir()
    one = write_pages(folder / "one", 1, sentences, questions)
    (folder / "train").mkdir()
    paths = write_pages(folder / "train", size, sentences, questions)
    megabytes = sum(Path(path).stat().st_size for path in paths) / 1e6

    def look(name: str, train: list[str]) -> tuple[float, float, float]:
        began = time.perf_counter()
        options = ["--evals", str(evals), "-o", str(folder / name), "--threads", str(threads)]
        peak = watch(["decontaminate", *train, *options])
        return time.perf_counter() - began, peak.seconds, peak.anonymous / MIB

    look("warm", one)
    base = look("alone", one)
    began = time.perf_counter()
    plain = watch(["--tokenize", str(threads), *paths], [__file__])
    clock = time.perf_counter() - began
    looked = look("found", paths)
    summary = json.loads((folder / "found" / "summary.json").read_bytes())
    rows: list[Row] = [
        make_row("reading and tokenizing", megabytes, clock, plain.seconds, plain.anonymous / MIB),
        make_row("decontaminate", megabytes, *looked)
        | {
            "times": f"{looked[1] / plain.seconds:.2f}, by the clock {looked[0] / clock:.2f}",
            "MB over the evals": f"{looked[2] - base[2]:.0f}",
            "found": f"{summary['contaminated_documents']:,} documents",
        },
        make_row("decontaminate, one page", 0, *base),
    ]
    pages = (" ".join(random.Random(seed).choices(sentences, k=15)) for seed in range(20 if megabytes < 2 else 500))
    seconds = ask(pages, str(evals), paths[0])
    row = make_row("HTTP, a document", 0, statistics.median(seconds), 0, 0)
    slow = sorted(seconds)[len(seconds) * 95 // 100]
    return [*rows, row | {"seconds": f"{statistics.median(seconds):.5f}", "times": f"95 %: {slow:.5f} s"}]


def run_stream(folder: Path, size: int, threads: int, questions: list[str], is_quick: bool) -> list[Row]:
    """The works on pages that are made as they are read, each in a process of its own."""
    evals = folder / "evals.jsonl"
    evals.write_text("".join(json.dumps({"question": each}) + "\n" for each in questions), encoding="utf-8")
    rows: list[Row] = []
    spent: dict[str, float] = {}
    for name, work, part in (
        ("making pages", "make", size),
        ("and tokenizing", "tokenize", size),
        ("and find_contamination", "find", size),
        ("find_contamination, one page", "find", 1),
    ):
        began = time.perf_counter()
        peak = watch(["--work", work, str(part), str(threads), str(folder), str(is_quick)], [__file__])
        clock, spent[name] = time.perf_counter() - began, peak.seconds
        rows.append(make_row(name, part / 1e6, clock, peak.seconds, peak.anonymous / MIB))
        if work == "find" and part > 1:
            summary = json.loads((folder / "summary.json").read_bytes())
            beyond = [spent[each] - spent["making pages"] for each in ("and find_contamination", "and tokenizing")]
            rows[-1]["times"] = f"{beyond[0] / max(beyond[1], 1e-9):.2f}"
            rows[-1]["found"] = f"{summary['contaminated_documents']:,} documents"
    rows[2]["MB over the evals"] = f"{float(str(rows[2]['MB'])) - float(str(rows[3]['MB'])):.0f}"
    return rows


def make_row(work: str, megabytes: float, clock: float, processor: float, memory: float) -> Row:
    return {
        "work": work,
        "MB of text": f"{megabytes:,.0f}",
        "seconds": f"{clock:.1f}",
        "processor": f"{processor:.1f}",
        "MB": f"{memory:.0f}",
        "times": "",
        "MB over the evals": "",
        "found": "",
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--gigabytes", type=float, default=1.0)
    report.parser.add_argument("--threads", type=int, default=2)
    report.parser.add_argument("--stream", action="store_true", help="make the pages as they are read")
    options = report.options()
    size = 1 << 20 if options.quick else int(options.gigabytes * 1e9)
    sentences = quick_sentences() if options.quick else read_sentences()
    questions = sentences[:50] if options.quick else read_questions()
    with tempfile.TemporaryDirectory() as folder:
        if options.stream:
            report.finish(run_stream(Path(folder), size, options.threads, questions, options.quick))
        else:
            report.finish(run(Path(folder), size, options.threads, sentences, questions))


def quick_sentences() -> list[str]:
    texts = [text for _, text in generated(20, 2000)]
    return [" ".join(text.split()[at : at + 20]) for text in texts for at in range(0, 2000, 20)]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tokenize"]:
        tokenize(int(sys.argv[2]), read(sys.argv[3:]))
    elif sys.argv[1:2] == ["--work"]:
        work_on_stream(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]), sys.argv[6] == "True")
    else:
        main()
