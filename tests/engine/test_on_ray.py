"""Ray runs the tasks that this process would run, to the same outputs."""

import re
from pathlib import Path

from ..ray_clusters import run_on_cluster

SCRIPT = """
def write_square(base, number, folder, resources):
    import os, signal
    from pathlib import Path
    from ibidem.errors import CorpusError

    tries = Path(base) / str(number)
    tries.write_text((tries.read_text() if tries.exists() else "") + "x")
    if number == 2 and len(tries.read_text()) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 7:
        raise CorpusError("seven.txt: cannot be read")
    (folder / "square").write_text(str(number * number))

def main():
    from functools import partial
    from pathlib import Path
    from ibidem.engine import open_engine

    base = Path(sys.argv[1])
    with open_engine("auto", memory="64M") as engine:
        step = partial(write_square, str(base))
        outputs = engine.map("squaring", step, [3, 2, 1], base / "squares")
        print("squares:", [(output / "square").read_text() for output in outputs])
        try:
            engine.map("squaring", step, [3, 2, 1, 7], base / "squares")
        except Exception as error:
            print("failed:", type(error).__name__, error)
"""


def test_ray_does_each_task_also_when_its_worker_dies_and_raises_what_a_step_raises(tmp_path: Path) -> None:
    done = run_on_cluster(SCRIPT, tmp_path)
    assert re.findall(r"squares: (.*)", done.stdout) == ["['9', '4', '1']"], done.stderr
    assert re.findall(r"failed: (.*)", done.stdout) == ["CorpusError seven.txt: cannot be read"], done.stdout
    assert {name: (tmp_path / name).read_text() for name in "1237"} == {"1": "x", "2": "xx", "3": "x", "7": "x"}
    assert not (tmp_path / "squares-00003").exists()
