"""The picture of an S-curve, read as XML."""

from xml.etree import ElementTree

from ibidem.agreement.s_curve import draw_curves


def test_each_curve_has_a_line_and_its_name() -> None:
    drawing = ElementTree.fromstring(draw_curves([("a < b", lambda s: s), ("squared", lambda s: s**2)]))
    lines = list(drawing.iterfind("{*}polyline"))
    assert len(lines) == 2
    assert len({line.get("stroke") for line in lines}) == 2
    assert {"a < b", "squared"} <= {text.text for text in drawing.iterfind("{*}text")}


def test_a_threshold_is_a_dashed_line() -> None:
    dashed = [
        [
            line
            for line in ElementTree.fromstring(draw_curves([], threshold)).iterfind("{*}line")
            if line.get("stroke-dasharray")
        ]
        for threshold in (None, 0.5)
    ]
    assert not dashed[0]
    [line] = dashed[1]
    assert line.get("x1") == line.get("x2") == "204.00"  # in the middle of 320, behind a margin of 44
