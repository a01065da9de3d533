// A text with the words underlined that occur in the collection; the rarer they are, the thicker the line.

import { fill, make, named } from "./dom.js";
import { paintText } from "./documents.js";
import { say } from "./words.js";

const WORD = /[\p{L}\p{N}]/u;
const RANKS = [25, 60]; // evidence, in nats, from which on words are rare, and very rare

/** The text, and what was chosen of it: a click on words leaves in `list` the documents that have them. */
export function showTrace(text, spans, kept, list) {
  const said = make("p", { class: "counts", role: "status" });
  const choose = (mark, words, documents) => {
    const on = mark !== null && mark.getAttribute("aria-pressed") !== "true";
    for (const each of body.querySelectorAll("mark")) each.setAttribute("aria-pressed", String(on && each === mark));
    for (const item of list.children) item.hidden = on && !documents.has(item.dataset.document);
    const all = make("button", { type: "button", click: () => choose(null) }, say("all-documents"));
    fill(said, on && [named(`“${words.trim()}”`), ` ${say("occurs-in", { n: documents.size })} `, all]);
    if (on) said.scrollIntoView({ block: "nearest" });
  };
  const over = spans.map((span) => ({ ...span, documents: span.documents.filter((document) => kept.has(document)) })).filter((span) => span.documents.length);
  const body = paintText(text, 0, over, (open, words) => (WORD.test(words) ? showPiece(open, words, choose) : words));
  body.classList.add("traced");
  return [body, said];
}

function showPiece(open, words, choose) {
  const longest = open.reduce((best, span) => (span.evidence > best.evidence ? span : best));
  const documents = new Set(open.flatMap((span) => span.documents));
  const rank = 1 + RANKS.filter((least) => longest.evidence > least).length;
  const title = say("of-words", { n: longest.words, names: `${[...documents].slice(0, 5).join(", ")}${documents.size > 5 ? " …" : ""}` });
  const mark = make("mark", { role: "button", tabindex: "0", "aria-pressed": "false", class: `rare-${rank}`, title, click: () => choose(mark, words, documents) }, words);
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // a space would scroll the page
    choose(mark, words, documents);
  });
  return mark;
}
