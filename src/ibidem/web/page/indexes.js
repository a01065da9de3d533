// The page of `ibidem serve`: searches of indexes, and parts of documents.

import { call, place, readPlace } from "./calls.js";
import { paintText } from "./documents.js";
import { fill, inLine, make, named } from "./dom.js";
import { beginPage, showProblem } from "./frame.js";
import { Search } from "./search.js";
import { number, say } from "./words.js";

const PART = 12000; // characters of a document that are shown
const AROUND = 2000; // and before a passage

const documentLink = (match, index) => place({ document: match.document, index, start: match.start, end: match.end });

async function show(main, current) {
  const at = readPlace();
  const { indexes, evals } = await call("indexes");
  if (!current()) return;
  fill(document.getElementById("head"), make("p", { class: "name" }, make("a", { href: "#" }, "ibidem")));
  if (at.document) return showPart(main, at, current);
  const jobs = [...(indexes.length ? ["search", "align"] : []), ...(evals ? ["contamination"] : [])];
  document.title = say("find-passages");
  const body = make("div");
  fill(main, make("h1", { tabindex: "-1" }, say("find-passages")), body);
  return new Search({ jobs, indexes, link: documentLink, about: evals && say("n-items", { n: evals.items }) }, at).show(body);
}

/** A part of a document of an index, with the passage that was found. */
async function showPart(main, at, current) {
  const [start, end] = ["start", "end"].map((each) => Math.max(0, Math.floor(Number(at[each]) || 0)));
  const first = Math.max(0, start - AROUND);
  const part = await call("document", { document: at.document, index: at.index, start: first, end: Math.max(first + PART, end) });
  if (!current()) return;
  document.title = at.document;
  const turn = (words, to) => make(to === null ? "span" : "a", { class: "button", href: to === null ? null : documentLink({ document: at.document, start: to, end: to }, part.index), "aria-disabled": to === null ? "true" : null }, say(words));
  const elsewhere = make("div");
  const text = paintText(part.text, part.start, start < end ? [{ start, end }] : [], (_, words) => make("mark", { class: "asked" }, words));
  const find = async () => {
    const source = { jobs: ["align"], indexes: [], ids: { index: part.index }, link: documentLink };
    await new Search(source, { text: part.text, job: "align" }).show(elsewhere);
  };
  fill(
    main,
    make("h1", { tabindex: "-1" }, named(at.document)),
    make("p", { class: "place" }, inLine(part.locator && named(part.locator), say("characters-of", { start: part.start, end: part.end, length: part.length }))),
    make("nav", { class: "steps", "aria-label": say("parts-of-document") }, turn("earlier", part.start > 0 ? Math.max(0, part.start - PART + AROUND) : null), turn("later", part.end < part.length ? part.end + AROUND : null), make("button", { type: "button", click: find }, say("find-elsewhere"))),
    text,
    elsewhere,
  );
  text.querySelector(".asked")?.scrollIntoView({ block: "center" });
}

beginPage(show, () => say("service-footer"));
