"""What a build takes of memory stays within what it was given, beside the program itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MEASURED = """
import sys, threading
from pathlib import Path
from ibidem import PassageIndex, SketchIndex, read
from ibidem.resources import Resources

def anonymous():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))

folder, k = Path(sys.argv[1]), int(sys.argv[2])
build = SketchIndex.build if k else PassageIndex.build
options = {"memory": "64M", "threads": 2, **({"num_hashes": k} if k else {})}
short, long = folder / "short.jsonl", folder / "long.jsonl"
build(folder / "before", read(short), **options).close()
base, peak, over = anonymous(), [0], threading.Event()

def watch():
    while not over.wait(0.002):
        peak[0] = max(peak[0], anonymous())

watcher = threading.Thread(target=watch)
watcher.start()
size = Resources.of("64M", None, None).batch_bytes
build(folder / "index", read(long, batch_bytes=size), **options).close()
over.set()
watcher.join()
print(base, peak[0])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what is anonymous memory")
@pytest.mark.parametrize("num_hashes", [0, 4], ids=["passages", "sketches"])
def test_a_build_stays_within_its_memory(tmp_path: Path, num_hashes: int) -> None:
    text = " ".join(f"word{(number * number) % 9973}" for number in range(4000))
    for name, count in (("short", 1), ("long", 1500)):
        with (tmp_path / f"{name}.jsonl").open("w") as file:
            for number in range(count):
                file.write(json.dumps({"id": str(number), "text": text[number:] + text[:number]}) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path), str(num_hashes)], check=True, capture_output=True, text=True
    )
    base, peak = map(int, done.stdout.split())
    assert peak <= base + (64 << 20)
