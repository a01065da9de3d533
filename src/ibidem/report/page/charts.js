// Pictures of all pairs: how similar they are, which documents share passages, and when they were written.

import { count, decimal, make, percent } from "./dom.js";

const BINS = 20;

/** Numbers of pairs by similarity; a bar that is clicked sets the threshold to its beginning. */
export function drawHistogram(similarities, threshold, choose) {
  const bins = new Array(BINS).fill(0);
  for (const value of similarities) bins[Math.min(BINS - 1, Math.floor(value * BINS))] += 1;
  const most = Math.max(...bins, 1);
  const bars = bins.map((size, bin) => {
    const height = size ? Math.max(1.5, (size / most) * 90) : 0;
    const from = bin / BINS;
    return make(
      "g",
      { class: from + 1e-9 >= threshold ? "bin" : "bin below", click: () => choose(from) },
      make("rect", { class: "catch", x: bin * 16, y: 0, width: 16, height: 100 }),
      make("rect", { class: "bar", x: bin * 16 + 1, y: 100 - height, width: 14, height }),
      make("title", {}, `${count(size, "pair")} from ${from.toFixed(2)} to ${(from + 1 / BINS).toFixed(2)}`),
    );
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((at) =>
    make("text", { x: at * 320, y: 114, "text-anchor": at === 0 ? "start" : at === 1 ? "end" : "middle" }, at.toFixed(2)),
  );
  const label = `Histogram of similarities: ${bins.map((size, bin) => (size ? `${size} from ${(bin / BINS).toFixed(2)}` : "")).filter(Boolean).join(", ")}`;
  return make("svg", { class: "histogram", viewBox: "0 0 320 118", role: "img", "aria-label": label }, bars, ticks);
}

/** Of the documents with most pairs, which share passages with which, and how similar the best of them is. */
export function drawMatrix(documents, pairs, most, choose) {
  const degrees = new Map();
  for (const pair of pairs) for (const at of [pair.a, pair.b]) degrees.set(at, (degrees.get(at) ?? 0) + 1);
  const chosen = [...degrees.keys()].sort((x, y) => degrees.get(y) - degrees.get(x) || x - y).slice(0, most);
  const shown = cluster(chosen, pairs);
  const place = new Map(shown.map((document, row) => [document, row]));
  const best = new Map();
  for (const pair of pairs) {
    if (!place.has(pair.a) || !place.has(pair.b)) continue;
    for (const key of [`${place.get(pair.a)} ${place.get(pair.b)}`, `${place.get(pair.b)} ${place.get(pair.a)}`]) {
      if (!best.has(key) || best.get(key).similarity < pair.similarity) best.set(key, pair);
    }
  }
  const cell = Math.max(4, Math.min(22, 420 / Math.max(shown.length, 1)));
  const size = cell * shown.length;
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
        "fill-opacity": (0.2 + 0.8 * pair.similarity).toFixed(2),
        click: () => choose(pair),
      },
      make("title", {}, `${documents[pair.a].name} and ${documents[pair.b].name}: ${decimal(pair.similarity)}`),
    );
  });
  const frame = make("rect", { class: "frame", x: 0, y: 0, width: size, height: size });
  const label = `Matrix of ${count(shown.length, "document")}: a filled cell for two documents that share a passage`;
  const plot = make("svg", { class: "matrix", viewBox: `-1 -1 ${size + 2} ${size + 2}`, style: `max-width:${size + 2}px`, role: "img", "aria-label": label }, frame, cells);
  return { plot, shown: shown.length, all: degrees.size };
}

/** The documents in an order in which those that share passages stand together. */
function cluster(documents, pairs) {
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
        make("title", {}, `${documents[pair.a].name} and ${documents[pair.b].name}: ${decimal(pair.similarity)}`),
      );
    });
  const points = dated.map((each) =>
    make("circle", { class: "date", cx: x(each).toFixed(1), cy: 120, r: 4 }, make("title", {}, `${each.name}: ${each.date}`)),
  );
  const [early, late] = [dated.find((each) => each.time === first), dated.find((each) => each.time === last)];
  const labels = [
    make("text", { x: 20, y: 142, "text-anchor": "start" }, early?.date ?? ""),
    make("text", { x: 420, y: 142, "text-anchor": "end" }, late?.date ?? ""),
  ];
  return make("svg", { class: "timeline", viewBox: "0 0 440 148", role: "img", "aria-label": `Time line of ${count(dated.length, "document")}` }, make("line", { class: "axis", x1: 10, x2: 430, y1: 120, y2: 120 }), arcs, points, labels);
}

