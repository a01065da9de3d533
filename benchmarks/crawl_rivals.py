"""What ``crawl.py`` compares with, each in a process of its own.

Each reads ``a.jsonl`` and ``b.parquet`` of the input and writes ``kept.txt`` and ``removed.txt``, an id a line.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def write_ids(ids: list[str], file: Path) -> None:
    file.write_text("".join(f"{id}\n" for id in ids), "utf-8")


def read_pages(source: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    with (source / "a.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)
    for batch in pq.ParquetFile(source / "b.parquet").iter_batches(columns=["id", "text"]):
        yield from batch.to_pylist()


def run_datasketch(source: Path, out: Path) -> None:
    """As its documentation does it: who has candidates among those kept is removed."""
    from datasketch import MinHash, MinHashLSH

    index, kept, removed = MinHashLSH(threshold=0.8, num_perm=128), list[str](), list[str]()
    for number, page in enumerate(read_pages(source)):
        if page["text"] is None:
            continue
        words = page["text"].split()
        minhash = MinHash(num_perm=128)
        minhash.update_batch(" ".join(words[first : first + 5]).encode() for first in range(max(1, len(words) - 4)))
        if index.query(minhash):
            removed.append(page["id"])
        else:
            index.insert(number, minhash)
            kept.append(page["id"])
    write_ids(kept, out / "kept.txt")
    write_ids(removed, out / "removed.txt")


def run_datatrove(source: Path, out: Path) -> None:
    """The four steps of its documentation, one after the other in this process."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline import dedup
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader, ParquetReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.hashing import HashConfig
    from datatrove.utils.typeshelper import Languages

    config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8)
    readers = [JsonlReader(str(source), glob_pattern="*.jsonl"), ParquetReader(str(source), glob_pattern="*.parquet")]
    signature = dedup.MinhashDedupSignature(str(out / "signatures"), config=config, language=Languages.english)
    buckets = dedup.MinhashDedupBuckets(str(out / "signatures"), str(out / "buckets"), config=config)
    clusters = dedup.MinhashDedupCluster(str(out / "buckets"), str(out / "numbers"), config=config)
    kept, removed = (JsonlWriter(str(out / name), compression=None) for name in ("kept", "removed"))
    filtering = dedup.MinhashDedupFilter(str(out / "numbers"), exclusion_writer=removed)
    steps = [([*readers, signature], 1), ([buckets], config.num_buckets), ([clusters], 1)]
    for number, (pipeline, tasks) in enumerate([*steps, ([*readers, filtering, kept], 1)]):
        LocalPipelineExecutor(pipeline, tasks=tasks, logging_dir=str(out / f"logs/{number}")).run()
    for name in ("kept", "removed"):
        lines = [line for file in (out / name).glob("*.jsonl") for line in file.open(encoding="utf-8")]
        write_ids([json.loads(line)["id"] for line in lines], out / f"{name}.txt")


def run_rival() -> None:
    """Run the rival that is named, on the input, into the output: the arguments of the process."""
    {"datasketch": run_datasketch, "datatrove": run_datatrove}[sys.argv[1]](*map(Path, sys.argv[2:]))
