// A text with the words underlined that occur in the collection; the rarer they are, the thicker the line.

import { count, fill, make, number } from "./dom.js";
import { CodePoints } from "./passage.js";

const WORD = /[\p{L}\p{N}]/u;
const RANKS = [25, 60]; // evidence, in nats, from which on words are rare, and very rare

/** The text, and what was chosen of it: a click on words leaves in `list` the documents that have them. */
export function showTrace(answer, matches, list) {
  const text = new CodePoints(answer.body.text);
  const kept = new Set(matches.map((match) => match.document));
  const said = make("p", { class: "counts", role: "status" });
  const body = make("div", { class: "traced", dir: "auto" });
  const choose = (mark, words, documents) => {
    const on = mark !== null && mark.getAttribute("aria-pressed") !== "true";
    for (const each of body.querySelectorAll("mark")) each.setAttribute("aria-pressed", String(on && each === mark));
    for (const item of list.children) item.hidden = on && !documents.has(item.dataset.document);
    const all = make("button", { type: "button", click: () => choose(null) }, "All documents");
    fill(said, on && [make("bdi", {}, `“${words.trim()}”`), ` occurs in ${count(documents.size, "document")}. `, all]);
    if (on) said.scrollIntoView({ block: "nearest" });
  };
  let at = 0;
  for (const piece of cutSpans(answer.spans, kept)) {
    const words = text.slice(piece.start, piece.end);
    body.append(text.slice(at, piece.start), WORD.test(words) ? showPiece(piece, words, choose) : words);
    at = piece.end;
  }
  body.append(text.slice(at, text.length));
  return [body, said];
}

/** Spans may lie over each other: the pieces between their ends, each with all documents of the spans over it. */
function cutSpans(spans, kept) {
  const over = spans.map((span) => ({ ...span, documents: span.documents.filter((document) => kept.has(document)) })).filter((span) => span.documents.length);
  const cuts = [...new Set(over.flatMap((span) => [span.start, span.end]))].sort((x, y) => x - y);
  const pieces = [];
  let open = [];
  let next = 0; // spans come by their beginning
  for (let place = 0; place + 1 < cuts.length; place++) {
    const [start, end] = [cuts[place], cuts[place + 1]];
    while (next < over.length && over[next].start <= start) open.push(over[next++]);
    open = open.filter((span) => span.end > start);
    if (open.length) {
      const longest = open.reduce((best, span) => (span.evidence > best.evidence ? span : best));
      pieces.push({ start, end, words: longest.words, evidence: longest.evidence, documents: new Set(open.flatMap((span) => span.documents)) });
    }
  }
  return pieces;
}

function showPiece({ words: length, evidence, documents }, words, choose) {
  const rank = 1 + RANKS.filter((least) => evidence > least).length;
  const title = `of ${count(length, "word")} in a row, ${number(Math.round(evidence))} nats of evidence, in ${[...documents].slice(0, 5).join(", ")}${documents.size > 5 ? " …" : ""}`;
  const mark = make("mark", { role: "button", tabindex: "0", "aria-pressed": "false", class: `rare-${rank}`, title }, words);
  mark.addEventListener("click", () => choose(mark, words, documents));
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // a space would scroll the page
    choose(mark, words, documents);
  });
  return mark;
}
