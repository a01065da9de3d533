// Two passages beside each other: marked words, scrolling in step, and behind "More" the dot plot and the words they share.

import { inLine, make, named } from "./dom.js";
import { drawDots } from "./dotplot.js";
import { KINDS, kindsOf, showPassage } from "./passage.js";
import { number, say } from "./words.js";

/** The comparison as an element. `names` has what the documents are called. */
export function showPair(comparison, names) {
  const kinds = kindsOf(comparison.runs);
  const sides = ["a", "b"].map((name, which) => showSide(comparison, name, kinds, names[which]));
  const panes = sides.map((side) => side.querySelector(".pane")).filter(Boolean);
  const together = make("input", { type: "checkbox", checked: true });
  if (panes.length === 2) {
    scrollTogether(panes, kinds, () => together.checked);
    followPointer(panes);
  }
  const more = [comparison.runs.length > 0 && [make("h3", {}, say("dot-plot")), drawDots(comparison, (run) => show(panes, run)), make("p", { class: "note" }, say("about-dot-plot"))], comparison.reasons && showReasons(comparison.reasons)].filter(Boolean);
  return make(
    "div",
    { class: "pair" },
    panes.length > 0 && make("div", { class: "beside" }, showLegend(kinds), panes.length === 2 && make("label", { class: "together" }, together, ` ${say("scroll-together")}`)),
    make("div", { class: "sides" }, sides),
    more.length > 0 && make("details", { class: "more" }, make("summary", {}, say("more-of-pair")), more),
  );
}

function showSide(comparison, name, kinds, title) {
  const side = comparison[name];
  return make(
    "div",
    { class: "side", role: "group", "aria-label": say("passage-of", { title }) },
    make("h3", {}, named(title)),
    make("p", { class: "place" }, placeOf(side)),
    side.text
      ? make("div", { class: "pane", tabindex: "0", role: "group", "aria-label": say("text-of", { title }) }, showPassage(side, comparison.runs, name, kinds))
      : make("p", { class: "note" }, side.end > side.start ? say("text-left-out", { n: side.end - side.start }) : say("text-unknown")),
  );
}

/** The place of a passage, in the reader's terms if there are any. */
function placeOf(side) {
  const [first, last] = side.lines ?? [];
  const [one, other] = [side.locators[0], side.locators.at(-1)].map((each) => each && named(each[2]));
  return inLine(one && [one, side.locators.length > 1 && [" – ", other]], side.lines && say(first === last ? "line" : "lines", { first, last }), say("characters-from", { start: side.start, end: side.end }));
}

function showLegend(kinds) {
  const shown = KINDS.filter((kind) => kinds.includes(kind));
  return shown.length > 0 && make("ul", { class: "legend", "aria-label": say("marks") }, shown.map((kind) => make("li", {}, make("span", { class: `run ${kind}` }, say(`run-${kind}`)))));
}

function showReasons(reasons) {
  return [
    make("h3", {}, say("why")),
    showWords(say("only-first"), reasons.only_a, (word) => word.a - word.b),
    showWords(say("only-second"), reasons.only_b, (word) => word.b - word.a),
  ];
}

function showWords(title, words, times) {
  return words.length > 0 && [make("h4", {}, title), make("ul", { class: "weights" }, words.map((word) => make("li", {}, named(word.text), times(word) > 1 && ` ×${number(times(word))}`)))];
}

/** All pieces of a run: in a long passage it may have several. */
const piecesIn = (pane, run) => pane.querySelectorAll(`[data-run="${run}"]`);

/** How far an element is below the begin of what the pane scrolls. */
const topIn = (pane, element) => element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;

/** Bring a run into view on both sides, and mark it for a moment. */
function show(panes, run) {
  for (const pane of panes) {
    const pieces = piecesIn(pane, run);
    pane.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    if (pieces.length) pane.scrollTop = topIn(pane, pieces[0]) - pane.clientHeight / 3;
    pieces.forEach((piece) => piece.classList.add("chosen"));
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
function scrollTogether(panes, kinds, wanted) {
  let leader = null;
  let release = 0;
  panes.forEach((pane, which) => {
    pane.addEventListener("scroll", () => {
      if (!wanted() || (leader !== null && leader !== which)) return;
      leader = which;
      clearTimeout(release);
      release = setTimeout(() => (leader = null), 120);
      const other = panes[1 - which];
      const top = topRun(pane, kinds);
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
function topRun(pane, kinds) {
  const { top } = pane.getBoundingClientRect();
  const isInView = (element) => element.getBoundingClientRect().bottom > top;
  const parts = [...pane.querySelectorAll(".part")];
  for (const part of parts.length ? parts.filter(isInView) : [pane]) {
    for (const element of part.querySelectorAll("[data-run]")) {
      if (["equal", "changed"].includes(kinds[element.dataset.run]) && isInView(element)) return element;
    }
  }
  return null;
}
