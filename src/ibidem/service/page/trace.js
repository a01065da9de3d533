// A text with the words underlined that stand in the collection; the rarer they are, the thicker the line.

import { count, fill, make, number } from "./dom.js";
import { CodePoints } from "./passage.js";

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
    fill(said, on && [make("bdi", {}, `“${words}”`), ` stands in ${count(documents.size, "document")}. `, all]);
    if (on) said.scrollIntoView({ block: "nearest" });
  };
  let at = 0;
  for (const span of answer.spans) {
    const documents = new Set(span.documents.filter((document) => kept.has(document)));
    if (span.start < at || !documents.size) continue;
    body.append(text.slice(at, span.start), showSpan(span, text.slice(span.start, span.end), documents, choose));
    at = span.end;
  }
  body.append(text.slice(at, text.length));
  return [body, said];
}

function showSpan(span, words, documents, choose) {
  const rank = 1 + RANKS.filter((least) => span.evidence > least).length;
  const title = `${count(span.words, "word")}, ${number(Math.round(span.evidence))} nats of evidence, in ${[...documents].slice(0, 5).join(", ")}${documents.size > 5 ? " …" : ""}`;
  const mark = make("mark", { role: "button", tabindex: "0", "aria-pressed": "false", class: `rare-${rank}`, title }, words);
  mark.addEventListener("click", () => choose(mark, words, documents));
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // a space would scroll the page
    choose(mark, words, documents);
  });
  return mark;
}
