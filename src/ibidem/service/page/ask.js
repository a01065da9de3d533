// The view that asks: a box for a text, what was found, and what was asked in the address.

import { call, documentAddress, field, say } from "./api.js";
import { count, decimal, fill, make, number } from "./dom.js";
import { showPair } from "./pair.js";
import { CodePoints } from "./passage.js";

const FIELDS = ["text", "index", "job", "family", "threshold"];
const LONGEST_ADDRESS = 6000;
const LEAST = 0.3; // of an alignment
const PAGE = 100;
const PAUSE = 40; // ms after the last key until a passage is searched
const TYPED_WORDS = 3; // from so many on a search begins while it is typed
const TYPED_CHARACTERS = 5000; // and up to so many

let answer = null; // what the last request gave; the slider filters it without asking again
let asked = ""; // the last request, in words
let latest = 0; // of the last request, so that a slow one does not come in the place of a later one
let waiting = 0;
let running = new AbortController();

function request(threshold) {
  const [job, text, family] = ["job", "text", "family"].map((name) => field(name).value);
  const asked = { text, index: field("index").value || null };
  if (job === "search") return { ...asked, threshold, limit: PAGE, family: family || null, idf: family === "weighted" ? "smooth" : null };
  return { ...asked, threshold: LEAST, ...(job === "align" ? { limit: PAGE } : {}) };
}

export async function ask() {
  clearTimeout(waiting);
  if (!field("text").value.trim()) return;
  const job = field("job").value;
  const body = request(Number(field("threshold").value));
  if (asked === JSON.stringify([job, body])) return; // what is shown, or on its way
  asked = JSON.stringify([job, body]);
  const mine = ++latest;
  running.abort();
  running = new AbortController();
  if (answer === null) say("Searching …");
  try {
    const found = await call(`/v1/${job}`, body, running.signal);
    if (mine !== latest) return;
    answer = { ...found, job, body };
    draw();
    keep();
  } catch (problem) {
    if (mine !== latest || problem.name === "AbortError") return;
    answer = null;
    asked = "";
    fill(field("results"));
    say(problem.message);
  }
}

/** Show the answer above the threshold. A lower threshold than was asked for is asked for. */
function draw() {
  const threshold = Number(field("threshold").value);
  field("shown").textContent = threshold.toFixed(2);
  if (!answer) return;
  if (threshold < answer.body.threshold - 1e-9) {
    ask();
    return;
  }
  const matches = answer.matches.filter((match) => (match.similarity ?? match.estimate ?? 0) >= threshold);
  const documents = new Set(matches.map((match) => match.document)).size;
  const more = answer.cursor ? ` of ${number(answer.total)}` : "";
  const warned = (answer.warnings ?? []).map((words) => make("span", { class: "warning" }, words));
  say(matches.length ? `${number(matches.length)}${more} ${matches.length === 1 && !more ? "passage" : "passages"} in ${count(documents, "document")}` : "Nothing stands again at this similarity.", warned);
  const list = make("ol", { class: "results" }, matches.map(showMatch));
  const next = answer.cursor && make("button", { type: "button", id: "more", click: askForMore }, "More");
  fill(field("results"), answer.job === "trace" && showTrace(matches), list, next);
}

async function askForMore() {
  const mine = latest;
  try {
    const found = await call(`/v1/${answer.job}`, { ...answer.body, cursor: answer.cursor });
    if (mine !== latest) return;
    answer = { ...answer, matches: [...answer.matches, ...found.matches], cursor: found.cursor };
    draw();
  } catch (problem) {
    say(problem.message);
  }
}

function showMatch(match) {
  const { body, index } = answer;
  const place = make("div");
  const open = async () => {
    if (place.childElementCount) return fill(place);
    const sides = {
      a: { text: body.text, start: match.query_start, end: match.query_end },
      b: { index, document: match.document, start: match.start, end: match.end },
    };
    try {
      return fill(place, showPair(await call("/v1/compare", sides), ["your text", match.document]));
    } catch (problem) {
      return fill(place, make("p", {}, problem.message));
    }
  };
  return make(
    "li",
    { "data-document": match.document },
    make("h2", {}, make("a", { href: documentAddress(index, match.document, match.start, match.end) }, make("bdi", {}, match.document))),
    make("p", { class: "place" }, `similarity ${decimal(match.similarity ?? match.estimate)} · characters ${match.start} to ${match.end}`),
    make("p", { class: "excerpt", dir: "auto" }, match.text.length > 400 ? `${match.text.slice(0, 400)} …` : match.text),
    make("button", { type: "button", click: open }, "Side by side"),
    place,
  );
}

/** The text with the words underlined that stand in the collection; the rarer they are, the thicker the line. */
function showTrace(matches) {
  const text = new CodePoints(answer.body.text);
  const kept = new Set(matches.map((match) => match.document));
  const parts = [];
  let at = 0;
  for (const span of answer.spans) {
    const documents = span.documents.filter((document) => kept.has(document));
    if (span.start < at || !documents.length) continue;
    parts.push(text.slice(at, span.start));
    const rank = span.evidence > 60 ? 3 : span.evidence > 25 ? 2 : 1;
    const title = `${count(span.words, "word")} in ${documents.slice(0, 5).join(", ")}${documents.length > 5 ? " …" : ""}`;
    const go = (event) => (event.type === "click" || event.key === "Enter" || event.key === " ") && document.querySelector(`[data-document="${CSS.escape(documents[0])}"]`)?.scrollIntoView({ block: "center" });
    parts.push(make("mark", { role: "button", tabindex: "0", class: `rare-${rank}`, title, click: go, keydown: go }, text.slice(span.start, span.end)));
    at = span.end;
  }
  parts.push(text.slice(at, text.length));
  return make("div", { class: "traced", dir: "auto" }, parts);
}

/** What was asked goes into the address, unless it is too long for one. */
function keep() {
  const asked = new URLSearchParams(FIELDS.map((name) => [name, field(name).value]));
  if (`${asked}`.length > LONGEST_ADDRESS) asked.delete("text");
  history.replaceState(null, "", `#${asked}`);
}

/** Take what is asked from the address; an answer to the same is there already. */
export function readAddress(given) {
  for (const name of FIELDS) if (given.has(name)) field(name).value = given.get(name);
  field("shown").textContent = Number(field("threshold").value).toFixed(2);
  ask();
}

/** Ask while a passage is typed, a moment after the last key. */
function askSoon() {
  clearTimeout(waiting);
  const text = field("text").value;
  if (field("job").value !== "search" || text.length > TYPED_CHARACTERS || text.trim().split(/\s+/).length < TYPED_WORDS) return;
  waiting = setTimeout(ask, PAUSE);
}

async function takeFile(event) {
  event.preventDefault();
  field("text").classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) field("text").value = await file.text();
}

/** Listen to the form. `ready` is awaited before a question: it brings the names of the indexes. */
export function begin(ready) {
  field("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field("token").value) sessionStorage.setItem("token", field("token").value);
    ready().then(ask);
  });
  field("threshold").addEventListener("input", () => (draw(), answer && keep()));
  for (const name of ["family", "job", "index"]) field(name).addEventListener("change", () => answer && ask());
  field("text").addEventListener("input", askSoon);
  field("text").addEventListener("dragover", (event) => (event.preventDefault(), field("text").classList.add("dropping")));
  field("text").addEventListener("dragleave", () => field("text").classList.remove("dropping"));
  field("text").addEventListener("drop", takeFile);
}
