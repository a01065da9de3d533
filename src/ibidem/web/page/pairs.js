// Pairs of documents: a ranked table with filters, and a page for each, to look at, to mark and to print.

import { attempt, tell } from "./calls.js";
import { shareOf } from "./answer.js";
import { showBasis } from "./basis.js";
import { bar, fill, make, named, scroller } from "./dom.js";
import { fitDocuments, kept, showFilters, tellShown } from "./filters.js";
import { redraw } from "./focus.js";
import { showPair } from "./pair.js";
import { decimal, number, percent, say, sayParts } from "./words.js";

const PAGE = 100;
const MARKS = ["", "to discuss", "looked at", "nothing to discuss", "quotation"];
const FIRST = 5; // passages of a pair that are open when its page is

const NAMES = {
  first: (pair, { documents }) => documents[pair.a].name,
  second: (pair, { documents }) => documents[pair.b].name,
};
const ENDS = {
  passages: (pair) => -pair.passages,
  mark: (pair, answer) => answer.markOf(pair).mark,
};
const COUNTED = { ...NAMES, identical: (pair) => -pair.share, longest: (pair) => -pair.longest, reworded: (pair) => -mostOf(pair, "changed"), quoted: (pair) => -mostOf(pair, "quoted"), ...ENDS };
const ALIKE = { ...NAMES, likeness: (pair) => -pair.share, ...ENDS };

/** The columns of the table, with what it is ordered by: words if they were counted, else how alike two passages are. */
const columnsOf = (answer) => (answer.isCounted ? COUNTED : ALIKE);

const mostOf = ({ counts }, kind) => Math.max(counts[0][kind], counts[1][kind]);

const NOT_ON_PHONES = ["longest", "reworded", "quoted", "passages"]; // columns that style.css hides there
const LEAST_CHANGED = 20; // words of a passage that is known by changed words alone

/** Whether two documents have no run of words and no changed passage in common outside of quotation marks: such pairs come apart. */
const isWeak = ({ counts }) => counts !== null && counts.every((each) => each.same === 0 && each.changed < LEAST_CHANGED);

export function showPairs(body, answer) {
  const [place, shown] = [make("div"), make("p", { class: "counts", role: "status" })];
  const draw = (changed = { page: 0 }) => {
    Object.assign(kept, changed);
    const pairs = choose(answer);
    tellShown(shown, pairs.length, answer.pairs.length);
    redraw(place, () => drawTable(place, pairs, answer, draw));
  };
  if (!answer.pairs.length) return void fill(body, showHead(answer));
  fill(body, showHead(answer), showFilters(answer, draw, answer.mark || answer.marks.size ? MARKS : []), shown, answer.isCounted && make("p", { class: "note" }, say("about-shares")), place);
  draw({});
}

function showHead(answer) {
  const { summary, pairs, setAside, kind } = answer;
  if (kind === "dedup" && answer.settings.remove === "passages") {
    const { passages, passage_tokens, tokens, changed_documents } = summary;
    return make("p", { class: "counts" }, say("passages-removed", { n: passages, share: percent(passage_tokens / Math.max(tokens, 1)), documents: changed_documents, all: summary.documents }));
  }
  if (kind === "dedup") return make("p", { class: "counts" }, say("dedup-found", { n: summary.documents, kept: summary.kept, removed: summary.documents - summary.kept }), answer.notSubtracted?.length > 0 && make("span", { class: "note" }, ` ${say("not-subtracted", { n: answer.notSubtracted.length })}`));
  const aside = Object.values(setAside).reduce((sum, each) => sum + each, 0);
  return make("p", { class: "counts" }, pairs.length ? say("pairs-found", { n: pairs.filter((pair) => !isWeak(pair)).length }) : say("no-pair"), aside > 0 && [" ", make("a", { href: answer.link({ part: "leftout" }) }, say("aside", { n: aside }))]);
}

/** The pairs that the filters leave, in the order of the table. */
function choose(answer) {
  const { isNamed, isDated } = fitDocuments(answer);
  const found = answer.pairs.filter((pair) => (isNamed[pair.a] || isNamed[pair.b]) && (isDated[pair.a] || isDated[pair.b]) && pair.share >= kept.share && (kept.mark === "any" || answer.markOf(pair).mark === kept.mark) && (kept.kind === "" || pair.kind === kept.kind));
  const key = columnsOf(answer)[kept.sort] ?? (() => 0);
  const order = (x, y) => (typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y);
  return found.sort((p, q) => isWeak(p) - isWeak(q) || (kept.down ? -1 : 1) * order(key(p, answer), key(q, answer)) || p.at - q.at);
}

function drawTable(place, pairs, answer, draw) {
  const last = Math.max(0, Math.ceil(pairs.length / PAGE) - 1);
  const page = Math.min(kept.page, last);
  const columns = Object.keys(columnsOf(answer)).filter((name) => name !== "mark" || answer.mark || answer.marks.size);
  const heading = (name) => {
    const sorted = kept.sort === name;
    return make("th", { scope: "col", "aria-sort": sorted ? (kept.down ? "descending" : "ascending") : "none", class: name }, make("button", { type: "button", id: `sort-${name}`, title: say(`about-column-${name}`), click: () => draw({ sort: name, down: sorted && !kept.down, page: 0 }) }, say(answer.kind === "dedup" && name in NAMES ? `column-${name}-copy` : `column-${name}`), sorted ? (kept.down ? " ▾" : " ▴") : ""));
  };
  const turn = (to) => {
    draw({ page: to });
    place.firstChild.focus(); // and the begin of the next page is in view
  };
  const isNarrow = matchMedia("(max-width: 40rem)").matches;
  const [width, shown] = [String(columns.filter((name) => !isNarrow || !NOT_ON_PHONES.includes(name)).length), pairs.slice(page * PAGE, (page + 1) * PAGE)];
  const weak = shown.findIndex(isWeak);
  const rows = shown.map((pair) => showRow(pair, answer, columns));
  if (weak >= 0) rows.splice(weak, 0, make("tr", { class: "weak" }, make("td", { colspan: width }, say("weak-pairs"))));
  if (!rows.length) rows.push(make("tr", {}, make("td", { colspan: width }, say("no-pair-left"))));
  fill(
    place,
    scroller(say("part-pairs"), make("table", { class: "pairs", "aria-label": say("part-pairs") }, make("thead", {}, make("tr", {}, columns.map(heading))), make("tbody", {}, rows))),
    last > 0 && make("p", { class: "pages" }, make("button", { type: "button", disabled: page === 0, click: () => turn(page - 1) }, say("previous-page")), ` ${number(page + 1)} / ${number(last + 1)} `, make("button", { type: "button", disabled: page === last, click: () => turn(page + 1) }, say("next-page"))),
  );
}

function showRow(pair, answer, columns) {
  const { a, b, counts } = pair;
  const { mark, note } = answer.markOf(pair);
  const two = (show) => `${show(0)} · ${show(1)}`;
  const shared = Math.min(...pair.rows.map((row) => countOthers(answer, row)));
  const cells = {
    first: () => make("td", { class: "a" }, make("a", { href: answer.link({ pair: pair.at }) }, named(answer.documents[a].name))),
    second: () => make("td", { class: "b" }, named(answer.documents[b].name)),
    identical: () => make("td", { class: "share identical" }, two((side) => percent(shareOf(pair, side))), bar(pair.share)),
    likeness: () => make("td", { class: "share likeness" }, decimal(pair.share), bar(pair.share), pair.kind && pair.kind !== "similar" && make("span", { class: "kind" }, ` ${say(`kind-${pair.kind}`)}`)),
    longest: () => make("td", { class: "number longest" }, say("n-words", { n: pair.longest })),
    reworded: () => make("td", { class: "number reworded" }, two((side) => number(counts[side].changed))),
    quoted: () => make("td", { class: "number quoted" }, two((side) => number(counts[side].quoted))),
    passages: () => make("td", { class: "number passages" }, number(pair.passages), shared > 0 && make("div", { class: "kind" }, say("group-of", { n: shared + 2 }))),
    mark: () => make("td", { title: note }, mark && say(`mark-${mark}`), note && " ✎"),
  };
  return make("tr", { class: mark === "nothing to discuss" || mark === "quotation" ? "settled" : null }, columns.map((name) => cells[name]()));
}

/** How many more documents have the passages of a row: what many share makes no two of them partners. */
function countOthers({ columns, clusters }, row) {
  const isIn = ([document, start, end], side) => document === columns[side][row] && start < columns[`${side}_end`][row] && columns[`${side}_start`][row] < end;
  const groups = clusters.filter(({ witnesses }) => ["a", "b"].every((side) => witnesses.some((witness) => isIn(witness, side))));
  return Math.max(0, ...groups.map((group) => group.documents - 2));
}

/** How many words of a document of a pair the other has, and how. */
function describeCounts(pair, side, names) {
  const { words, same, changed, quoted, absent } = pair.counts[side];
  const more = [changed > 0 && say("counted-changed", { n: changed }), quoted > 0 && say("counted-quoted", { n: quoted }), absent > 0 && say("counted-absent", { n: absent })];
  return [sayParts("counted", { n: same, words: number(words), share: percent(shareOf(pair, side)), name: named(names[side]), other: named(names[1 - side]) }), more.filter(Boolean).map((words) => `; ${words}`), "."];
}

/** A pair: its counts, what a person says of it, its passages side by side, and what it takes to show it to others. */
export async function showCase(body, answer, at) {
  const pair = answer.pairs[Number(at.pair)];
  if (!pair) return fill(body, make("p", {}, say("no-such-pair")));
  const names = [pair.a, pair.b].map((each) => answer.documents[each].name);
  document.title = [names.join(` ${say("and")} `), answer.name].filter(Boolean).join(" – ");
  const order = choose(answer);
  const here = order.findIndex((each) => each.at === pair.at);
  const step = (to, words, key) => make(to ? "a" : "span", { class: "button", href: to && answer.link({ pair: to.at }), "data-key": key, title: say("key", { key }), "aria-disabled": to ? null : "true" }, words);
  const passages = make("div", { class: "passages" });
  let opening = [];
  /** Print the page with all that it can show. */
  const printAll = async () => {
    body.querySelectorAll("details:not(.more)").forEach((each) => (each.open = true));
    await Promise.all(opening.map((open) => open()));
    window.print();
  };
  fill(
    body,
    make("nav", { class: "steps", "aria-label": say("part-pairs") }, make("a", { class: "button", href: answer.link({ part: "pairs" }), "data-key": "Escape", title: say("key", { key: "Escape" }) }, say("all-pairs")), step(order[here - 1], say("previous"), "k"), step(order[here + 1], say("next"), "j"), make("button", { type: "button", click: () => attempt(printAll) }, say("print"))),
    make("h2", { tabindex: "-1" }, named(names[0]), make("span", { class: "and" }, ` ${say("and")} `), named(names[1])),
    pair.kind && pair.kind !== "similar" && make("p", { class: "counts" }, say(`kind-${pair.kind}`)),
    pair.counts && make("ul", { class: "shares" }, [0, 1].map((side) => make("li", {}, describeCounts(pair, side, names)))),
    pair.longest > 0 && make("p", { class: "counts" }, say("longest-run", { n: pair.longest })),
    isWeak(pair) && make("p", { class: "counts" }, say("weak-pair")),
    showMark(pair, answer, names),
    passages,
    showAside(answer, names),
    showBasis(answer),
  );
  opening = await showPassages(passages, pair, answer, names);
}

/** The passages of a pair side by side; of many the later ones are opened one by one, by the functions that it returns. */
async function showPassages(place, pair, answer, names) {
  const opening = [];
  const rows = [...pair.rows, ...(answer.whole === null || answer.whole === undefined ? [] : [answer.whole])];
  for (const [rank, row] of rows.entries()) {
    const body = make("div");
    const isWhole = row === answer.whole;
    const others = isWhole ? 0 : countOthers(answer, row);
    const title = isWhole ? say("whole-texts") : `${say("passage")} ${rank + 1} / ${pair.rows.length}${others > 0 ? ` · ${say("in-others", { n: others })}` : ""}${pair.counts ? "" : ` · ${say("similarity-of-one", { similarity: decimal(answer.columns.similarity[row]) })}`}`;
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

/** The mark and the note of a pair: fields where it can be changed, words for print and in a report. */
function showMark(pair, answer, names) {
  const said = answer.markOf(pair);
  const printed = make("p", { class: answer.mark ? "printed" : "mark-said", dir: "auto" });
  const write = (mark, note) => fill(printed, make("strong", {}, `${say("your-mark")}: ${say(`mark-${mark || "none"}`)}`), note && [" ", make("bdi", {}, note)]);
  write(said.mark, said.note);
  if (!answer.mark) return said.mark || said.note ? printed : null;
  const put = () => attempt(async () => (await answer.mark(...names, { mark: mark.value, note: note.value }), write(mark.value, note.value), tell(say("mark-saved"))));
  const mark = make("select", { id: "mark", change: put }, MARKS.map((each) => make("option", { value: each, selected: each === said.mark }, say(`mark-${each || "none"}`))));
  const note = make("textarea", { id: "note", rows: "2", change: put }, said.note);
  return [make("form", { class: "controls mark", submit: (event) => event.preventDefault() }, make("div", {}, make("label", { for: "mark" }, say("your-mark")), mark), make("div", { class: "grow" }, make("label", { for: "note" }, say("note")), note)), printed];
}

/** What was found of these two and left out. */
function showAside(answer, names) {
  const aside = answer.leftOut.filter((row) => names.includes(row.a) && (names.includes(row.b) || row.reason === "ignored"));
  return aside.length > 0 && make("details", { class: "used" }, make("summary", {}, say("aside-here", { n: aside.length })), make("ul", {}, aside.map((row) => make("li", {}, say(`reason-${row.reason}`), row.reason === "ignored" && [" (", named(row.b), ")"], ": ", make("span", { dir: "auto" }, (row.a_text ?? "").slice(0, 200))))));
}
