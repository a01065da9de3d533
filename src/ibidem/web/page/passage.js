// One passage with its runs marked, in code points.

import { make } from "./dom.js";
import { say } from "./words.js";

/** The kinds of runs that are marked. */
export const KINDS = ["equal", "moved", "changed", "alone"];

const LONGEST_PARAGRAPH = 40_000; // characters
const PART = 4000; // characters of a part of a longer passage, at least
const LONGEST_WORD = 100;

/** A text that is cut by code points, as all positions count them. */
export class CodePoints {
  constructor(text) {
    this.text = text;
    this.units = null; // code units at which each code point begins, for texts that need two for some
    if (/[\ud800-\udfff]/.test(text)) {
      this.units = [0];
      for (const sign of text) this.units.push(this.units[this.units.length - 1] + sign.length);
    }
    this.length = this.units ? this.units.length - 1 : text.length;
  }

  slice(start, end) {
    return this.units ? this.text.slice(this.units[start], this.units[Math.min(end, this.length)]) : this.text.slice(start, end);
  }
}

/** How each run is marked: the few equal words of a run that does not count are not, and nothing is where no run counts. */
export function kindsOf(runs) {
  const rest = runs.some((run) => run[5]) ? "alone" : "";
  return runs.map(([kind, , , , , counted]) => (counted ? kind : kind === "equal" || kind === "moved" ? "" : rest));
}

/** The ranges of the runs on one side, "a" or "b": `[run, start, end]` in the document, in order. */
function rangesOf(runs, name) {
  const at = name === "a" ? 1 : 3;
  return runs
    .map((run, number) => [number, run[at], run[at + 1]])
    .filter(([, start, end]) => end > start)
    .sort((x, y) => x[1] - y[1]);
}

/** A passage as an element; each run of it has its number in `data-run`. */
export function showPassage(side, runs, name, kinds = kindsOf(runs)) {
  const text = new CodePoints(side.text);
  const lines = new Lines(side);
  const element = make("div", { class: "words", dir: "auto" });
  const body = appendTo(element, text.length);
  const pieces = (start, end) => (body === element ? [[start, end]] : cutRange(text, side.start, start, end));
  body.append(make("span", { class: "context" }, side.before && `… ${side.before.replace(/^\S*\s/, "")}`));
  if (side.lines) body.append(lines.mark());
  const labels = [...side.locators];
  /** The text from `start` to `end`, with labels and numbers of lines where they belong. */
  const words = (start, end) => {
    const parts = [];
    let at = start;
    while (labels.length && labels[0][0] < end) {
      const [begin, , name] = labels.shift();
      if (begin > at) parts.push(...lines.cut(text.slice(at - side.start, begin - side.start)));
      at = Math.max(at, begin);
      parts.push(make("span", { class: "locator" }, name));
    }
    if (end > at) parts.push(...lines.cut(text.slice(at - side.start, end - side.start)));
    return parts;
  };
  let at = side.start;
  for (const [number, start, end] of rangesOf(runs, name)) {
    if (start > at) for (const piece of pieces(at, start)) body.append(...words(...piece));
    while (labels.length && labels[0][0] <= start) body.append(make("span", { class: "locator" }, labels.shift()[2]));
    for (const piece of pieces(start, end)) body.append(showRun(kinds[number], number, words(...piece)));
    at = end;
  }
  if (side.end > at) for (const piece of pieces(at, side.end)) body.append(...words(...piece));
  body.append(make("span", { class: "context" }, side.after && `${side.after.replace(/\s\S*$/, "")} …`));
  return element;
}

/** What to append the words of an element to: parts if there are many of them, else the element itself. */
export const appendTo = (element, length) => (length > LONGEST_PARAGRAPH ? new Parts(element) : element);

/** The pieces of a range, each of about the length of a part; they end with white space where there is some near. */
export function cutRange(text, first, start, end) {
  const pieces = [];
  let at = start;
  while (end - at > PART + LONGEST_WORD) {
    const near = text.slice(at + PART - first, at + PART + LONGEST_WORD - first);
    const cut = at + PART + [...near.slice(0, near.search(/\s/) + 1)].length;
    pieces.push([at, cut]);
    at = cut;
  }
  pieces.push([at, end]);
  return pieces;
}

/** Parts of a long passage, of which a browser lays out those in view: a paragraph of its length takes it seconds. */
class Parts {
  constructor(element) {
    Object.assign(this, { element, length: PART, last: null });
  }

  append(...nodes) {
    for (const node of nodes) {
      if (this.length >= PART) {
        this.last = make("div", { class: "part", dir: "auto" });
        this.element.append(this.last);
        this.length = 0;
      }
      this.last.append(node);
      this.length += (node.textContent ?? node).length;
    }
  }
}

function showRun(kind, number, children) {
  return make(kind === "equal" || kind === "moved" ? "mark" : "span", { class: `run ${kind}`, "data-run": number, title: kind && say(`run-${kind}`) }, children);
}

/** Numbers of lines, set before the first word of each. */
class Lines {
  constructor(side) {
    this.next = side.lines && side.lines[1] > side.lines[0] ? side.lines[0] : null;
  }

  mark() {
    return this.next === null ? "" : make("span", { class: "line", "data-line": this.next++, "aria-hidden": "true" });
  }

  cut(text) {
    if (this.next === null || !text.includes("\n")) return [text];
    const parts = text.split("\n");
    return parts.flatMap((part, number) => (number < parts.length - 1 ? [`${part}\n`, this.mark()] : [part]));
  }
}
