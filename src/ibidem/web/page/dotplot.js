// The runs of two passages against each other: a line from left to right for what keeps its order.

import { make } from "./dom.js";
import { say } from "./words.js";

const SIZE = 220;

/** A picture of the runs; `choose(run)` is called with the run nearest to where it was clicked. */
export function drawDots(comparison, choose) {
  const { a, b, runs } = comparison;
  const scale = (side, at) => ((at - side.start) / Math.max(side.end - side.start, 1)) * SIZE;
  const lines = runs.map((run) => ({
    kind: run[5] ? run[0] : null,
    x1: scale(a, run[1]),
    x2: scale(a, run[2]),
    y1: scale(b, run[3]),
    y2: scale(b, run[4]),
  }));
  const plot = make(
    "svg",
    {
      class: "dots",
      viewBox: `-6 -6 ${SIZE + 12} ${SIZE + 12}`,
      role: "img",
      "aria-label": say("dot-plot-label"),
      click: (event) => {
        const box = plot.getBoundingClientRect();
        const unit = (SIZE + 12) / box.width;
        choose(nearest(lines, (event.clientX - box.left) * unit - 6, (event.clientY - box.top) * unit - 6));
      },
    },
    make("rect", { class: "frame", x: 0, y: 0, width: SIZE, height: SIZE }),
    lines.map(({ kind, ...ends }) => (kind === null || kind === "dropped" || kind === "inserted" ? null : make("line", { class: kind, ...ends }))),
  );
  return plot;
}

function nearest(lines, x, y) {
  let best = 0;
  let least = Infinity;
  lines.forEach((line, number) => {
    const [dx, dy] = [(line.x1 + line.x2) / 2 - x, (line.y1 + line.y2) / 2 - y];
    if (dx * dx + dy * dy < least) [least, best] = [dx * dx + dy * dy, number];
  });
  return best;
}
