// Pictures of all pairs: which documents share passages, and when they were written.

import { make } from "./dom.js";
import { percent, say } from "./words.js";

const NAME = 22; // characters of a name on an axis
const isolate = (name) => `\u2068${name}\u2069`; // as <bdi> does, where there are no elements
const describePair = (pair, documents) => say("pair-label", { a: isolate(documents[pair.a].name), b: isolate(documents[pair.b].name), share: percent(pair.share) });

const shortenName = (name) => (name.length > NAME ? `${name.slice(0, NAME / 2)}…${name.slice(1 - NAME / 2)}` : name);

/** The documents with most pairs, those that share passages together. */
function mostPaired(pairs, most) {
  const degrees = new Map();
  for (const pair of pairs) for (const at of [pair.a, pair.b]) degrees.set(at, (degrees.get(at) ?? 0) + 1);
  const chosen = [...degrees.keys()].sort((x, y) => degrees.get(y) - degrees.get(x) || x - y).slice(0, most);
  return { chosen: orderByNeighbours(chosen, pairs), degrees };
}

/** Of the documents with most pairs, which share passages with which, and how similar the best of them is. */
export function drawMatrix(documents, pairs, most, choose) {
  const { chosen, degrees } = mostPaired(pairs, most);
  const isSource = (at) => documents[at].role === "source";
  // A set that is compared with another one only has the rows, and the other the columns.
  const apart = pairs.length > 0 && pairs.every((pair) => isSource(pair.a) !== isSource(pair.b));
  const [rows, columns] = apart ? [chosen.filter((at) => !isSource(at)), chosen.filter(isSource)] : [chosen, chosen];
  const [rowOf, columnOf] = [rows, columns].map((shown) => new Map(shown.map((document, place) => [document, place])));
  const best = new Map();
  for (const pair of pairs) {
    for (const [row, column] of [[pair.a, pair.b], [pair.b, pair.a]]) {
      if (!rowOf.has(row) || !columnOf.has(column)) continue;
      const key = `${rowOf.get(row)} ${columnOf.get(column)}`;
      if (!best.has(key) || best.get(key).share < pair.share) best.set(key, pair);
    }
  }
  const cell = Math.max(11, Math.min(22, 420 / Math.max(rows.length, columns.length, 1)));
  const [width, height, margin] = [cell * columns.length, cell * rows.length, 8 + 6.4 * Math.min(NAME, Math.max(4, ...chosen.map((at) => documents[at].name.length)))];
  const cells = [...best].map(([key, pair]) => {
    const [row, column] = key.split(" ").map(Number);
    return make(
      "rect",
      {
        class: "cell",
        x: column * cell + 0.5,
        y: row * cell + 0.5,
        width: cell - 1,
        height: cell - 1,
        "fill-opacity": (0.2 + 0.8 * pair.share).toFixed(2),
        click: () => choose(pair),
      },
      make("title", {}, describePair(pair, documents)),
    );
  });
  const named = (at, place) => make("text", place, make("title", {}, documents[at].name), shortenName(documents[at].name));
  const names = [
    rows.map((at, row) => named(at, { class: "label", x: -4, y: (row + 0.5) * cell + 4, "text-anchor": "end" })),
    columns.map((at, column) => named(at, { class: "label", transform: `translate(${(column + 0.5) * cell + 4} -4) rotate(-90)` })),
  ];
  const frame = make("rect", { class: "frame", x: 0, y: 0, width, height });
  const label = say("matrix-label", { n: chosen.length });
  const plot = make("svg", { class: "matrix", viewBox: `${-margin} ${-margin} ${width + margin + 2} ${height + margin + 2}`, style: `width:${width + margin + 2}px`, role: "img", "aria-label": label }, frame, cells, names);
  return { plot, shown: chosen.length, all: degrees.size };
}

/** The documents in an order in which those that share passages are neighbours. */
function orderByNeighbours(documents, pairs) {
  const neighbours = new Map(documents.map((document) => [document, []]));
  for (const pair of pairs) {
    neighbours.get(pair.a)?.push(pair.b);
    neighbours.get(pair.b)?.push(pair.a);
  }
  const order = [];
  const seen = new Set();
  for (const first of documents) {
    const waiting = [first];
    while (waiting.length) {
      const document = waiting.pop();
      if (seen.has(document) || !neighbours.has(document)) continue;
      seen.add(document);
      order.push(document);
      waiting.push(...neighbours.get(document));
    }
  }
  return order;
}

/** Documents by date, from left to right, with an arc for two that share a passage. */
export function drawTimeline(documents, pairs, choose) {
  const dated = documents.filter((document) => document.time !== null);
  const [first, last] = [Math.min(...dated.map((each) => each.time)), Math.max(...dated.map((each) => each.time))];
  const x = (document) => 20 + (400 * (document.time - first)) / Math.max(last - first, 1);
  const arcs = pairs
    .filter((pair) => documents[pair.a].time !== null && documents[pair.b].time !== null)
    .slice(0, 2000)
    .map((pair) => {
      const [from, to] = [x(documents[pair.a]), x(documents[pair.b])].sort((p, q) => p - q);
      const height = Math.min(100, 12 + (to - from) / 2);
      return make(
        "path",
        { class: "arc", d: `M${from.toFixed(1)} 120Q${((from + to) / 2).toFixed(1)} ${120 - 2 * height} ${to.toFixed(1)} 120`, click: () => choose(pair) },
        make("title", {}, describePair(pair, documents)),
      );
    });
  const points = dated.map((each) =>
    make("circle", { class: "date", cx: x(each).toFixed(1), cy: 120, r: 4 }, make("title", {}, `${each.name}: ${each.date}`)),
  );
  let free = -Infinity; // where the next name has room
  const names = [...dated].sort((p, q) => p.time - q.time).filter((each) => x(each) >= free && (free = x(each) + 11)).map((each) => make("text", { class: "label", transform: `translate(${x(each).toFixed(1)} 166) rotate(50)` }, make("title", {}, each.name), shortenName(each.name)));
  const [early, late] = [dated.find((each) => each.time === first), dated.find((each) => each.time === last)];
  const labels = [
    make("text", { x: 20, y: 146, "text-anchor": "start" }, early?.date ?? ""),
    make("text", { x: 420, y: 146, "text-anchor": "end" }, late?.date ?? ""),
  ];
  const bottom = 180 + 4.6 * Math.max(0, ...dated.map((each) => shortenName(each.name).length)); // where the longest name ends
  return make("svg", { class: "timeline", viewBox: `0 0 520 ${bottom.toFixed(0)}`, role: "img", "aria-label": say("timeline-label", { n: dated.length }) }, make("line", { class: "axis", x1: 10, x2: 430, y1: 120, y2: 120 }), arcs, points, labels, names);
}
