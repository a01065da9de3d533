"""What the figures of the papers' experiments draw: the lines of their panels, read from the pictures themselves."""

import csv
import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks" / "papers"
FIGURES = sorted((ROOT / "benchmarks" / "results" / "papers").glob("*.svg"))


def load(name: str) -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


figure = load("figure")


def rows(*lines: tuple[str, float, float]) -> list[dict[str, object]]:
    return [{"name": name, "x": x, "y": y, "taken": True} for name, x, y in lines]


PANEL = figure.Panel("a panel", "x", "y", "name", lambda row: row["taken"], logarithmic=False)


def test_a_panel_has_a_line_for_each_name_with_its_points_in_order() -> None:
    table = rows(("one", 2, 5), ("two", 1, 9), ("one", 1, 4))
    table.append({"name": "one", "x": 3, "y": "", "taken": True})  # nothing was measured
    table.append({"name": "other", "x": 3, "y": 7, "taken": False})
    assert figure.series_of(table, PANEL) == [("one", [(1, 4), (2, 5)]), ("two", [(1, 9)])]


def test_a_line_that_would_have_two_values_at_one_place_is_an_error() -> None:
    """Two least lengths in one line of the windows by k were drawn as a zigzag, and nobody saw it."""
    with pytest.raises(ValueError, match=r"a panel: one is 5\.0 and 6\.0 at x = 2"):
        figure.series_of(rows(("one", 2, 5), ("one", 2, 6)), PANEL)
    assert figure.series_of(rows(("one", 2, 5), ("one", 2, 5)), PANEL) == [("one", [(2, 5)])]


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="pictures are drawn by matplotlib")
def test_a_picture_has_every_line_point_and_label(tmp_path: Path) -> None:
    names = [f"way {number}" for number in range(12)]
    lines = [figure.Series(name, [(1.0, float(i)), (2.0, i + 1.0), (4.0, i + 3.0)]) for i, name in enumerate(names)]
    figure.draw([(PANEL, lines), (PANEL._replace(title="another"), lines[:2])], tmp_path / "a.svg")
    drawn = lines_of(tmp_path / "a.svg")
    assert set(drawn) == {("a panel", name) for name in names} | {("another", name) for name in names[:2]}
    assert all(line.points == 3 for line in drawn.values())
    assert len({line.style for (title, _), line in drawn.items() if title == "a panel"}) == 12
    assert {"1", "2", "4", "a panel", "another", *names} <= set(texts_of(tmp_path / "a.svg"))


class Line:
    """A line of a picture: the number of its points, and what it looks like."""

    def __init__(self, group: ET.Element) -> None:
        path = group.find("{*}path")
        assert path is not None
        self.points = len(re.findall(r"[ML]", path.get("d", "")))
        self.markers = len(list(group.iter("{http://www.w3.org/2000/svg}use")))
        style = path.get("style", "")
        colour = re.search(r"stroke: (#\w+)", style)
        dashes = re.search(r"stroke-dasharray: ([\d., ]+)", style)
        self.style = (colour[1] if colour else "", dashes[1] if dashes else "")


def lines_of(picture: Path) -> dict[tuple[str, str], Line]:
    """The lines of a picture by panel and name."""
    found = {}
    for group in ET.parse(picture).iterfind(".//{*}g[@id]"):
        named = re.fullmatch(r"line \| (.*?) \| (.*)", group.get("id", ""))
        if named:
            found[named[1], named[2]] = Line(group)
    return found


def texts_of(picture: Path) -> list[str]:
    return ["".join(element.itertext()).strip() for element in ET.parse(picture).iterfind(".//{*}text")]


each_figure = pytest.mark.parametrize("picture", FIGURES, ids=lambda path: path.stem)


@each_figure
def test_a_figure_shows_its_lines_by_a_look_and_a_label_of_their_own(picture: Path) -> None:
    drawn = lines_of(picture)
    texts = texts_of(picture)
    assert drawn
    looks: dict[str, tuple[str, str]] = {}
    for (title, name), line in drawn.items():
        assert title in texts
        assert name in texts
        assert line.points == line.markers
        assert looks.setdefault(name, line.style) == line.style
    assert all(looks[one] != looks[other] for one, other in combinations(looks, 2))


@each_figure
def test_the_ticks_of_a_figure_do_not_overlap(picture: Path) -> None:
    for axis in ET.parse(picture).iterfind(".//{*}g[@id]"):
        if not re.fullmatch(r"matplotlib\.axis_\d*[13579]", axis.get("id", "")):
            continue  # every other axis is a vertical one
        places = []
        for text in axis.iterfind(".//{*}g/{*}g/{*}text"):
            if "rotate(-45" in text.get("transform", ""):
                continue
            place = re.search(r"(?:translate\(|x=)?([\d.]+)", text.get("transform", "") or text.get("x", ""))
            if text.get("x"):
                places.append((float(text.get("x", "0")), len("".join(text.itertext()).strip())))
            elif place:
                places.append((float(place[1]), len("".join(text.itertext()).strip())))
        places.sort()
        for (left, size), (right, other) in pairwise(places):
            assert right - left >= 2.6 * (size + other), (picture.stem, places)


@each_figure
def test_a_figure_stands_beside_the_table_that_it_draws(picture: Path) -> None:
    table = picture.with_suffix(".csv")
    lines = [line for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
    values = {value for row in csv.DictReader(lines) for value in row.values()}
    assert {name for _, name in lines_of(picture)} <= values
