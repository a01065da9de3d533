"""check: a sound index passes, and each problem of another is a line."""

from pathlib import Path

import msgspec
import pytest

from ibidem.store.manifest import compute_fingerprint, put_manifest, read_manifest, sign_manifest

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


def change_configuration(path: Path, **changes: object) -> None:
    """Write the index's manifest as somebody would who knows how to make its checksums."""
    manifest = read_manifest(path)
    config = manifest.config | changes
    put_manifest(
        path,
        sign_manifest(msgspec.structs.replace(manifest, config=config, fingerprint=compute_fingerprint(config))),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "documents"},
        {"num_hashes": 7},
        {"scheme": "nonsense"},
        {"family": 3},
        {"min_length": -1},
        {"max_length": 10**6},
        {"tf": "loud"},
        {"tokenizer": {"name": "nobody's"}},
        {"tokenizer": {"name": "bpe", "files": ["0" * 32], "shingle": 1}},
        {"tokenizer": {"name": "bpe", "files": ["/etc/passwd"], "shingle": 1}},
        {"tokenizer": {"name": "words", "version": 2, "shingle": 0}},
    ],
    ids=lambda changes: next(iter(changes)) + "=" + str(next(iter(changes.values())))[:24],
)
def test_a_configuration_that_open_refuses_is_a_problem(run: Run, folder: Path, changes: dict[str, object]) -> None:
    change_configuration(Path("books.ibidem"), **changes)
    assert run("info", "books.ibidem").exit_code == 2
    result = run("check", "books.ibidem")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1
    assert "1 problem in" in result.stderr


def test_an_index_with_a_function_as_a_tokenizer_is_checked_without_it(run: Run, folder: Path) -> None:
    change_configuration(Path("books.ibidem"), tokenizer={"name": "callable", "function": "f", "shingle": 1})
    assert run("check", "books.ibidem").exit_code == 0
