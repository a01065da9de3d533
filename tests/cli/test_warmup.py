"""Compiled code in a folder of one's own, and many processes that begin on an empty one."""

import os
import subprocess
import sys

TOKENIZE = "from ibidem.text import Texts, make_tokenizer; make_tokenizer().encode(Texts.from_strings(['a b']))"


def start(folder, *program):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.Popen([sys.executable, *program], env=environment, stderr=subprocess.PIPE, text=True)


def test_many_cold_processes_share_one_empty_cache(tmp_path):
    processes = [start(tmp_path, "-c", TOKENIZE) for _ in range(8)]
    said = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 8
    assert all(word == "" or (word.startswith("compiling kernels") and word.count("\n") == 1) for word in said)
    assert list(tmp_path.rglob("*.nbc"))


def test_a_process_that_has_compiled_kernels_cannot_move_its_cache(tmp_path, run):
    import numba  # noqa: F401  # as any command before this one would have

    result = run("warmup", "--cache", tmp_path / "kernels")
    assert result.exit_code == 2
    assert "--cache is for a process that has compiled nothing yet" in result.stderr
    assert not (tmp_path / "kernels").exists()


AFTER_WARMUP = """
import json, random, sys
from pathlib import Path
from click.testing import CliRunner
from ibidem._jit import KERNELS
from ibidem.cli.warmup import warmup
assert CliRunner().invoke(warmup).exit_code == 0
def compiled():
    every = [(kernel.py_func, signature) for kernel in KERNELS for signature in kernel.signatures]
    return {(function.__module__, function.__name__, str(signature)) for function, signature in every}
before = compiled()
from ibidem import deduplicate_passages, find_reuse
drawn = random.Random(1)
words = [f"w{int(500 ** drawn.random())}" for _ in range(3000)]
texts = [(str(n), " ".join(words[100 * n : 100 * n + 400])) for n in range(20)] + [("none", "")]
found = find_reuse(texts, within=True), find_reuse(texts, recall=1, texts=True), find_reuse(texts, series="s")
assert len(found[0].pairs) and deduplicate_passages(texts).removed
from ibidem.plans import plan_dedup, plan_index, plan_reuse, run_rank
folder = Path(sys.argv[1])
copies = [("copy", texts[0][1]), ("near", texts[0][1] + " more")]
for name, part in (("a", texts[:10]), ("b", texts[10:] + copies)):
    lines = [json.dumps({"id": name, "text": text}) + chr(10) for name, text in part]
    (folder / f"{name}.jsonl").write_text("".join(lines))
inputs = [str(folder / "a.jsonl"), str(folder / "b.jsonl")]
for name, plan in (("index", plan_index), ("dedup", plan_dedup), ("reuse", plan_reuse)):
    plan(inputs, folder / name, folder / f"{name}.plan", parts=2)
    run_rank(str(folder / f"{name}.plan"))
assert json.loads((folder / "dedup" / "summary.json").read_text())["near_duplicates"]
print(*sorted(compiled() - before), sep="\\n")
"""


def test_nothing_is_compiled_for_reuse_and_plans_after_a_warmup(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", AFTER_WARMUP, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
