// Two passages beside each other: marked words, scrolling in step, the dot plot, and why they match.

import { count, fill, fixed, make, number, percent, phrase } from "./dom.js";
import { drawDots } from "./dotplot.js";
import { KINDS, showPassage } from "./passage.js";

/** The comparison as an element. `names` has what the documents are called, `counts` the words that each shares, if known. */
export function showPair(comparison, names, counts = [null, null]) {
  const sides = ["a", "b"].map((name, which) =>
    showSide(comparison, name, names[which], counts[which], names[1 - which]),
  );
  const panes = sides.map((side) => side.querySelector(".pane")).filter(Boolean);
  const both = panes.length === 2;
  const together = make("input", { type: "checkbox", checked: true });
  if (both) {
    scrollTogether(panes, comparison.runs, () => together.checked);
    followPointer(panes);
  }
  return make(
    "div",
    { class: "pair" },
    make("div", { class: "sides" }, sides),
    make(
      "div",
      { class: "beside" },
      both && make("label", { class: "together" }, together, ` ${phrase("scroll together")}`),
      panes.length > 0 && showLegend(),
      comparison.runs.length > 0 && [
        make("h3", {}, phrase("Dot plot")),
        drawDots(comparison, (run) => show(panes, run)),
        make("p", { class: "note" }, phrase("Left to right: the first passage. Top to bottom: the second. Click to go there.")),
      ],
      comparison.reasons && showReasons(comparison.reasons, names),
    ),
  );
}

/** How many words of a document the other one has, as a sentence. */
export function describeCounts([words, same, changed], other) {
  const sentence = same === 1 ? "1 of {words} words is word for word one of |" : "{same} of {words} words are word for word those of |";
  const [before, after] = phrase(sentence, { same: number(same), words: number(words) }).split("|");
  const more = changed === 1 ? ", 1 more is changed" : ", {changed} more are changed";
  return [before, make("bdi", {}, other), after, changed > 0 && phrase(more, { changed: number(changed) })];
}

function showSide(comparison, name, title, counts, other) {
  const side = comparison[name];
  const empty = !side.text;
  return make(
    "div",
    { class: "side", role: "group", "aria-label": phrase("passage of {title}", { title }) },
    make("h3", {}, make("bdi", {}, title)),
    make("p", { class: "place" }, placeOf(side)),
    counts && make("p", { class: "place counted" }, phrase("Of the whole document, "), describeCounts(counts, other)),
    empty
      ? make("p", { class: "note" }, side.end > side.start ? phrase("The text was left out ({characters}).", { characters: count(side.end - side.start, "character") }) : phrase("The text of this document is not known here."))
      : make("div", { class: "pane", tabindex: "0", role: "group", "aria-label": phrase("text of {title}", { title }) }, showPassage(side, comparison.runs, name)),
  );
}

/** The place of a passage, in the reader's terms if there are any. */
export function placeOf(side) {
  const places = [];
  const labels = side.locators.map((each) => each[2]);
  if (labels.length) places.push(labels.length === 1 ? labels[0] : `${labels[0]} – ${labels[labels.length - 1]}`);
  if (side.lines) places.push(side.lines[0] === side.lines[1] ? phrase("line {first}", { first: number(side.lines[0]) }) : phrase("lines {first} to {last}", { first: number(side.lines[0]), last: number(side.lines[1]) }));
  places.push(phrase("characters {start} to {end}", { start: number(side.start), end: number(side.end) }));
  return places.join(" · ");
}

function showLegend() {
  return make(
    "ul",
    { class: "legend", "aria-label": phrase("Marks") },
    Object.entries(KINDS).map(([kind, words]) => make("li", {}, make("span", { class: `run ${kind}` }, phrase(words)))),
  );
}

function showReasons(reasons, names) {
  const { chance } = reasons;
  const said = make("p", {});
  fill(
    said,
    phrase("{ab} of the weight of the first passage is in the second, {ba} the other way. ", { ab: percent(reasons.a_in_b), ba: percent(reasons.b_in_a) }),
    phrase("They share a weight of {shared}; words drawn by chance would share {expected}", { shared: number(Math.round(chance.shared)), expected: number(Math.round(chance.expected)) }),
    chance.deviations > 0 ? phrase(" ({deviations} standard deviations less).", { deviations: fixed(chance.deviations, 0) }) : ".",
  );
  return make(
    "details",
    { open: true },
    make("summary", {}, phrase("Why they match")),
    said,
    showWords("Shared words that weigh most", reasons.shared, (word) => Math.min(word.a, word.b)),
    showWords(`Only, or more often, in the first`, reasons.only_a, (word) => word.a - word.b),
    showWords(`Only, or more often, in the second`, reasons.only_b, (word) => word.b - word.a),
  );
}

function showWords(title, words, times) {
  if (!words.length) return null;
  return make(
    "div",
    {},
    make("h4", {}, phrase(title)),
    make(
      "ul",
      { class: "weights" },
      words.map((word) =>
        make("li", { title: phrase("weight {weight}", { weight: fixed(word.weight, 2) }) }, make("bdi", {}, word.text), times(word) > 1 ? ` ×${times(word)}` : ""),
      ),
    ),
  );
}

const runIn = (pane, number) => pane.querySelector(`[data-run="${number}"]`);

/** All pieces of a run: in a long passage it may have several. */
const piecesIn = (pane, number) => pane.querySelectorAll(`[data-run="${number}"]`);

/** How far an element is below the begin of what the pane scrolls. */
const topIn = (pane, element) => element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;

/** Bring a run into view on both sides, and mark it for a moment. */
export function show(panes, number) {
  for (const pane of panes) {
    const element = runIn(pane, number);
    pane.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    if (element) {
      pane.scrollTop = topIn(pane, element) - pane.clientHeight / 3;
      piecesIn(pane, number).forEach((piece) => piece.classList.add("chosen"));
    }
  }
}

/** A run under the pointer is marked on both sides; a click brings its counterpart into view. */
function followPointer(panes) {
  panes.forEach((pane, which) => {
    const light = (event, on) => {
      const run = event.target.closest("[data-run]");
      if (run) for (const each of panes) piecesIn(each, run.dataset.run).forEach((piece) => piece.classList.toggle("lit", on));
    };
    pane.addEventListener("mouseover", (event) => light(event, true));
    pane.addEventListener("mouseout", (event) => light(event, false));
    pane.addEventListener("click", (event) => {
      const run = event.target.closest("[data-run]");
      if (run) show([panes[1 - which]], run.dataset.run);
    });
  });
}

/** When one pane scrolls, the other follows, so that the runs at their tops correspond. */
function scrollTogether(panes, runs, wanted) {
  let leader = null;
  let release = 0;
  panes.forEach((pane, which) => {
    pane.addEventListener("scroll", () => {
      if (!wanted() || (leader !== null && leader !== which)) return;
      leader = which;
      clearTimeout(release);
      release = setTimeout(() => (leader = null), 120);
      const other = panes[1 - which];
      const top = topRun(pane, runs);
      const counterpart = top && counterpartOf(top, pane, other);
      if (counterpart) other.scrollTop = topIn(other, counterpart) - (topIn(pane, top) - pane.scrollTop);
      else other.scrollTop = (pane.scrollTop / Math.max(pane.scrollHeight - pane.clientHeight, 1)) * (other.scrollHeight - other.clientHeight);
    });
  });
}

/** The piece of a run that is for this one in the other pane: pieces of equal words are cut at the same places. */
function counterpartOf(piece, pane, other) {
  const pieces = piecesIn(other, piece.dataset.run);
  return pieces[[...piecesIn(pane, piece.dataset.run)].indexOf(piece)] ?? pieces[0];
}

/** The first run in view that both passages have in the same order. */
function topRun(pane, runs) {
  const { top } = pane.getBoundingClientRect();
  const isInView = (element) => element.getBoundingClientRect().bottom > top;
  const parts = [...pane.querySelectorAll(".part")];
  for (const part of parts.length ? parts.filter(isInView) : [pane]) {
    for (const element of part.querySelectorAll("[data-run]")) {
      const kind = runs[element.dataset.run][0];
      if ((kind === "equal" || kind === "changed") && isInView(element)) return element;
    }
  }
  return null;
}

