"""What is released: the built packages hold what users use and nothing else, and the scripts of a release work."""

import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from shutil import which
from types import ModuleType

import click
import pytest

import ibidem
from ibidem.cli.group import COMMANDS
from ibidem.store.format import FORMAT_VERSION

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> ModuleType:
    """A script of the folder ``release``."""
    spec = importlib.util.spec_from_file_location(f"release_{name}", ROOT / "release" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hide_what_a_build_lacks() -> str:
    """A line of Python that hides the dependencies which ``pyproject.toml`` does not require of a build."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed, used = (
        {re.split(r"[^\w-]", requirement)[0].replace("-", "_") for requirement in requirements}
        for requirements in (project["build-system"]["requires"], project["project"]["dependencies"])
    )
    return f"import sys; sys.modules.update(dict.fromkeys({sorted(used - needed)}))"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and an sdist, built with the address of a repository."""
    folder = tmp_path_factory.mktemp("dist")
    program = (
        "import os; os.environ['IBIDEM_REPOSITORY'] = 'https://example.org/ibidem/'\n"
        f"{hide_what_a_build_lacks()}\n"
        "from hatchling.build import build_sdist, build_wheel\n"
        f"build_wheel({str(folder)!r}); build_sdist({str(folder)!r})"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(built / f"ibidem-{ibidem.__version__}-py3-none-any.whl")


def read_metadata(wheel: zipfile.ZipFile) -> Message:
    return Parser().parsestr(wheel.read(f"ibidem-{ibidem.__version__}.dist-info/METADATA").decode("utf-8"))


def test_the_wheel_holds_the_package_and_nothing_that_users_do_not_use(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    version = ibidem.__version__
    assert tops == {"ibidem", f"ibidem-{version}.dist-info", f"ibidem-{version}.data"}
    assert not [name for name in wheel.namelist() if re.search(r"test|baselines|__pycache__|\.nb[ic]$", name)]
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert sources <= set(wheel.namelist())


def test_the_wheel_has_a_man_page_for_each_command_and_completions(wheel: zipfile.ZipFile) -> None:
    share = f"ibidem-{ibidem.__version__}.data/data/share/"
    names = {name.removeprefix(share) for name in wheel.namelist() if name.startswith(share)}
    assert {f"man/man1/ibidem-{command}.1" for command in COMMANDS} | {"man/man1/ibidem.1"} <= names
    assert {name.removeprefix("share/") for name in load("build_hook").COMPLETIONS.values()} <= names
    page = wheel.read(f"{share}man/man1/ibidem-search.1").decode("utf-8")
    assert r"\-\-threshold" in page
    assert "Find passages, or documents, that are similar to a query." in page.replace("\\", "")


def test_man_pages_keep_examples_and_have_nothing_that_man_does_not_know(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    from ibidem.cli import main

    folder = f"ibidem-{ibidem.__version__}.data/data/share/man/man1"
    for name in COMMANDS:
        page = wheel.read(f"{folder}/ibidem-{name}.1").decode("utf-8")
        lines = page.splitlines()
        requests = {line.split()[0] for line in lines if line[:1] in (".", "'")}
        assert requests <= {".TH", ".SH", ".PP", ".TP", ".B", ".nf", ".fi"}
        assert re.search(r"[\x00-\x08]", page) is None
        command = main.get_command(click.Context(main), name)
        assert command is not None
        examples = [line for line in (command.help or "").splitlines() if line.startswith("    ")]
        kept = "\n".join(re.findall(r"^\.nf\n(.*?)^\.fi$", page, re.MULTILINE | re.DOTALL)).splitlines()
        assert [line.replace(r"\-", "-").replace(r"\e", "\\") for line in kept if line] == examples
        if which("mandoc"):
            (tmp_path / f"{name}.1").write_text(page, "utf-8")
            check = subprocess.run(
                ["mandoc", "-Tlint", tmp_path / f"{name}.1"], capture_output=True, text=True, check=False
            )
            assert check.stdout == ""


def test_a_line_of_a_page_that_would_begin_as_a_request_does_not() -> None:
    clean = load("build_hook").clean_page
    words = "a line of many words that ends, where it is broken because it is too long, in " + ".gz of C:\\new\n"
    assert clean(".PP\n" + words).splitlines()[-1] == r"\&.gz of C:\enew"
    assert clean("'quoted' words\n") == "\\&'quoted' words\n"


def test_the_metadata_have_the_addresses_of_the_repository(wheel: zipfile.ZipFile) -> None:
    metadata = read_metadata(wheel)
    assert "Source, https://example.org/ibidem" in metadata.get_all("Project-URL", [])
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Version"] == ibidem.__version__


def test_the_sdist_builds_the_wheel_again(built: Path, tmp_path: Path, wheel: zipfile.ZipFile) -> None:
    with tarfile.open(built / f"ibidem-{ibidem.__version__}.tar.gz") as sdist:
        sdist.extractall(tmp_path, filter="data")
    program = "from hatchling.build import build_wheel; build_wheel('.')"
    folder = tmp_path / f"ibidem-{ibidem.__version__}"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, capture_output=True)
    again = zipfile.ZipFile(next(folder.glob("*.whl")))
    assert sorted(again.namelist()) == sorted(wheel.namelist())


def test_each_dependency_has_a_licence_that_lets_everybody_use_it() -> None:
    licences = load("licences")
    packages = licences.find_packages("ibidem")
    assert {"numba", "llvmlite", "numpy", "pyarrow"} <= set(packages)
    assert [name for name in packages if not licences.is_permissive(licences.read_licence(name))] == []


@pytest.mark.parametrize(
    ("licence", "permissive"),
    [
        ("MIT", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-only", False),
        ("unknown", False),
    ],
)
def test_a_licence_is_judged_by_all_that_must_be_met(licence: str, permissive: bool) -> None:
    assert load("licences").is_permissive(licence) is permissive


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    notes = load("notes")
    text = "# Changelog\n\n## [0.2.0] - unreleased\n\n- more\n\n## [0.1.0] - 2026-12-01\n\nThe first.\n"
    assert notes.read_notes(text, "0.1.0") == "The first.\n"
    with pytest.raises(ValueError, match=r"no date but 'unreleased'"):
        notes.read_notes(text, "0.2.0")
    with pytest.raises(ValueError, match=r"nothing of version 0\.3\.0"):
        notes.read_notes(text, "0.3.0")


def test_the_pins_of_an_image_are_those_that_were_tested() -> None:
    pins = load("pins").read_pins(ROOT / "constraints.txt")
    assert any(pin.startswith("numba==") for pin in pins)
    assert not [pin for pin in pins if "--hash" in pin or pin.endswith("\\")]


def test_the_recipe_asks_for_what_the_package_asks_for(wheel: zipfile.ZipFile) -> None:
    recipe = (ROOT / "release" / "recipe.yaml").read_text("utf-8")
    run = recipe.partition("  run:\n")[2].partition("\ntests:")[0]
    wanted = {
        re.sub(r"(?<!\s)>=", " >=", requirement.partition(";")[0])  # one recipe serves all systems
        for requirement in read_metadata(wheel).get_all("Requires-Dist", [])
        if "extra ==" not in requirement
    }
    listed = {line.strip().removeprefix("- ").removeprefix("python-") for line in run.splitlines() if line}
    assert listed - {f"python {read_metadata(wheel)['Requires-Python']}"} == wanted


def test_the_version_says_which_indexes_it_reads() -> None:
    from click.testing import CliRunner

    from ibidem.cli import main

    shown = CliRunner().invoke(main, ["--version"]).stdout
    assert shown == f"ibidem {ibidem.__version__}\nindexes: format {FORMAT_VERSION}\n"


def test_the_scripts_of_an_installation_name_each_extra() -> None:
    extras = set(read_extras())
    module = load("check_install")
    assert extras == {*module.COMMANDS, "viz"}


def test_the_commands_that_check_an_installation_succeed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from ibidem.cli import main

    module = load("check_install")
    module.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for line in ("index letters -o letters.ibidem --min-length 8", *module.EVERY_COMMAND):
        done = CliRunner().invoke(main, line.split())
        assert done.exit_code == 0, f"{line}: {done.output}"


def test_the_commands_that_need_an_extra_and_their_options_are_there() -> None:
    from ibidem.cli import main

    for name, *arguments in load("check_install").COMMANDS.values():
        command = main.get_command(click.Context(main), name)
        assert command is not None, name
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {each for each in arguments if each.startswith("-")} <= known, name


@pytest.mark.skipif(os.name == "nt", reason="pipes cannot be waited for there")
def test_an_address_is_read_behind_a_line_that_came_with_it() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"projects in projects\nopen http://127.0.0.1:8000/?key=k\n")  # and nothing more, nor an end
    with open(reader, "rb", buffering=0) as stream:
        assert load("check_install").read_address(stream) == "http://127.0.0.1:8000/?key=k"
    os.close(writer)


def read_extras() -> list[str]:
    from importlib.metadata import metadata

    return metadata("ibidem").get_all("Provides-Extra", [])


def test_each_workflow_is_yaml_and_calls_what_is_there() -> None:
    import yaml

    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
        steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
        for script in re.findall(r"release/\w+\.py|\./dev", "\n".join(steps)):
            assert (ROOT / script).is_file(), f"{path.name}: {script}"
