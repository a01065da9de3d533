// The report: reads the data in the page, shows the overview or a pair, and keeps what is chosen in the address.

import { decimal, fill, make, number, percent, phrase } from "./dom.js";
import { Overview, showMark } from "./overview.js";
import { showPair } from "./pair.js";
import { speakLanguage } from "./phrases.js";

const START = { threshold: 0, words: "", kind: "", sort: "", down: false, page: 0, pair: null };

/** The report as the page holds it: columns of pairs, and a line of JSON for each comparison, read when it is shown. */
function readReport() {
  const report = JSON.parse(document.getElementById("report").textContent);
  speakLanguage(report.language);
  const lines = document.getElementById("comparisons").textContent.trim().split("\n");
  const { columns } = report;
  report.pairs = columns.a.map((a, at) => ({
    at,
    a,
    b: columns.b[at],
    similarity: columns.similarity[at] ?? 0,
    kind: columns.kinds[columns.kind[at]],
    length: Math.max(columns.a_end[at] - columns.a_start[at], columns.b_end[at] - columns.b_start[at]),
    start: columns.a_start[at],
    place: `${number(columns.a_start[at])} · ${number(columns.b_start[at])}`,
  }));
  const marks = new Map((report.marks ?? []).map(([a, b, mark, note]) => [keyOf(a, b), { mark, note }]));
  /** What was said of two documents, if anything was. */
  report.markOf = ({ a, b }) => marks.get(keyOf(a, b));
  report.documents.forEach((each, at) => {
    each.time = timeOf(each.date);
    if (report.anonymous) each.name = phrase("Document {number}", { number: at + 1 });
  });
  report.comparison = (at) => JSON.parse(lines[at]);
  let line = report.pairs.length;
  for (const cluster of report.clusters) {
    cluster.first = line; // of the comparisons of its witnesses
    line += cluster.compared;
  }
  return report;
}

const keyOf = (a, b) => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** A date as a number: a year, or what the browser reads as a date; `null` if it is none. */
function timeOf(date) {
  if (date === null || date === undefined || date === "") return null;
  if (/^-?\d{1,4}$/.test(date)) return Number(date);
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).getUTCFullYear() + new Date(time).getUTCMonth() / 12;
}

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const state = { ...START };
  if (given.has("threshold")) state.threshold = Math.min(1, Math.max(0, Number(given.get("threshold")) || 0));
  for (const name of ["words", "kind", "sort"]) if (given.has(name)) state[name] = given.get(name);
  state.down = given.get("down") === "1";
  state.page = Math.max(0, Math.floor(Number(given.get("page")) || 0));
  state.pair = given.has("pair") ? Math.floor(Number(given.get("pair"))) : null;
  return state;
}

function writeState(state) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== START[name] && value !== null) given.set(name, value === true ? "1" : String(value));
  }
  return `#${given}`;
}

class ReportPage {
  constructor(report, main) {
    Object.assign(this, { report, main, state: readState(), title: report.title ?? phrase("Matching passages") });
    this.showNotes();
    this.overview = new Overview(report, this.state, (part) => this.change(part), (pair) => (location.hash = `#pair=${pair.at}`));
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.press(event));
    this.follow();
  }

  /** The heading, the notes on what is not in the report, and its last line. */
  showNotes() {
    const { report } = this;
    document.querySelector("h1").textContent = this.title;
    const notes = report.notes.map(([words, values]) => make("p", { class: "note" }, phrase(words, fillIn(values))));
    document.querySelector("header").append(...notes);
    document.querySelector("footer").textContent = phrase("Made by ibidem {version}. This file holds all that it shows and sends nothing.", { version: report.version });
  }

  /** Change what is chosen; the address follows without a new entry in the history. */
  change(part) {
    Object.assign(this.state, part);
    history.replaceState(null, "", writeState({ ...this.state, pair: null }));
    this.overview.draw();
  }

  follow() {
    const next = readState();
    if (next.pair === null) Object.assign(this.state, next);
    else this.state.pair = next.pair;
    if (this.state.pair !== null && this.report.pairs[this.state.pair]) this.showPair(this.state.pair);
    else this.showOverview();
  }

  showOverview() {
    this.state.pair = null;
    document.body.classList.remove("pair-shown");
    this.overview.draw();
    fill(this.main, this.overview.element);
    this.main.querySelector(`a[href="#pair=${this.last}"]`)?.focus(); // on from the pair that was looked at
    document.title = this.title;
  }

  /** Pairs in the order of the table, if the pair is among them; else all. */
  order(at) {
    const chosen = this.overview.chosen();
    return chosen.some((pair) => pair.at === at) ? chosen : this.report.pairs;
  }

  showPair(at) {
    const { report } = this;
    const pair = report.pairs[at];
    this.last = at;
    const names = [report.documents[pair.a].name, report.documents[pair.b].name];
    const order = this.order(at);
    const place = order.findIndex((each) => each.at === at);
    const link = (to, words, key) =>
      make(to ? "a" : "span", { class: "button", href: to && `#pair=${to.at}`, "aria-disabled": to ? null : "true", title: phrase("key {key}", { key }) }, phrase(words));
    const back = writeState({ ...this.state, pair: null });
    this.back = back === "#" ? "#overview" : back;
    [this.previous, this.next] = [order[place - 1], order[place + 1]];
    document.body.classList.add("pair-shown");
    document.title = `${names[0]} ${phrase("and")} ${names[1]} – ${this.title}`;
    fill(
      this.main,
      make(
        "nav",
        { class: "steps", "aria-label": phrase("Pairs") },
        make("a", { class: "button", href: this.back, title: phrase("key {key}", { key: "Escape" }) }, phrase("All pairs")),
        link(this.previous, "Previous", "k"),
        link(this.next, "Next", "j"),
        make("span", {}, phrase("{place} of {all}", { place: number(place + 1), all: number(order.length) })),
      ),
      make("h2", { tabindex: "-1" }, make("bdi", {}, names[0]), make("span", { class: "and" }, ` ${phrase("and")} `), make("bdi", {}, names[1])),
      make("p", { class: "counts" }, `${phrase("similarity")} `, make("strong", {}, decimal(report.columns.similarity[at])), pair.kind === "summary" ? ` · ${phrase("a summary: one passage sums the other up")}` : pair.kind === "similar" ? "" : ` · ${phrase(pair.kind)}`, this.containment(at)),
      showMark(report.markOf(pair)),
      showPair(report.comparison(at), names, this.counts(pair)),
    );
    this.main.querySelector("h2").focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  containment(at) {
    const { containment } = this.report.comparison(at);
    return containment === null || containment === undefined ? "" : ` · ${phrase("{share} of the summary is in the other", { share: percent(containment) })}`;
  }

  /** The words that each document of a pair shares with the other, if that is known. */
  counts(pair) {
    const of = (this.report.documentPairs ?? []).find(({ a, b }) => (a === pair.a && b === pair.b) || (a === pair.b && b === pair.a));
    if (!of) return [null, null];
    return of.a === pair.a ? of.counts : [...of.counts].reverse();
  }

  press(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.state.pair === null) return;
    if (event.key === "Escape") location.hash = this.back;
    if (event.key === "j" && this.next) location.hash = `#pair=${this.next.at}`;
    if (event.key === "k" && this.previous) location.hash = `#pair=${this.previous.at}`;
  }
}

/** The values of a note in the language of the report: numbers, how often each reason, and where the rest is. */
const fillIn = ({ n, rest, reasons }) => ({
  n: number(n ?? 0),
  rest: phrase(rest ?? ""),
  reasons: reasons?.map(([times, reason]) => `${number(times)} ${phrase(reason)}`).join(", "),
});

new ReportPage(readReport(), document.querySelector("main"));
