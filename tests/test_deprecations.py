"""Old names: each kind works, names its successor in a warning, and goes when its version comes."""

import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import ibidem
from ibidem import deprecations
from ibidem.cli import main
from ibidem.deprecations import DEPRECATED, ENTRY_POINTS, Deprecated, rename_options
from ibidem.plugins import find_plugins

TEXT = "the whole village walks down to the flats with lamps and baskets and the children run ahead to be first there"
PAIR = [("a", TEXT), ("b", TEXT)]


def deprecate(monkeypatch: pytest.MonkeyPatch, where: str, name: str, instead: str) -> None:
    """A version with this old name."""
    monkeypatch.setattr(deprecations, "DEPRECATED", [Deprecated(where, name, instead, "0.2.0", "0.4.0")])


def test_an_argument_has_its_effect_under_its_old_name(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "find_reuse", "least", "min_pair_length")
    message = (
        r"^least \(find_reuse\) is deprecated since version 0\.2\.0 and will be removed in 0\.4\.0; use min_pair_length"
    )
    with pytest.warns(DeprecationWarning, match=message) as caught:
        assert len(ibidem.find_reuse(PAIR, least=8).pairs) == 1
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=message):
        assert len(ibidem.find_reuse(PAIR, least=80).pairs) == 0


def test_an_argument_of_a_method_is_found_by_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    evals = ibidem.EvalIndex([{"id": "q", "question": TEXT}])
    deprecate(monkeypatch, "EvalIndex.find", "documents", "train")
    with pytest.warns(DeprecationWarning, match="use train") as caught:
        assert len(evals.find(documents=PAIR).items) == 1
    assert caught[0].filename == __file__


def test_an_argument_under_both_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "find_reuse", "least", "min_pair_length")
    with pytest.raises(TypeError, match=r"find_reuse\(\) got 'min_pair_length' twice, once by its old name 'least'"):
        ibidem.find_reuse(PAIR, least=8, min_pair_length=8)


def test_the_new_name_and_other_calls_give_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "find_reuse", "least", "min_pair_length")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ibidem.find_reuse(PAIR, min_pair_length=8)
    with pytest.raises(TypeError, match="least"):
        ibidem.deduplicate(PAIR, least=8)


@pytest.mark.parametrize("old", [["--least", "8"], ["--least=8"]])
def test_an_option_has_its_effect_and_says_the_new_name(
    old: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, text in PAIR:
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    deprecate(monkeypatch, "ibidem align", "--least", "--min-pair-length")
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    done = CliRunner().invoke(main, ["align", *files, *old])
    assert done.exit_code == 0
    assert done.stderr == (
        "ibidem: warning: --least (ibidem align) is deprecated since version 0.2.0 and will be removed in 0.4.0; "
        "use --min-pair-length instead\n"
    )
    assert done.stdout == CliRunner().invoke(main, ["align", *files, "--min-pair-length", "8"]).stdout != ""


def test_an_option_of_a_command_below_another_is_named_by_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    deprecate(monkeypatch, "ibidem plan reuse", "--job", "--plan")
    plan = tmp_path / "job.plan"
    done = CliRunner().invoke(
        main, ["plan", "reuse", str(tmp_path / "a.txt"), "-o", str(tmp_path / "out"), "--job", str(plan)]
    )
    assert done.exit_code == 0, done.stderr
    assert "--job (ibidem plan reuse) is deprecated" in done.stderr
    assert plan.is_dir()


def test_a_word_behind_two_hyphens_is_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "ibidem align", "--old", "--new")
    lines: list[str] = []
    assert rename_options("ibidem align", ["--old", "--", "--old"], lines.append) == ["--new", "--", "--old"]
    assert rename_options("ibidem reuse", ["--old"], lines.append) == ["--old"]
    assert len(lines) == 1


def test_a_public_name_gives_what_its_successor_is(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "ibidem", "find_repeats", "find_reuse")
    with pytest.warns(DeprecationWarning, match=r"find_repeats \(ibidem\) is deprecated .*; use find_reuse") as caught:
        assert ibidem.find_repeats is ibidem.find_reuse  # type: ignore[attr-defined]
    assert caught[0].filename == __file__
    with pytest.raises(AttributeError, match="no attribute 'find_nothing'"):
        _ = ibidem.find_nothing  # type: ignore[attr-defined]


def test_plugins_of_an_old_group_are_found_behind_those_of_the_new_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    information = tmp_path / "old_plugin-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: old-plugin\nVersion: 1.0\n", "utf-8")
    entries = "[sample.writers]\nlist = old:list\nboth = old:both\n[sample.exports]\nboth = new:both\n"
    (information / "entry_points.txt").write_text(entries, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    deprecate(monkeypatch, ENTRY_POINTS, "sample.writers", "sample.exports")
    with pytest.warns(DeprecationWarning, match=r"the plugin 'list': sample\.writers .* use sample\.exports") as caught:
        found = find_plugins("sample.exports")
    assert {name: entry.value for name, entry in found.items()} == {"list": "old:list", "both": "new:both"}
    assert len(caught) == 1


def list_overdue(version: str) -> list[Deprecated]:
    """The entries that a version should no longer have."""

    def parse(name: str) -> tuple[int, ...]:
        return tuple(map(int, name.split(".")))

    return [entry for entry in deprecations.DEPRECATED if parse(entry.removed) <= parse(version)]


def test_an_old_name_is_overdue_from_its_version_on(monkeypatch: pytest.MonkeyPatch) -> None:
    deprecate(monkeypatch, "find_reuse", "least", "min_pair_length")
    assert [list_overdue(version) == [] for version in ("0.3.9", "0.4.0", "0.10.0")] == [True, False, False]


def test_this_version_has_no_old_name_that_it_should_have_removed() -> None:
    assert list_overdue(ibidem.__version__) == []
    changelog = Path(__file__).resolve().parent.parent.joinpath("CHANGELOG.md").read_text("utf-8")
    assert [entry for entry in DEPRECATED if f"`{entry.name}`" not in changelog] == []
