// A match: its place, its context, and the passage of the query beside it.

import { call, documentAddress } from "./calls.js";
import { count, decimal, fill, make, number } from "./dom.js";
import { showPair } from "./pair.js";

const LONGEST = 400; // characters of a passage that are shown

/** The pairs that are side by side; `last` is the one that the address names. */
export class OpenPairs {
  constructor(changed) {
    this.shown = new Map(); // the elements, by key
    this.last = null;
    this.changed = changed;
  }

  /** Close all, for another answer; the last opens again if it is among its matches. */
  clear() {
    this.shown.clear();
  }

  async toggle(match, answer, place) {
    const key = keyOf(match);
    if (this.shown.delete(key)) {
      fill(place);
      if (this.last === key) this.last = null;
      this.changed();
      return;
    }
    await this.open(match, answer, place);
    this.changed();
  }

  async open(match, answer, place) {
    const key = keyOf(match);
    this.last = key;
    const sides = {
      a: { text: answer.body.text, start: match.query_start, end: match.query_end },
      b: { index: answer.index, document: match.document, start: match.start, end: match.end },
    };
    try {
      const pair = showPair(await call("/v1/compare", sides), ["your text", match.document]);
      this.shown.set(key, pair);
      fill(place, pair);
    } catch (problem) {
      fill(place, make("p", { class: "warning" }, problem.message));
    }
  }
}

const keyOf = (match) => `${match.start}-${match.end} ${match.document}`;

export function showMatch(match, answer, pairs) {
  const place = make("div");
  const button = make("button", { type: "button", click: () => pairs.toggle(match, answer, place) }, "Side by side");
  if (pairs.shown.has(keyOf(match))) place.append(pairs.shown.get(keyOf(match)));
  else if (pairs.last === keyOf(match)) pairs.open(match, answer, place);
  const context = (words) => words && make("span", { class: "context" }, words);
  return make(
    "li",
    { "data-document": match.document },
    make("h2", {}, make("a", { href: documentAddress(answer.index, match.document, match.start, match.end) }, make("bdi", {}, match.document))),
    make("p", { class: "place" }, `similarity ${decimal(match.score)} · ${match.locator ? `${match.locator} · ` : ""}characters ${number(match.start)} to ${number(match.end)}`),
    make("p", { class: "excerpt", dir: "auto" }, context(match.before && `… ${match.before}`), make("mark", {}, shorten(match.text)), context(match.after && `${match.after} …`)),
    button,
    place,
  );
}

/** A passage; of a long one the middle is left out. */
function shorten(text) {
  const signs = [...text];
  if (signs.length <= LONGEST) return text;
  const left = make("span", { class: "context" }, ` … ${count(signs.length - LONGEST, "character")} … `);
  return [signs.slice(0, LONGEST / 2).join(""), left, signs.slice(-LONGEST / 2).join("")];
}
