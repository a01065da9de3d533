// The page of the service: asks, shows what was found, and keeps what was asked in the address.

import { count, decimal, fill, make } from "./dom.js";
import { showPair } from "./pair.js";
import { CodePoints } from "./passage.js";

const field = (name) => document.getElementById(name);
const FIELDS = ["text", "index", "job", "family", "threshold"];
const LONGEST_ADDRESS = 6000;
const LEAST = 0.3;

let answer = null; // what the last request gave; the slider filters it without asking again
let number = 0; // of the last request, so that a slow one does not come in the place of a later one

async function call(path, body) {
  const headers = { "Content-Type": "application/json" };
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  const held = await response.json();
  if (response.status === 401) field("secret").hidden = false;
  if (!response.ok) throw new Error(held.detail ?? `the service answered ${response.status}`);
  return held;
}

function say(...words) {
  fill(field("said"), words);
}

async function ask() {
  const text = field("text").value;
  if (!text.trim()) return;
  const mine = ++number;
  const job = field("job").value;
  say("Searching …");
  fill(field("results"));
  try {
    const body = { text, index: field("index").value || null };
    const threshold = Number(field("threshold").value);
    if (job === "search") Object.assign(body, { threshold, limit: 1000, family: field("family").value || null, idf: field("family").value === "weighted" ? "smooth" : null });
    else Object.assign(body, { threshold: LEAST }, job === "align" ? { limit: 1000 } : {});
    const found = await call(`/v1/${job}`, body);
    if (mine !== number) return;
    answer = { ...found, job, text, threshold: body.threshold };
    draw();
    keep();
  } catch (problem) {
    if (mine === number) say(problem.message);
  }
}

/** Show the answer above the threshold. A lower threshold than was asked for is asked for. */
function draw() {
  const threshold = Number(field("threshold").value);
  field("shown").textContent = threshold.toFixed(2);
  if (!answer) return;
  if (threshold < answer.threshold - 1e-9) {
    ask();
    return;
  }
  const matches = answer.matches.filter((match) => (match.similarity ?? match.estimate ?? 0) >= threshold);
  const documents = new Set(matches.map((match) => match.document)).size;
  say(matches.length ? `${count(matches.length, "passage")} in ${count(documents, "document")}` : "Nothing stands again at this similarity.");
  const list = make("ol", { class: "results" }, matches.slice(0, 200).map((match) => showMatch(match)));
  fill(field("results"), answer.job === "trace" && showTrace(matches), list);
}

function showMatch(match) {
  const place = make("div");
  const open = async () => {
    if (place.childElementCount) return fill(place);
    const body = {
      a: { text: answer.text, start: match.query_start, end: match.query_end },
      b: { index: answer.index, document: match.document, start: match.start, end: match.end },
    };
    try {
      return fill(place, showPair(await call("/v1/compare", body), ["your text", match.document]));
    } catch (problem) {
      return fill(place, make("p", {}, problem.message));
    }
  };
  return make(
    "li",
    { "data-document": match.document },
    make("h2", {}, make("bdi", {}, match.document)),
    make("p", { class: "place" }, `similarity ${decimal(match.similarity ?? match.estimate)} · characters ${match.start} to ${match.end}`),
    make("p", { class: "excerpt", dir: "auto" }, match.text.length > 400 ? `${match.text.slice(0, 400)} …` : match.text),
    make("button", { type: "button", click: open }, "Side by side"),
    place,
  );
}

/** The text with the words underlined that stand in the collection; the rarer they are, the thicker the line. */
function showTrace(matches) {
  const text = new CodePoints(answer.text);
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

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const name of FIELDS) if (asked.has(name)) field(name).value = asked.get(name);
  field("shown").textContent = Number(field("threshold").value).toFixed(2);
}

async function takeFile(event) {
  event.preventDefault();
  field("text").classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) field("text").value = await file.text();
}

function begin() {
  field("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field("token").value) sessionStorage.setItem("token", field("token").value);
    (field("index").options.length ? Promise.resolve() : listIndexes()).then(ask);
  });
  field("threshold").addEventListener("input", () => (draw(), answer && keep()));
  field("text").addEventListener("dragover", (event) => (event.preventDefault(), field("text").classList.add("dropping")));
  field("text").addEventListener("dragleave", () => field("text").classList.remove("dropping"));
  field("text").addEventListener("drop", takeFile);
}

async function listIndexes() {
  try {
    const { indexes } = await call("/v1/indexes");
    fill(field("index"), indexes.map((index) => make("option", { value: index.name }, `${index.name} (${count(index.documents, "document")})`)));
  } catch (problem) {
    say(problem.message);
  }
}

await listIndexes();
readAddress();
begin();
if (field("text").value) ask();
window.addEventListener("hashchange", () => (readAddress(), ask()));
