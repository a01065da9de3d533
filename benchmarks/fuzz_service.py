"""Is any request, however odd, an error of the service?

    python benchmarks/fuzz_service.py [--quick] [--csv FILE] [--requests 100000]

Random requests go to a service of an index: right ones, ones with a field of another type, without one or with one too
many, with a field, a header or an entry of a list that repeats up to thousands of times, bodies and addresses with
random bytes in them, and other methods. An answer of 500 ends the run with a word that shows the request, and so does a
refusal that took longer than 10 s. A 503 would be an answer that took too long.

Columns: the longest that a refusal took, and answers of each kind.
"""

import http.client
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from collections_of_text import generated
from report import Report

from ibidem import PassageIndex
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.operations import Operation

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 0.5, 1e308, 2**70, "", "x", "\x00", "\ud800", "ferry", "utf-16", "bytes", "code points",
    "set", "weighted", "document", [], [1], {}, {"text": "a"}, {"document": "generated-1", "end": 5}, ["generated-9"],
    [{"id": "new", "text": "words of a new document"}],
)  # fmt: skip


HEADERS = ("Accept", "Authorization", "Content-Type", "Cookie", "Origin", "Sec-Fetch-Site", "X-Other")

MOST_SECONDS = 10
"""Until a request is refused that is not worked on."""


class Fuzzer(threading.Thread):
    """Sends random requests over one connection."""

    def __init__(self, port: int, texts: list[str], requests: int, seed: int) -> None:
        super().__init__()
        self.port, self.texts, self.requests = port, texts, requests
        self.random = random.Random(seed)
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []
        self.slowest = 0.0

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Content-Type": "application/json"}
        for _ in range(self.requests):
            method, path, body = self.draw()
            started = time.perf_counter()
            try:
                self.send(connection, method, path, body, headers)
                response = connection.getresponse()
                answer = response.read()
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"{method} {path} {body[:500]!r}: {error!r}")
                connection.close()
                continue
            self.statuses[response.status] += 1
            seconds = time.perf_counter() - started
            if 400 <= response.status < 500:
                self.slowest = max(self.slowest, seconds)
            if response.status >= 500 or (response.status >= 400 and seconds > MOST_SECONDS):
                self.faults.append(f"{method} {path} {body[:500]!r}: {response.status} {answer[:300]!r}")

    def send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> None:
        """Send a request, now and then with a header many times."""
        connection.putrequest(method, path)
        for name, value in headers.items():
            connection.putheader(name, value)
        if self.random.random() < 0.05:
            name = self.random.choice(HEADERS)
            for _ in range(self.random.choice([1, 2, 2000])):
                connection.putheader(name, self.random.choice(["same-origin", "Bearer quill", "application/json", "x"]))
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)

    def repeat(self) -> int:
        """How often a field or an entry is there: mostly once."""
        return self.random.choice([2, 30, 3000]) if self.random.random() < 0.05 else 1

    def draw(self) -> tuple[str, str, bytes]:
        """A method, an address and a body."""
        operation = self.random.choice(OPERATIONS)
        fields = {name: self.value(name) for name in operation.takes.__struct_fields__ if self.random.random() < 0.6}  # type: ignore[attr-defined]
        if self.random.random() < 0.1:
            fields["other"] = self.random.choice(VALUES)
        method = operation.method if self.random.random() < 0.97 else self.random.choice(["PUT", "GET", "POST", "HEAD"])
        if operation.method == "POST":
            return method, operation.path, self.spoil(self.encode(fields))
        return method, self.address(operation, fields), b""

    def encode(self, fields: dict[str, Any]) -> bytes:
        """The fields as JSON, now and then with one or with an entry of a list many times."""
        pairs: list[str] = []
        for name, value in fields.items():
            many = value * self.repeat() if isinstance(value, list) else value
            pairs += [f"{json.dumps(name)}:{json.dumps(many)}"] * self.repeat()
        return ("{" + ",".join(pairs) + "}").encode()

    def value(self, name: str) -> Any:
        if self.random.random() < 0.3:
            return self.random.choice(VALUES)
        text = self.random.choice(self.texts)
        start = self.random.randrange(len(text))
        known = {"text": text[start : start + 400], "limit": 5, "threshold": self.random.random(), "index": None}
        sides = {"a": {"text": text[start : start + 99]}, "b": {"document": "generated-0", "start": 3, "end": 90}}
        return (
            known | sides | {"document": f"generated-{self.random.randrange(5)}", "min_length": 8, "min_pair_length": 8}
        ).get(name)

    def address(self, operation: Operation, fields: dict[str, Any]) -> str:
        asked: list[str] = []
        for name, each in fields.items():
            if each is not None:
                asked += [f"{name}={quote(str(each), errors='replace')}"] * self.repeat()
        if self.random.random() < 0.02:
            asked += [f"n{number}" for number in range(self.random.choice([40, 8000]))]
        return f"{operation.path}?{'&'.join(asked)}"[:60_000]

    def spoil(self, body: bytes) -> bytes:
        """The body, now and then with random bytes in it."""
        if self.random.random() < 0.85 or not body:
            return body
        at = self.random.randrange(len(body))
        return body[:at] + self.random.randbytes(self.random.randrange(4)) + body[at + self.random.randrange(3) :]


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--requests", type=int, default=100_000)
    options = report.options()
    requests = 200 if options.quick else options.requests
    texts = generated(4, 300)
    texts.append(("generated-4", f"{texts[0][1][:900]} \U0001f600 <script>"))
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder, "x.ibidem")
        PassageIndex.build(index, texts, min_length=8).close()
        command = [sys.executable, "-m", "ibidem.cli", "serve", str(index), "--port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
            assert service.stderr is not None
            said = next(line for line in service.stderr if "http://" in line)
            port = int(said.rstrip("/\n").rpartition(":")[2])
            plain = [text for _, text in texts]
            fuzzers = [Fuzzer(port, plain, requests // 2, seed) for seed in range(2)]
            for each in fuzzers:
                each.start()
            for each in fuzzers:
                each.join()
            service.terminate()
    statuses = sum((each.statuses for each in fuzzers), Counter[int]())
    faults = [fault for each in fuzzers for fault in each.faults]
    slowest = round(max(each.slowest for each in fuzzers), 2)
    row: dict[str, object] = {"requests": sum(statuses.values()), "faults": len(faults), "slowest refusal": slowest}
    report.finish([row | {str(status): count for status, count in sorted(statuses.items())}])
    if faults:
        sys.exit("\n".join(faults[:5]))


if __name__ == "__main__":
    main()
