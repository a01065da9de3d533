"""Pictures of the probability of becoming a candidate over the similarity, as SVG text."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

_SIZE, _MARGIN = 320, 44
_COLOURS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#0f172a")
_POINTS = 201


def draw_curves(
    curves: Sequence[tuple[str, Callable[[Any], Any]]], threshold: float | None = None, shaded: bool = False
) -> str:
    """Curves, each a name and a function of similarities in 0 to 1, in one picture; ``threshold`` is a dashed line.

    If ``shaded``, the errors of the first curve are: the area under it left of the threshold, and that above it right.
    """
    side = _SIZE + 2 * _MARGIN
    areas = [] if threshold is None or not shaded else _draw_areas(curves[0][1], threshold)
    body = [*_draw_axes(), *areas, *([] if threshold is None else _draw_threshold(threshold)), *_draw_curves(curves)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{side}" height="{side}" fill="white"/>',
            *body,
            "</svg>\n",
        ]
    )


def _place(x: float, y: float) -> tuple[str, str]:
    """The place of a point of the unit square."""
    return f"{_MARGIN + _SIZE * x:.2f}", f"{_MARGIN + _SIZE * (1 - y):.2f}"


def _draw_line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    (left, lower), (right, upper) = _place(x1, y1), _place(x2, y2)
    return f'<line x1="{left}" y1="{lower}" x2="{right}" y2="{upper}" {style}/>'


def _draw_text(x: float, y: float, text: str, style: str = 'text-anchor="middle"') -> str:
    left, lower = _place(x, y)
    return f'<text x="{left}" y="{lower}" {style}>{escape(text)}</text>'


def _draw_axes() -> Iterator[str]:
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        yield _draw_line(tick, 0, tick, 1, 'stroke="#e2e8f0"')
        yield _draw_line(0, tick, 1, tick, 'stroke="#e2e8f0"')
        yield _draw_text(tick, -0.05, f"{tick:g}")
        yield _draw_text(-0.05, tick - 0.01, f"{tick:g}")
    yield _draw_text(0.5, -0.11, "similarity")
    yield _draw_text(0, 1.05, "probability of becoming a candidate", 'text-anchor="start"')


def _draw_threshold(threshold: float) -> Iterator[str]:
    yield _draw_line(threshold, 0, threshold, 1, 'stroke="#64748b" stroke-dasharray="4 3"')


def _draw_areas(probability: Callable[[Any], Any], threshold: float) -> Iterator[str]:
    below, above = np.linspace(0, threshold, _POINTS), np.linspace(threshold, 1, _POINTS)
    for name, colour, corners, level, side in (
        ("false positives", "#4d7c0f", below, 0.0, 0.12),
        ("false negatives", "#0b6e99", above, 1.0, 0.17),
    ):
        curve = list(zip(corners, probability(corners), strict=True))
        outline = [(corners[0], level), *curve, (corners[-1], level)]
        points = " ".join(",".join(_place(x, y)) for x, y in outline)
        yield f'<polygon points="{points}" fill="{colour}" fill-opacity="0.35"><title>{name}</title></polygon>'
        yield _draw_text(0.97, side, name, f'text-anchor="end" fill="{colour}"')


def _draw_curves(curves: Sequence[tuple[str, Callable[[Any], Any]]]) -> Iterator[str]:
    similarities = np.linspace(0, 1, _POINTS)
    for number, (name, probability) in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(",".join(_place(x, y)) for x, y in zip(similarities, probability(similarities), strict=True))
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield _draw_text(0.03, 0.95 - 0.05 * number, name, f'fill="{colour}"')
