// An answer: its parts are shown one at a time, and the address says which.

import { call, place } from "./api.js";
import { fill, make, number } from "./dom.js";
import { fitDocuments, keepFor, kept, showFilters, tellShown } from "./filters.js";
import { CodePoints, appendTo, cutRange } from "./passage.js";
import { showCase, showPairs } from "./pairs.js";
import { showClusters, showPictures } from "./pictures.js";
import { showSearch } from "./search.js";
import { showSaving } from "./show.js";
import { explain, language, say } from "./words.js";

const PARTS = {
  reuse: ["pairs", "documents", "search", "clusters", "pictures", "leftout", "save"],
  align: ["pairs", "leftout", "save"],
  dedup: ["pairs", "documents", "leftout", "save"],
  search: ["search"],
};
const SHOWN = { pairs: showPairs, documents: showDocuments, clusters: showClusters, pictures: showPictures, leftout: showLeftOut, save: showSaving, search: showSearch };
const HUES = 8;

let last = null; // the answer that was read last: steps within it read nothing again

/** Show an answer in `main`; `at` are the parts of the address. */
export async function showAnswer(main, at, current) {
  const answer = last?.run === at.run && last.p === at.p ? last : await readAnswer(at);
  const project = await call("GET", answer.project);
  if (!current()) return;
  last = answer;
  keepFor(at.run);
  answer.name = project.name;
  answer.marks = new Map(project.marks.map((mark) => [keyOf(mark.a, mark.b), mark]));
  const parts = PARTS[answer.kind];
  const part = at.pair ? "case" : at.doc ? "document" : parts.includes(at.part) ? at.part : parts[0];
  const open = { case: "pairs", document: "documents" }[part] ?? part; // the part that it belongs to
  document.title = [say(`part-${open}`), say(`ask-${answer.kind}`), project.name].join(" – ");
  const body = make("div", { class: `answer of-${part}` });
  const link = (name) => make("a", { href: place({ p: at.p, run: at.run, part: name }), "aria-current": name === part ? "page" : name === open ? "true" : null }, say(`part-${name}`));
  fill(
    main,
    make("nav", { class: "tabs", "aria-label": say("parts") }, make("a", { href: place({ p: at.p }) }, `← ${project.name}`), parts.map(link)),
    make("h1", { tabindex: "-1" }, say(`ask-${answer.kind}`), make("span", { class: "unseen" }, ` ${say(`part-${open}`)}`)),
    body,
  );
  window.scrollTo(0, 0);
  if (part === "case") await showCase(body, answer, at);
  else if (part === "document") await showDocument(body, answer, Number(at.doc));
  else await SHOWN[part](body, answer, at);
}

async function readAnswer(at) {
  const project = `/v1/projects/${at.p}`;
  const path = `${project}/runs/${at.run}`;
  const [run, view] = await Promise.all([call("GET", path), call("GET", `${path}/view`)]);
  const lines = new Map();
  const answer = {
    ...view,
    ...at,
    project,
    path,
    downloads: run.downloads,
    asked: run.asked,
    /** Comparisons from `first` on; each is asked for once. */
    async comparisons(first, count) {
      const asked = `first=${first}&count=${count}`;
      if (!lines.has(asked)) lines.set(asked, call("GET", `${path}/comparisons?${asked}`));
      return lines.get(asked);
    },
    mark: async (a, b, said) => {
      const marks = await call("PUT", `${project}/marks`, { a, b, ...said });
      answer.marks = new Map(marks.map((mark) => [keyOf(mark.a, mark.b), mark]));
    },
    markOf: (pair) => answer.marks.get(keyOf(view.documents[pair.a].name, view.documents[pair.b].name)) ?? { mark: "", note: "" },
    link: (parts) => place({ p: at.p, run: at.run, ...parts }),
  };
  answer.pairs = pairsOf(view);
  answer.documents.forEach((each) => (each.time = timeOf(each.date)));
  return answer;
}

const keyOf = (a, b) => [a, b].sort().join("\n");

/** The pairs of documents, the one of most evidence first; of a deduplication they follow from its pairs. */
function pairsOf({ documentPairs, columns, kind }) {
  if (kind === "reuse" || kind === "align") return documentPairs.map((pair, at) => ({ ...pair, at }));
  const found = new Map();
  columns.a.forEach((a, row) => {
    const key = `${a} ${columns.b[row]}`;
    if (!found.has(key)) found.set(key, { a, b: columns.b[row], rows: [], counts: null, longest: null, similarity: 0 });
    const pair = found.get(key);
    pair.rows.push(row);
    pair.similarity = Math.max(pair.similarity, columns.similarity[row] ?? 0);
  });
  return [...found.values()].sort((x, y) => y.similarity - x.similarity).map((pair, at) => ({ ...pair, at, passages: pair.rows.length }));
}

/** A date as a number of years; `null` if it is none. */
function timeOf(date) {
  if (!date) return null;
  if (/^-?\d{1,4}$/.test(date)) return Number(date);
  if (/^\d{8}$/.test(date)) return Number(date.slice(0, 4)) + (Number(date.slice(4, 6)) - 1) / 12;
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).getUTCFullYear() + new Date(time).getUTCMonth() / 12;
}

/** All documents: how much of each another one has, and with how many it shares something. */
function showDocuments(body, answer) {
  const partners = answer.documents.map(() => 0);
  for (const pair of answer.pairs) for (const at of [pair.a, pair.b]) partners[at] += 1;
  const order = answer.documents.map((_, at) => at).sort((x, y) => (answer.documents[y].reused ?? 0) - (answer.documents[x].reused ?? 0) || partners[y] - partners[x]);
  const [rows, shown] = [make("tbody"), make("p", { class: "counts", role: "status" })];
  const counted = answer.documents.some((each) => each.reused !== null);
  const columns = ["document", "reused", "partners", "words", ...["date", "author"].filter((name) => answer.documents.some((each) => each[name]))];
  const draw = (changed = {}) => {
    Object.assign(kept, changed);
    const { named, dated } = fitDocuments(answer);
    const chosen = order.filter((at) => named[at] && dated[at] && (!counted || (answer.documents[at].reused ?? 0) >= kept.share));
    tellShown(shown, chosen.length, order.length);
    fill(rows, chosen.map((at) => showDocumentRow(answer, at, partners[at], columns)), chosen.length === 0 && make("tr", {}, make("td", { colspan: String(columns.length) }, say("no-document-left"))));
  };
  fill(
    body,
    showFilters(answer, draw),
    shown,
    make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": say("part-documents") },
      make("table", { "aria-label": say("part-documents") },
        make("thead", {}, make("tr", {}, columns.map((name) => make("th", { scope: "col", class: name === "words" ? "amount" : name }, say(name))))),
        rows)),
  );
  draw();
}

function showDocumentRow(answer, at, partners, columns) {
  const each = answer.documents[at];
  return make("tr", {},
    make("td", {}, make("a", { href: answer.link({ doc: at }) }, make("bdi", {}, each.name)), each.role === "source" && make("span", { class: "kind" }, ` ${say("role-source")}`)),
    make("td", { class: "reused" }, each.reused === null ? "" : `${Math.round(100 * each.reused)} %`),
    make("td", { class: "partners" }, number(partners)),
    make("td", { class: "amount" }, number(each.words)),
    columns.includes("date") && make("td", { class: "date" }, each.date ?? ""),
    columns.includes("author") && make("td", {}, each.author && make("bdi", {}, each.author)));
}

/** A document with all its passages, each in the colour of the document that has it, too. */
async function showDocument(body, answer, at) {
  const [text] = await call("GET", `${answer.path}/documents?first=${at}&count=1`);
  const about = answer.documents[at];
  if (!about) return;
  const passages = passagesOf(answer, at);
  const partners = [...new Set(passages.map((each) => each.other))];
  const hue = new Map(partners.map((other, rank) => [other, rank % HUES]));
  fill(
    body,
    make("h2", { tabindex: "-1" }, make("bdi", {}, about.name)),
    make("p", { class: "counts" }, [say("n-words", { n: about.words }), about.reused !== null && say("reused-share", { share: Math.round(100 * about.reused) })].filter(Boolean).join(" · ")),
    make("ul", { class: "legend hues" }, partners.map((other) => make("li", {}, make("a", { class: `hue-${hue.get(other)}`, href: answer.link({ pair: pairAt(answer, at, other) }) }, make("bdi", {}, answer.documents[other].name)), ` ${say("n-passages", { n: passages.filter((each) => each.other === other).length })}`))),
    paint(text, passages, hue, answer, at),
  );
}

/** The passages of a document, and who has them, too: `{start, end, other}`, by their begin. */
function passagesOf({ columns }, at) {
  const found = [];
  columns.a.forEach((a, row) => {
    if (a === at) found.push({ start: columns.a_start[row], end: columns.a_end[row], other: columns.b[row] });
    if (columns.b[row] === at) found.push({ start: columns.b_start[row], end: columns.b_end[row], other: a });
  });
  return found.sort((x, y) => x.start - y.start || y.end - x.end);
}

export const pairAt = (answer, a, b) => answer.pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a))?.at ?? null;

/** The text, cut where passages begin and end; what several have is in the colour of the first. */
function paint(text, passages, hue, answer, at) {
  const points = new CodePoints(text);
  const element = make("div", { class: "words whole", dir: "auto" });
  const body = appendTo(element, points.length);
  const cuts = [...new Set([0, points.length, ...passages.flatMap((each) => [each.start, each.end])])].sort((x, y) => x - y);
  const links = new Map([...hue.keys()].map((other) => [other, answer.link({ pair: pairAt(answer, at, other) })]));
  let open = [];
  let next = 0;
  for (let cut = 0; cut + 1 < cuts.length; cut += 1) {
    const [start, end] = [cuts[cut], cuts[cut + 1]];
    open = open.filter((each) => each.end > start);
    while (next < passages.length && passages[next].start <= start) open.push(passages[next++]);
    const others = [...new Set(open.map((each) => each.other))];
    const attributes = others.length > 0 && { class: `passage hue-${hue.get(others[0])}`, href: links.get(others[0]), title: others.map((other) => answer.documents[other].name).join(", ") };
    for (const piece of body === element ? [[start, end]] : cutRange(points, 0, start, end)) {
      const words = points.slice(...piece);
      body.append(attributes ? make("a", attributes, words) : words);
    }
  }
  return element;
}

/** What was found and set aside, with the reason of each. */
function showLeftOut(body, answer) {
  const reasons = Object.entries(answer.setAside);
  const all = reasons.reduce((sum, [, count]) => sum + count, 0);
  const wanted = make("select", { id: "reason", change: () => draw() }, make("option", { value: "" }, say("all-reasons")), reasons.map(([name]) => make("option", { value: name }, say(`reason-${name}`))));
  const rows = make("tbody");
  const draw = () => fill(rows, answer.leftOut.filter((row) => !wanted.value || row.reason === wanted.value).map((row) => make("tr", {}, make("td", {}, say(`reason-${row.reason}`)), make("td", {}, make("bdi", {}, row.a)), make("td", {}, make("bdi", {}, row.b)), make("td", { class: "excerpt", dir: "auto" }, make("div", {}, shorten(row.a_text ?? ""))))));
  fill(
    body,
    reasons.length ? make("ul", {}, reasons.map(([name, count]) => make("li", {}, make("strong", {}, `${number(count)} ${say(`reason-${name}`)}`), `: ${say(`about-reason-${name}`)}`))) : make("p", {}, say("nothing-left-out")),
    answer.subtracted.length > 0 && make("details", {}, make("summary", {}, say("subtracted", { n: answer.subtracted.length })), make("ul", {}, answer.subtracted.slice(0, 200).map((words) => make("li", { dir: "auto" }, words)))),
    reasons.length > 0 && [make("p", { class: "controls" }, make("label", { for: "reason" }, say("reason")), wanted), all > answer.leftOut.length && make("p", { class: "note" }, say("first-left-out", { n: answer.leftOut.length, all })), make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": say("part-leftout") }, make("table", { "aria-label": say("part-leftout") }, make("thead", {}, make("tr", {}, ["reason", "first", "second", "passage"].map((name) => make("th", { scope: "col" }, say(name))))), rows))],
    showSettings(answer),
  );
  if (reasons.length) draw();
}

/** By which settings, and which version, an answer was found. */
export function showSettings(answer) {
  const value = (name, given) => (given === null ? say("by-itself") : Array.isArray(given) ? given.join(", ") || "–" : typeof given === "boolean" ? say(given ? "yes" : "no") : typeof given === "number" ? number(given) : name === "normalize" ? given : say(`choice-${given}`));
  return make(
    "details",
    { class: "used", open: true },
    make("summary", {}, say("settings-used")),
    make("p", { class: "note" }, `ibidem ${answer.version} · ${new Date(1000 * answer.asked).toLocaleString(language())}`),
    make("dl", {}, Object.entries(answer.settings).map(([name, given]) => [make("dt", {}, say(`set-${name}`)), make("dd", {}, value(name, given))])),
    answer.reasons.length > 0 && make("ul", { class: "note" }, answer.reasons.map((why) => make("li", {}, explain(why)))),
  );
}

const shorten = (text) => (text.length > 160 ? `${text.slice(0, 160)} …` : text);

