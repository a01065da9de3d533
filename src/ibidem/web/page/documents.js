// The documents of an answer, and one of them with all its passages in colour.

import { fill, inLine, make, named, scroller, table } from "./dom.js";
import { fitDocuments, kept, showFilters, tellShown } from "./filters.js";
import { CodePoints, appendTo, cutRange } from "./passage.js";
import { number, percent, say } from "./words.js";

const HUES = 8;

/** All documents: how much of each another one has, and with how many it shares something. */
export function showDocuments(body, answer) {
  const partners = answer.documents.map(() => 0);
  for (const pair of answer.pairs) for (const at of [pair.a, pair.b]) partners[at] += 1;
  const order = answer.documents.map((_, at) => at).sort((x, y) => (answer.documents[y].reused ?? 0) - (answer.documents[x].reused ?? 0) || partners[y] - partners[x]);
  const [rows, shown] = [make("div"), make("p", { class: "counts", role: "status" })];
  const counted = answer.documents.some((each) => each.reused !== null);
  const columns = ["document", "reused", "partners", "amount", ...["date", "author"].filter((name) => answer.documents.some((each) => each[name]))];
  const draw = (changed = {}) => {
    Object.assign(kept, changed);
    const { isNamed, isDated } = fitDocuments(answer);
    const chosen = order.filter((at) => isNamed[at] && isDated[at] && (!counted || (answer.documents[at].reused ?? 0) >= kept.share));
    tellShown(shown, chosen.length, order.length);
    const none = chosen.length === 0 && make("tr", {}, make("td", { colspan: String(columns.length) }, say("no-document-left")));
    fill(rows, scroller(say("part-documents"), table(say("part-documents"), columns.map((name) => [name, say(name === "amount" ? "words" : name)]), chosen.map((at) => showDocumentRow(answer, at, partners[at], columns)), none)));
  };
  fill(body, showFilters(answer, draw), shown, rows);
  draw();
}

function showDocumentRow(answer, at, partners, columns) {
  const each = answer.documents[at];
  return make("tr", {},
    make("td", {}, answer.text ? make("a", { href: answer.link({ doc: at }) }, named(each.name)) : named(each.name), each.role === "source" && make("span", { class: "kind" }, ` ${say("role-source")}`)),
    make("td", { class: "reused" }, each.reused === null ? "" : percent(each.reused)),
    make("td", { class: "partners" }, number(partners)),
    make("td", { class: "amount" }, each.words === null ? "" : number(each.words)),
    columns.includes("date") && make("td", { class: "date" }, each.date ?? ""),
    columns.includes("author") && make("td", { class: "author" }, each.author && named(each.author)));
}

/** A document with all its passages, each in the colour of the document that has it, too. */
export async function showDocument(body, answer, at) {
  const about = answer.documents[at];
  if (!about || !answer.text) return;
  const text = await answer.text(at);
  const passages = passagesOf(answer, at);
  const partners = [...new Set(passages.map((each) => each.other))];
  const hue = new Map(partners.map((other, rank) => [other, `--hue:hsl(${(360 / HUES) * (rank % HUES) + 48} 58% 45%)`]));
  fill(
    body,
    make("h2", { tabindex: "-1" }, named(about.name)),
    make("p", { class: "counts" }, inLine(say("n-words", { n: about.words }), about.reused !== null && say("reused-share", { share: percent(about.reused) }), about.date, about.author && named(about.author))),
    make("ul", { class: "legend hues" }, partners.map((other) => make("li", {}, make("a", { class: "hue", style: hue.get(other), href: answer.link({ pair: pairAt(answer, at, other) }) }, named(answer.documents[other].name)), ` ${say("n-passages", { n: passages.filter((each) => each.other === other).length })}`))),
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

const pairAt = (answer, a, b) => answer.pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a))?.at ?? null;

/** The text, with its passages as links; what several documents have is in the colour of the first. */
function paint(text, passages, hue, answer, at) {
  const links = new Map([...hue.keys()].map((other) => [other, answer.link({ pair: pairAt(answer, at, other) })]));
  return paintText(text, 0, passages, (open, words) => {
    const others = [...new Set(open.map((each) => each.other))];
    return make("a", { class: "passage hue", style: hue.get(others[0]), href: links.get(others[0]), title: others.map((other) => answer.documents[other].name).join(", ") }, words);
  });
}

/** A text cut where `spans` begin and end, which come by their begin; `mark(open, words)` makes an element of words that some lie over. */
export function paintText(text, first, spans, mark) {
  const points = new CodePoints(text);
  const last = first + points.length;
  const element = make("div", { class: "words whole", dir: "auto" });
  const body = appendTo(element, points.length);
  const inside = (place) => Math.min(Math.max(place, first), last);
  const cuts = [...new Set([first, last, ...spans.flatMap((each) => [inside(each.start), inside(each.end)])])].sort((x, y) => x - y);
  let open = [];
  let next = 0;
  for (let cut = 0; cut + 1 < cuts.length; cut += 1) {
    const [start, end] = [cuts[cut], cuts[cut + 1]];
    while (next < spans.length && spans[next].start <= start) open.push(spans[next++]);
    open = open.filter((each) => each.end > start);
    for (const [from, to] of body === element ? [[start, end]] : cutRange(points, first, start, end)) {
      const words = points.slice(from - first, to - first);
      body.append(open.length ? mark(open, words) : words);
    }
  }
  return element;
}
