// An answer, or a report: its parts are shown one at a time, and the address says which.

import { showBasis, showLeftOut } from "./basis.js";
import { showClusters } from "./clusters.js";
import { showDocument, showDocuments } from "./documents.js";
import { fill, make, named } from "./dom.js";
import { keepFor } from "./filters.js";
import { showCase, showPairs } from "./pairs.js";
import { showPictures } from "./pictures.js";
import { say } from "./words.js";

/** The answer that a view of the server, or of a report, is of. `own` are functions that know where the rest is. */
export function makeAnswer(view, own) {
  const answer = { ...view, marks: new Map(), ...own, pairs: pairsOf(view) };
  answer.isCounted = answer.pairs.some((pair) => pair.counts);
  answer.documents.forEach((each, at) => {
    each.time = timeOf(each.date);
    each.name ??= say("document-number", { n: at + 1 });
  });
  let line = view.columns.a.length; // the comparisons of clusters are behind those of all pairs
  for (const cluster of answer.clusters) line = (cluster.first = line) + cluster.compared;
  answer.markOf = ({ a, b }) => answer.marks.get(keyOf(answer.documents[a].name, answer.documents[b].name)) ?? { mark: "", note: "" };
  return answer;
}

/** The key of what was said of two documents. */
export const keyOf = (a, b) => [a, b].sort().join("\n");

/** The pairs of documents, the one of most evidence first; where their words were not counted, they follow from pairs of passages. */
function pairsOf({ documentPairs, columns, kind }) {
  if (documentPairs.length || kind === "reuse") return documentPairs.map((pair, at) => ({ ...pair, at, share: Math.max(shareOf(pair, 0), shareOf(pair, 1)) }));
  const found = new Map();
  columns.a.forEach((a, row) => {
    const key = `${a} ${columns.b[row]}`;
    if (!found.has(key)) found.set(key, { a, b: columns.b[row], rows: [], counts: null, longest: null, share: 0, kind: columns.kinds[columns.kind[row]] });
    const pair = found.get(key);
    pair.rows.push(row);
    pair.share = Math.max(pair.share, columns.similarity[row] ?? 0);
  });
  const pairs = [...found.values()];
  if (kind === "dedup") pairs.sort((x, y) => y.share - x.share);
  return pairs.map((pair, at) => ({ ...pair, at, passages: pair.rows.length }));
}

/** The share of the words of one side that the other has in runs. */
export const shareOf = ({ counts }, side) => counts[side].same / Math.max(counts[side].words, 1);

/** A date as a number of years; `null` if it is none. */
function timeOf(date) {
  if (date === null || date === undefined || date === "") return null;
  if (/^-?\d{1,4}$/.test(date)) return Number(date);
  if (/^\d{8}$/.test(date)) return Number(date.slice(0, 4)) + (Number(date.slice(4, 6)) - 1) / 12;
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).getUTCFullYear() + new Date(time).getUTCMonth() / 12;
}

/** The parts of an answer, by the names that the address has for them. */
function partsOf(answer) {
  const isOneOf = (...kinds) => kinds.includes(answer.kind);
  const parts = {
    pairs: !isOneOf("search") && showPairs,
    documents: !isOneOf("search", "align", "found") && showDocuments,
    search: answer.showSearch,
    clusters: answer.clusters.length > 0 && showClusters,
    pictures: isOneOf("reuse", "found") && answer.pairs.length > 0 && showPictures,
    leftout: !isOneOf("search") && showLeftOut,
    save: answer.showSaving,
  };
  return new Map(Object.entries(parts).filter(([, show]) => show));
}

/** Show an answer in `main`; `at` are the parts of the address, `title` its heading, `back` a link to what it is of. */
export async function showAnswer(main, answer, at, title, back = null) {
  keepFor(answer.link({}));
  const parts = partsOf(answer);
  const part = at.pair ? "case" : at.doc ? "document" : parts.has(at.part) ? at.part : [...parts.keys()][0];
  const open = { case: "pairs", document: "documents" }[part] ?? part; // the part that it belongs to
  document.title = [say(`part-${open}`), title, answer.name].filter(Boolean).join(" – ");
  const body = make("div", { class: `answer of-${part}` });
  const link = (name) => make("a", { href: answer.link({ part: name }), "aria-current": name === part ? "page" : name === open ? "true" : null }, say(`part-${name}`));
  fill(
    main,
    make("nav", { class: "tabs", "aria-label": say("parts") }, back, [...parts.keys()].map(link)),
    make("h1", { tabindex: "-1" }, named(title), make("span", { class: "unseen" }, ` ${say(`part-${open}`)}`)),
    answer.notes?.map(([name, values]) => make("p", { class: "note" }, say(name, values))),
    body,
  );
  window.scrollTo(0, 0);
  if (part === "case") await showCase(body, answer, at);
  else if (part === "document") await showDocument(body, answer, Number(at.doc));
  else await parts.get(part)(body, answer, at);
  if (!["case", "leftout", "save"].includes(part)) body.append(showBasis(answer)); // which say it themselves, or need not
}

/** Keys that go on from a pair, where its links say so. */
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  document.querySelector(`.steps a[data-key="${CSS.escape(event.key)}"]`)?.click();
});
