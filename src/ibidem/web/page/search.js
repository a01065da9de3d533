// Where a passage occurs, what a document shares, and which items of evals it holds: asked as it is typed.

import { call, readPlace } from "./calls.js";
import { paintText } from "./documents.js";
import { fill, inLine, make, named } from "./dom.js";
import { showPair } from "./pair.js";
import { decimal, number, say } from "./words.js";

const LEAST = { search: 0.6, align: 0.3, contamination: 0.5 }; // similarities that each job begins with
const CONTEXT = 80; // characters around a passage
const LONGEST = 400; // characters of a passage that are shown
const LONGEST_ADDRESS = 6000;
const LARGEST_FILE = 3_900_000; // bytes; the service takes 4 MB with its context
const PAGE = 100; // matches that are asked for at first
const MOST = 10_000; // and at most
const PAUSE = 150; // ms after the last key until a passage is searched
const TYPED_WORDS = 2; // from so many on a search begins while it is typed
const TYPED_CHARACTERS = 5000; // and up to so many

/** The form and its answers. `source` has what is searched: `jobs`, `indexes`, `ids` of each request, `link(match)`. */
export class Search {
  constructor(source, at) {
    Object.assign(this, { source, asked: "", latest: 0, waiting: 0, answer: null, pairs: new Map(), running: new AbortController(), open: at.open ?? null });
    const option = (value, words, chosen) => make("option", { value, selected: value === chosen }, words);
    this.text = make("textarea", { id: "text", rows: "6", dir: "auto", spellcheck: "false", input: () => ((this.open = null), this.askSoon()), dragover: (event) => event.preventDefault(), drop: (event) => (event.preventDefault(), this.takeFile(event.dataTransfer.files)) });
    this.text.value = at.text ?? "";
    this.job = make("select", { id: "job", change: () => this.changeJob() }, source.jobs.map((job) => option(job, say(`job-${job}`), at.job)));
    this.index = make("select", { id: "index", change: () => this.ask() }, source.indexes.map(({ name, documents }) => option(name, `${name} (${say("documents", { n: documents })})`, at.index)));
    this.least = make("input", { id: "threshold", type: "range", min: 0.3, max: 1, step: 0.01, value: Number(at.threshold) || LEAST[this.job.value], input: () => this.draw() });
    this.shown = make("output", { for: "threshold" });
    this.leastName = make("label", { for: "threshold" });
    this.said = make("p", { class: "counts", role: "status", id: "found" });
    this.results = make("div", { id: "results" });
  }

  /** The elements; what the address asks is asked. */
  show(body) {
    const { source } = this;
    const labelled = (name, field) => make("div", {}, make("label", { for: name }, `${say(`search-${name}`)} `), field);
    const file = make("input", { id: "file", type: "file", accept: "text/*", change: (event) => this.takeFile(event.target.files) });
    fill(
      body,
      source.about && make("p", { class: "note" }, source.about),
      make(
        "form",
        { class: "ask", submit: (event) => (event.preventDefault(), this.ask()) },
        make("label", { for: "text" }, say("search-text")),
        this.text,
        make("p", { class: "note" }, make("label", { for: "file" }, `${say("search-file")} `), file),
        make(
          "div",
          { class: "controls" },
          source.jobs.length > 1 && labelled("job", this.job),
          source.indexes.length > 1 && labelled("index", this.index),
          make("div", {}, this.leastName, this.least, this.shown),
          make("button", { type: "submit" }, say("find")),
        ),
      ),
      this.said,
      this.results,
    );
    this.nameLeast();
    if (this.text.value) this.ask();
  }

  nameLeast() {
    fill(this.leastName, say(this.job.value === "contamination" ? "least-share-of-item" : "least-similarity"));
    this.shown.textContent = Number(this.least.value).toFixed(2);
  }

  changeJob() {
    this.least.value = String(LEAST[this.job.value]);
    this.nameLeast();
    this.ask();
  }

  /** Ask while a passage is typed, a moment after the last key. */
  askSoon() {
    clearTimeout(this.waiting);
    const { value } = this.text;
    if (this.job.value !== "search" || value.length > TYPED_CHARACTERS) return;
    if (value.trim().split(/\s+/).length < TYPED_WORDS) return this.clear(say("type-more"));
    this.waiting = setTimeout(() => this.ask(), PAUSE);
  }

  /** No answer that is on its way is shown; what is said takes the place of what was found. */
  clear(...words) {
    clearTimeout(this.waiting);
    this.latest += 1;
    this.running.abort();
    Object.assign(this, { asked: "", answer: null });
    fill(this.said, words);
    fill(this.results);
    this.results.ariaBusy = "false";
  }

  request() {
    const threshold = Number(this.least.value);
    const job = this.job.value;
    if (job === "contamination") return { documents: [{ text: this.text.value }], threshold };
    const asked = { text: this.text.value, context: CONTEXT, ...(this.index.value ? { index: this.index.value } : {}) };
    if (job === "search") return { ...asked, threshold, limit: PAGE };
    return { ...asked, threshold: LEAST[job], limit: PAGE };
  }

  call(name, values) {
    return call((this.source.prefix ?? "") + name, { ...this.source.ids, ...values }, this.running.signal);
  }

  async ask() {
    clearTimeout(this.waiting);
    if (!this.text.value.trim()) return;
    const [job, body] = [this.job.value, this.request()];
    const question = JSON.stringify([job, body]);
    if (this.asked === question) return; // what is shown, or on its way
    this.asked = question;
    const mine = ++this.latest;
    this.running.abort();
    this.running = new AbortController();
    if (this.answer === null) fill(this.said, say("searching"));
    this.results.ariaBusy = "true";
    try {
      const found = await this.call(job, body);
      if (mine !== this.latest) return;
      this.answer = { ...found, job, body, matches: listMatches(found, job) };
      this.pairs.clear();
      this.draw();
    } catch (problem) {
      if (mine === this.latest && problem.name !== "AbortError") this.clear(problem.message);
    } finally {
      if (mine === this.latest) this.results.ariaBusy = "false";
    }
  }

  async askForMore() {
    const { answer } = this;
    const found = await this.call(answer.job, { ...answer.body, limit: MOST }).catch((problem) => fill(this.said, problem.message));
    if (answer !== this.answer || !found.matches) return;
    answer.matches = found.matches;
    this.draw();
  }

  /** Show the answer above the threshold. A lower threshold than was asked for is asked for. */
  draw() {
    const { answer } = this;
    const threshold = Number(this.least.value);
    this.shown.textContent = threshold.toFixed(2);
    if (!answer) return undefined;
    const isGate = answer.job === "contamination"; // which place is a leak depends on the threshold
    if (threshold < answer.body.threshold - 1e-9 || (isGate && threshold !== answer.body.threshold)) return this.ask();
    this.keep();
    const list = make("ol", { class: "results" });
    if (isGate) return this.drawLeaks(list);
    const matches = answer.matches.filter((match) => match.similarity >= threshold);
    // A document that says the same from end to end is hardly what was looked for: it comes last.
    const isWhole = (match) => Number(match.text.trim() === answer.body.text.trim());
    if (answer.job !== "search") matches.sort((x, y) => isWhole(x) - isWhole(y));
    const documents = new Set(matches.map((match) => match.document));
    list.append(...matches.map((match) => this.showMatch(match)));
    const more = answer.total > answer.matches.length && answer.matches.length < MOST;
    const warned = (answer.warnings ?? []).map((words) => make("span", { class: "warning" }, words));
    fill(this.said, matches.length ? `${say("n-matches", { n: matches.length })}${more ? ` / ${number(answer.total)}` : ""} · ${say("documents", { n: documents.size })}` : say("none-similar"), warned);
    fill(
      this.results,
      answer.job === "search" && !answer.matches.length && this.source.jobs.includes("align") && make("button", { type: "button", click: () => ((this.job.value = "align"), this.changeJob()) }, say("find-parts")),
      list,
      more && make("button", { type: "button", id: "more", click: () => this.askForMore() }, say("more-matches")),
    );
    return undefined;
  }

  drawLeaks(list) {
    const { answer } = this;
    const leaks = answer.matches.filter((match) => match.kind === "leak").sort((x, y) => x.start - y.start);
    list.append(...answer.matches.map((match) => this.showLeak(match)));
    fill(this.said, answer.total ? say("n-leaks", { n: answer.total }) : say("no-leak"), answer.total_left_out > 0 && ` ${say("no-leaks", { n: answer.total_left_out })}`);
    fill(this.results, leaks.length > 0 && paintText(answer.body.documents[0].text, 0, leaks, (open, words) => make("mark", { title: nameItem(open[0]) }, words)), list);
  }

  showMatch(match) {
    const context = (words) => words && make("span", { class: "context" }, words);
    const sides = { a: { text: this.answer.body.text, start: match.query_start, end: match.query_end }, b: { document: match.document, start: match.start, end: match.end, ...(this.answer.index ? { index: this.answer.index } : {}) } };
    return make(
      "li",
      { "data-document": match.document },
      make("h2", {}, make("a", { href: this.source.link(match, this.answer.index) }, named(match.document))),
      make("p", { class: "place" }, inLine(`${say("similarity")} ${decimal(match.similarity)}`, match.locator && named(match.locator), say("characters-from", { start: match.start, end: match.end }))),
      make("p", { class: "excerpt", dir: "auto" }, context(match.before && `… ${match.before}`), make("mark", {}, shortenMiddle(match.text)), context(match.after && `${match.after} …`)),
      this.showBeside(`${match.start}-${match.end} ${match.document}`, sides, match.document),
    );
  }

  showLeak(match) {
    const correct = match.is_correct === null ? "" : ` ${say(match.is_correct ? "answer-correct" : "answer-wrong")}`;
    const sides = { a: { text: this.answer.body.documents[0].text, start: match.start, end: match.end }, b: { text: match.eval_text } };
    return make(
      "li",
      { class: match.kind === "leak" ? "leak" : "left-out" },
      make("h2", {}, named(nameItem(match)), ` · ${match.part}`),
      make("p", { class: "place" }, inLine(say(`kind-${match.kind}`), say("share-of-part", { share: decimal(match.containment), part: match.part }), say("characters-from", { start: match.start, end: match.end }), match.answer_found && `${say("answer-beside")}${correct}`)),
      make("p", { class: "excerpt", dir: "auto" }, make("mark", {}, match.text)),
      this.showBeside(`${match.start}-${match.end} ${nameItem(match)}`, sides, `${match.part} · ${nameItem(match)}`),
    );
  }

  /** A button that shows what was asked beside what was found; the one that is open is in the address. */
  showBeside(key, sides, name) {
    const place = make("div", {}, this.pairs.get(key));
    const open = async () => {
      this.open = key;
      const comparison = await this.call("compare", sides).catch((problem) => problem);
      if (comparison instanceof Error) return fill(place, make("p", { class: "warning" }, comparison.message));
      this.pairs.set(key, showPair(comparison, [say("your-text"), name]));
      return fill(place, this.pairs.get(key));
    };
    const toggle = async () => {
      if (!place.firstChild) await open();
      else fill(place), this.pairs.delete(key), (this.open = null);
      this.keep();
    };
    if (this.open === key && !this.pairs.has(key)) open();
    return [make("button", { type: "button", click: toggle }, say("side-by-side")), place];
  }

  /** What was asked goes into the address, unless it is too long for one. */
  keep() {
    const asked = new URLSearchParams({ ...readPlace(), text: this.text.value, job: this.job.value, threshold: this.least.value, index: this.index.value });
    asked.delete("open");
    if (this.open !== null) asked.set("open", this.open);
    if (`${asked}`.length > LONGEST_ADDRESS) asked.delete("text");
    history.replaceState(null, "", `#${asked}`);
  }

  /** The text of a file in the box; of a passage what is found at once. */
  async takeFile([file]) {
    if (!file) return;
    if (file.size > LARGEST_FILE) return void this.clear(say("file-too-large", { name: file.name }));
    const text = decode(await file.arrayBuffer());
    if (text === null) return void this.clear(say("file-no-text", { name: file.name }));
    this.text.value = text;
    this.ask();
  }
}

/** Matches of any job: of items of evals the leaks first, then what is no leak. */
const listMatches = (found, job) => (job === "contamination" ? [...found.leaks, ...found.left_out] : found.matches);

const nameItem = (leak) => [leak.eval_key, leak.config, leak.split, leak.eval_instance_index].filter((part) => part !== "").join(" · ");

/** A passage; of a long one the middle is left out. */
function shortenMiddle(text) {
  const signs = [...text];
  if (signs.length <= LONGEST) return text;
  return [signs.slice(0, LONGEST / 2).join(""), make("span", { class: "context" }, ` … ${say("n-characters", { n: signs.length - LONGEST })} … `), signs.slice(-LONGEST / 2).join("")];
}

/** The text that bytes hold, in UTF-8 or as Windows writes it; `null` if they are no text. */
function decode(bytes) {
  if (new Uint8Array(bytes.slice(0, 4096)).includes(0) || new TextDecoder("latin1").decode(bytes.slice(0, 5)).match(/^(PK|%PDF-)/)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
