"""check: a sound index passes, and each problem of another is a line."""

from pathlib import Path

from .samples import Run


def test_a_sound_index_passes_the_check(run: Run, folder: Path) -> None:
    result = run("check", "books.ibidem")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith("files checked, all as they were written\n")


def test_a_damaged_index_fails_the_check_with_a_line_for_each_problem(run: Run, folder: Path) -> None:
    for name in ("text.npy", "packed_postings.npy"):
        (damaged,) = Path("books.ibidem").rglob(name)
        content = bytearray(damaged.read_bytes())
        content[-1] ^= 1
        damaged.write_bytes(content)
    result = run("check", "books.ibidem")
    assert result.exit_code == 1
    assert sorted(line.rpartition("/")[2].partition(":")[0] for line in result.stdout.splitlines()) == [
        "packed_postings.npy",
        "text.npy",
    ]


def test_an_index_too_damaged_to_be_opened_is_checked(run: Run, folder: Path) -> None:
    (damaged,) = Path("books.ibidem").rglob("packed_postings.npy")
    damaged.unlink()
    assert run("info", "books.ibidem").exit_code == 2
    result = run("check", "books.ibidem")
    assert result.exit_code == 1
    assert "packed_postings.npy" in result.stdout
