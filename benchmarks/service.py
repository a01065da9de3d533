"""What does the service answer under load, and what does HTTP cost?

    python benchmarks/service.py [--quick] [--csv FILE] [--memory FILE] [--clients 100] [--seconds 30]

Clients on this machine ask the service of an index of the novels for 100 words from a random place, a quarter of them
replaced, at threshold 0.6; each asks again as soon as it was answered. While they do, some clients send half of a
request and wait, some hang up before the answer, and one sends a body that does not end. The same queries are then
asked by one client alone, and in one process without HTTP (``search_many``). Clients and service share the cores, so
the rate of many clients is that of both together.

Columns: *busy* are answers that told the client to come again (429), *errors* all others but 200; *MB* is the private
memory of the service at the start, after half of the time and at the end, and *mapped MB* how much of the files of the
index stands in memory at the end, which the system takes back when it needs to. ``--memory`` writes both for every ten
seconds.
"""

import csv
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from collections_of_text import documents
from report import Report, Row
from search_index import Source

from ibidem import PassageIndex

THRESHOLD = 0.6
QUERIES = 200
BETWEEN_SAMPLES = 10.0


class Client(threading.Thread):
    """Asks one query after another over one connection until it is told to stop."""

    def __init__(self, address: tuple[str, int], bodies: list[bytes], seed: int, stop: threading.Event) -> None:
        super().__init__()
        self.address, self.bodies, self.stop = address, bodies, stop
        self.random = random.Random(seed)
        self.seconds: list[float] = []
        self.statuses: list[int] = []

    def run(self) -> None:
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        while not self.stop.is_set():
            started = time.perf_counter()
            try:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", "/v1/search", self.random.choice(self.bodies), headers)
                response = connection.getresponse()
                response.read()
                self.statuses.append(response.status)
            except (OSError, http.client.HTTPException):
                connection.close()
                self.statuses.append(0)
            self.seconds.append(time.perf_counter() - started)
            if self.statuses[-1] == 429:
                self.stop.wait(0.1)
        connection.close()


class Nuisance(threading.Thread):
    """A client that is slow, hangs up, or sends a body without an end, over and over."""

    def __init__(self, address: tuple[str, int], kind: str, body: bytes, stop: threading.Event) -> None:
        super().__init__()
        self.address, self.kind, self.body, self.stop = address, kind, body, stop

    def run(self) -> None:
        while not self.stop.wait(0.05):
            try:
                with socket.create_connection(self.address, 60) as connection:
                    self.annoy(connection)
            except OSError:
                continue  # it was turned away, which is what should happen

    def annoy(self, connection: socket.socket) -> None:
        length = 1 << 40 if self.kind == "endless" else len(self.body)
        connection.sendall(b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % length)
        if self.kind == "endless":
            while not self.stop.wait(0.001):
                connection.sendall(b" " * 10_000)
        elif self.kind == "slow":
            connection.sendall(self.body[: len(self.body) // 2])
            self.stop.wait(5)
        else:
            connection.sendall(self.body)


class Sampler(threading.Thread):
    """Reads the memory of the service again and again.

    Attributes:
        samples: seconds since the start, private and mapped MB.
    """

    def __init__(self, service: "Service", stop: threading.Event) -> None:
        super().__init__()
        self.service, self.stop = service, stop
        self.started = time.perf_counter()
        self.samples = [(0.0, *service.memory())]

    def run(self) -> None:
        while not self.stop.wait(BETWEEN_SAMPLES):
            self.take()
        self.take()

    def take(self) -> None:
        self.samples.append((time.perf_counter() - self.started, *self.service.memory()))

    def private(self) -> str:
        """Private MB at the start, after half of the time and at the end."""
        return " ".join(f"{self.samples[at][1]:.0f}" for at in (0, len(self.samples) // 2, -1))


class Service:
    """``ibidem serve`` in a process of its own."""

    def __init__(self, index: Path) -> None:
        command = [sys.executable, "-m", "ibidem.cli", "serve", str(index), "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        while "http://" not in said:
            said = self.process.stderr.readline()
        self.address = ("127.0.0.1", int(said.rstrip("/\n").rpartition(":")[2]))

    def memory(self) -> tuple[float, float]:
        """Resident memory that is private, and that is mapped from files, MB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        sizes = {
            name: int(size.split()[0]) / 1000
            for name, _, size in (line.partition(":") for line in lines)
            if "Rss" in name
        }
        return sizes["RssAnon"], sizes["RssFile"]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def load(
    service: Service, bodies: list[bytes], clients: int, seconds: float, nuisances: int
) -> tuple[Row, list[tuple[float, ...]]]:
    """What so many clients see in so many seconds, and samples of the memory."""
    stop = threading.Event()
    sampler = Sampler(service, stop)
    asking = [Client(service.address, bodies, seed, stop) for seed in range(clients)]
    kinds = ["slow", "hangs up", "slow", "hangs up", "endless"][:nuisances]
    annoying = [Nuisance(service.address, kind, bodies[0], stop) for kind in kinds]
    started = time.perf_counter()
    for each in (*asking, *annoying, sampler):
        each.start()
    stop.wait(seconds)
    stop.set()
    for each in (*asking, *annoying, sampler):
        each.join()
    passed = time.perf_counter() - started
    statuses = [status for each in asking for status in each.statuses]
    times = [
        1000 * second
        for each in asking
        for second, status in zip(each.seconds, each.statuses, strict=True)
        if status == 200
    ]
    row: Row = {
        "seconds": round(passed, 1),
        "answers": statuses.count(200),
        "a second": round(statuses.count(200) / passed, 1),
        "median ms": round(float(np.median(times)), 1),
        "99 % ms": round(float(np.percentile(times, 99)), 1),
        "busy": statuses.count(429),
        "errors": sum(status not in (200, 429) for status in statuses),
        "MB": sampler.private(),
        "mapped MB": round(sampler.samples[-1][2]),
    }
    return row, list(sampler.samples)


def without_http(index: Path, texts: list[str], seconds: float, threads: int) -> Row:
    with PassageIndex.open(index) as opened:
        opened.search_many(texts, threshold=THRESHOLD, threads=threads)
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            opened.search_many(texts, threshold=THRESHOLD, threads=threads)
            done += len(texts)
        passed = time.perf_counter() - started
    said = {"seconds": round(passed, 1), "answers": done, "a second": round(done / passed, 1)}
    return said | dict.fromkeys(("median ms", "99 % ms", "busy", "errors", "MB", "mapped MB"), "")


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--clients", type=int, default=100)
    report.parser.add_argument("--seconds", type=float, default=30.0, help="of the load of all clients")
    report.parser.add_argument("--memory", type=Path, help="write the memory of the service to this file")
    options = report.options()
    clients, seconds = (4, 1.0) if options.quick else (options.clients, options.seconds)
    short = min(seconds, 20.0)
    texts = documents(options.quick)
    source = Source(texts, seed=7)
    queries = [source.query().text for _ in range(20 if options.quick else QUERIES)]
    bodies = [json.dumps({"text": query, "threshold": THRESHOLD}).encode() for query in queries]
    rows: list[Row] = []
    samples: list[tuple[Any, ...]] = []

    def ask(who: str, clients: int, seconds: float, nuisances: int = 0) -> None:
        row, taken = load(service, bodies, clients, seconds, nuisances)
        rows.append({"who": who, **row})
        samples.extend((who, *map(round, each)) for each in taken)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "novels.ibidem")
        PassageIndex.build(path, texts, min_length=32).close()
        service = Service(path)
        try:
            ask("one client", 1, short)
            ask(f"{clients} clients", clients, seconds)
            ask(f"{clients} clients and 5 bad ones", clients, short, 5)
            ask("one client again", 1, short)
        finally:
            service.stop()
        for threads in (1, os.cpu_count() or 1):
            rows.append({"who": f"no HTTP, {threads} threads", **without_http(path, queries, short / 2, threads)})
    report.finish(rows)
    if options.memory:
        with options.memory.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([("who", "seconds", "MB", "mapped MB"), *samples])


if __name__ == "__main__":
    main()
