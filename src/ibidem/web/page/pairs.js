// Pairs of documents: a ranked table with filters, and a page for each, to look at, to mark and to print.

import { attempt, tell } from "./api.js";
import { decimal, fill, make, number, percent } from "./dom.js";
import { fitDocuments, kept, showFilters, tellShown } from "./filters.js";
import { redraw } from "./focus.js";
import { showSettings } from "./look.js";
import { describeCounts, showPair } from "./pair.js";
import { say } from "./words.js";

const PAGE = 100;
const MARKS = ["", "looked at", "no reuse", "quotation"];
const FIRST = 5; // passages of a pair that are open when its page is

const COLUMNS = {
  first: (pair, documents) => documents[pair.a].name,
  second: (pair, documents) => documents[pair.b].name,
  identical: (pair) => -shareOf(pair, 3),
  similar: (pair) => -shareOf(pair, 4),
  longest: (pair) => -(pair.longest ?? 0),
  passages: (pair) => -pair.passages,
  mark: (pair, documents, answer) => answer.markOf(pair).mark,
};

const OF_COPIES = {
  copy: COLUMNS.first,
  original: COLUMNS.second,
  likeness: (pair) => -pair.similarity,
  passages: COLUMNS.passages,
  mark: COLUMNS.mark,
};

/** The columns of the table, with what it is ordered by: shares if they were counted, else how alike two texts are. */
const columnsOf = (answer) => (answer.kind === "dedup" ? OF_COPIES : COLUMNS);

/** The larger share of the two documents; of whole documents it is their similarity. */
const shareOf = (pair, at) => (pair.counts ? Math.max(pair.counts[0][at], pair.counts[1][at]) : pair.similarity);

export function showPairs(body, answer) {
  const [table, shown] = [make("div"), make("p", { class: "counts", role: "status" })];
  const draw = (changed = { page: 0 }) => {
    Object.assign(kept, changed);
    const pairs = choose(answer);
    tellShown(shown, pairs.length, answer.pairs.length);
    redraw(table, () => drawTable(table, pairs, answer, draw));
  };
  fill(body, showHead(answer), answer.pairs.length > 0 && showFilters(answer, draw, MARKS), shown, answer.kind !== "dedup" && answer.pairs.length > 0 && make("p", { class: "note" }, say("about-shares")), table);
  draw({});
}

function showHead(answer) {
  const { summary, pairs, setAside } = answer;
  if (answer.kind === "dedup" && answer.settings.remove === "passages") {
    const { passages, passage_tokens, tokens, changed_documents } = summary;
    return make("p", { class: "counts" }, say("passages-removed", { n: passages, share: percent(passage_tokens / Math.max(tokens, 1)), documents: changed_documents, all: summary.documents }));
  }
  if (answer.kind === "dedup") return make("p", { class: "counts" }, say("dedup-found", { n: summary.documents, kept: summary.kept, removed: summary.documents - summary.kept }), answer.notSubtracted?.length > 0 && make("span", { class: "note" }, ` ${say("not-subtracted", { n: answer.notSubtracted.length })}`));
  const aside = Object.values(setAside).reduce((sum, each) => sum + each, 0);
  return make("p", { class: "counts" }, say("pairs-found", { n: pairs.length }), aside > 0 && [" ", make("a", { href: answer.link({ part: "leftout" }) }, say("aside", { n: aside }))]);
}

/** The pairs that the filters leave, in the order of the table. */
function choose(answer) {
  const { documents } = answer;
  const { named, dated } = fitDocuments(answer);
  const found = answer.pairs.filter((pair) => (named[pair.a] || named[pair.b]) && (dated[pair.a] || dated[pair.b]) && shareOf(pair, 4) >= kept.share && (kept.mark === "any" || answer.markOf(pair).mark === kept.mark));
  const key = columnsOf(answer)[kept.sort];
  if (!key) return found;
  const order = (x, y) => (typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y);
  return found.sort((p, q) => (kept.down ? -1 : 1) * order(key(p, documents, answer), key(q, documents, answer)) || p.at - q.at);
}

function drawTable(place, pairs, answer, draw) {
  const last = Math.max(0, Math.ceil(pairs.length / PAGE) - 1);
  const page = Math.min(kept.page, last);
  const heading = (name) => {
    const sorted = kept.sort === name;
    return make("th", { scope: "col", "aria-sort": sorted ? (kept.down ? "descending" : "ascending") : "none", class: name }, make("button", { type: "button", id: `sort-${name}`, title: say(`about-column-${name}`), click: () => draw({ sort: name, down: sorted && !kept.down, page: 0 }) }, say(`column-${name}`), sorted ? (kept.down ? " ▾" : " ▴") : ""));
  };
  const turn = (to) => {
    draw({ page: to });
    place.firstChild.focus(); // and the begin of the next page is in view
  };
  fill(
    place,
    make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": say("part-pairs") },
      make("table", { class: "pairs", "aria-label": say("part-pairs") },
        make("thead", {}, make("tr", {}, Object.keys(columnsOf(answer)).map(heading))),
        make("tbody", {}, pairs.slice(page * PAGE, (page + 1) * PAGE).map((pair) => showRow(pair, answer)), pairs.length === 0 && make("tr", {}, make("td", { colspan: "7" }, say(answer.pairs.length ? "no-pair-left" : "no-pair")))))),
    last > 0 && make("p", { class: "pages" }, make("button", { type: "button", disabled: page === 0, click: () => turn(page - 1) }, say("previous-page")), ` ${page + 1} / ${last + 1} `, make("button", { type: "button", disabled: page === last, click: () => turn(page + 1) }, say("next-page"))),
  );
}

function showRow(pair, answer) {
  const { a, b } = pair;
  const name = (at) => make("bdi", {}, answer.documents[at].name);
  const shares = (at) => `${percent(pair.counts[0][at])} · ${percent(pair.counts[1][at])}`;
  const { mark, note } = answer.markOf(pair);
  return make(
    "tr",
    { class: mark === "no reuse" || mark === "quotation" ? "settled" : null },
    make("td", { class: "a" }, make("a", { href: answer.link({ pair: pair.at }) }, name(a))),
    make("td", { class: "b" }, name(b)),
    pair.counts === null
      ? make("td", { class: "share likeness" }, decimal(pair.similarity), bar(pair.similarity))
      : [make("td", { class: "share identical" }, shares(3), bar(shareOf(pair, 3))), make("td", { class: "share similar" }, shares(4)), make("td", { class: "length longest" }, say("n-words", { n: pair.longest }))],
    make("td", { class: "length passages" }, number(pair.passages)),
    make("td", { title: note }, mark && say(`mark-${mark}`), note && " ✎"),
  );
}

const bar = (value) => make("span", { class: "meter", "aria-hidden": "true", style: `--share:${(100 * value).toFixed(0)}%` });

/** A pair: its shares, what a person says of it, its passages side by side, and what it takes to show it to others. */
export async function showCase(body, answer, at) {
  const pair = answer.pairs[Number(at.pair)];
  if (!pair) return fill(body, make("p", {}, say("no-such-pair")));
  const names = [pair.a, pair.b].map((each) => answer.documents[each].name);
  document.title = `${names.join(` ${say("and")} `)} – ${answer.name}`;
  const order = choose(answer);
  const here = order.findIndex((each) => each.at === pair.at);
  const step = (to, words) => make(to ? "a" : "span", { class: "button", href: to && answer.link({ pair: to.at }), "aria-disabled": to ? null : "true" }, words);
  const passages = make("div", { class: "passages" });
  let opening = [];
  /** Print the page with all that it can show. */
  const printAll = async () => {
    body.querySelectorAll("details").forEach((each) => (each.open = true));
    await Promise.all(opening.map((open) => open()));
    window.print();
  };
  fill(
    body,
    make("nav", { class: "steps", "aria-label": say("part-pairs") }, make("a", { class: "button", href: answer.link({ part: "pairs" }) }, say("all-pairs")), step(order[here - 1], say("previous")), step(order[here + 1], say("next")), make("button", { type: "button", click: () => attempt(printAll) }, say("print"))),
    make("h2", { tabindex: "-1" }, make("bdi", {}, names[0]), make("span", { class: "and" }, ` ${say("and")} `), make("bdi", {}, names[1])),
    pair.counts && make("ul", { class: "shares" }, [0, 1].map((side) => make("li", {}, make("bdi", {}, names[side]), ": ", describeCounts(pair.counts[side], names[1 - side]), `. ${say("shares-are", { identical: percent(pair.counts[side][3]), similar: percent(pair.counts[side][4]) })}`))),
    pair.longest > 0 && make("p", { class: "counts" }, say("longest-run", { n: pair.longest })),
    showMark(pair, answer, names),
    passages,
    showAside(answer, names),
    showSettings(answer),
  );
  opening = await showPassages(passages, pair, answer, names);
}

/** The passages of a pair side by side; of many the later ones are opened one by one, by the functions that it returns. */
async function showPassages(place, pair, answer, names) {
  const opening = [];
  const rows = [...pair.rows, ...(answer.whole === null ? [] : [answer.whole])];
  for (const [rank, row] of rows.entries()) {
    const body = make("div");
    const isWhole = row === answer.whole;
    const title = isWhole ? say("whole-texts") : `${say("passage")} ${rank + 1} / ${pair.rows.length} · ${say("similarity-of-one", { similarity: decimal(answer.columns.similarity[row]) })}`;
    const open = async () => {
      if (body.childElementCount || !part.open) return;
      const [comparison] = await answer.comparisons(row, 1);
      const isTurned = !isWhole && answer.columns.a[row] !== pair.a;
      fill(body, showPair(comparison, isTurned ? [names[1], names[0]] : names));
    };
    const part = make("details", { class: "case-passage", open: rank < FIRST, toggle: () => attempt(open) }, make("summary", {}, title), body);
    place.append(part);
    opening.push(open);
    if (rank < FIRST) await attempt(open);
  }
  return opening;
}

function showMark(pair, answer, names) {
  const said = answer.markOf(pair);
  const printed = make("p", { class: "printed", dir: "auto" });
  const write = () => fill(printed, make("strong", {}, `${say("your-mark")}: ${say(`mark-${mark.value || "none"}`)}`), note.value && ` ${note.value}`);
  const put = () => attempt(async () => (await answer.mark(...names, { mark: mark.value, note: note.value }), write(), tell(say("mark-saved"))));
  const mark = make("select", { id: "mark", change: put }, MARKS.map((each) => make("option", { value: each, selected: each === said.mark }, say(`mark-${each || "none"}`))));
  const note = make("textarea", { id: "note", rows: "2", change: put }, said.note);
  write();
  const form = make("form", { class: "controls mark", submit: (event) => event.preventDefault() }, make("div", {}, make("label", { for: "mark" }, say("your-mark")), mark), make("div", { class: "grow" }, make("label", { for: "note" }, say("note")), note));
  return [form, printed];
}

/** What was found of these two and set aside. */
function showAside(answer, names) {
  const aside = answer.leftOut.filter((row) => names.includes(row.a) && (names.includes(row.b) || row.reason === "ignored"));
  return aside.length > 0 && make("details", { class: "used" }, make("summary", {}, say("aside-here", { n: aside.length })), make("ul", {}, aside.map((row) => make("li", {}, say(`reason-${row.reason}`), row.reason === "ignored" && [" (", make("bdi", {}, row.b), ")"], ": ", make("span", { dir: "auto" }, (row.a_text ?? "").slice(0, 200))))));
}
