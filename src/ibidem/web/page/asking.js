// The view that asks: a box for a text, what was found, and what was asked in the address.

import { call, field, say } from "./calls.js";
import { count, fill, make, number } from "./dom.js";
import { countLeaks, isGate, listLeaks, requestLeaks, showLeaks } from "./leaks.js";
import { OpenPairs, showMatch } from "./match.js";
import { MEASURE_FIELDS, chosenMeasure, describeMeasure, measure, showWeights } from "./measure.js";
import { showTrace } from "./trace.js";

const FIELDS = ["text", "index", "job", ...MEASURE_FIELDS, "threshold"];
const LONGEST_ADDRESS = 6000;
const LARGEST_FILE = 3_900_000; // bytes; the service takes 4 MB with its context
const CONTEXT = 80; // characters around a passage
const LEAST = 0.3; // similarity of an alignment, by default
const SEARCHED = 0.6; // and of a search
const LEAKED = 0.5; // and the share of a part of an item
const LEASTS = { search: SEARCHED, contamination: LEAKED };
const PAGE = 100;
const MEASURED = 1000; // matches that one request measures
const PAUSE = 40; // ms after the last key until a passage is searched
const TYPED_WORDS = 3; // from so many on a search begins while it is typed
const TYPED_CHARACTERS = 5000; // and up to so many

let answer = null; // what the last request gave; the slider filters it without asking again
let asked = ""; // the last request, in words
let latest = 0; // of the last request, so that a slow one does not come in the place of a later one
let waiting = 0;
let running = new AbortController();
let ready = null; // awaited before a question: it brings the names of the indexes
const pairs = new OpenPairs(keep);

function request(threshold) {
  const [job, text] = ["job", "text"].map((name) => field(name).value);
  if (isGate()) return requestLeaks(text, threshold);
  const asked = { text, index: field("index").value || null, context: CONTEXT };
  if (job === "search") return { ...asked, threshold, limit: PAGE, ...chosenMeasure() };
  return { ...asked, threshold: LEAST, ...(job === "align" ? { limit: PAGE } : {}) };
}

/** The answer with the similarities of its matches by the measure that is chosen, where it was not found by that. */
async function measured(found, job, body, signal) {
  if (job === "contamination") return listLeaks(found);
  const matches = [];
  const again = chosenMeasure().family && job !== "search";
  for (let at = 0; at < found.matches.length; at += MEASURED) {
    const part = found.matches.slice(at, at + MEASURED);
    const similarities = again ? await measure(body.text, found.index, found.generation, part, signal) : [];
    matches.push(...part.map((match, place) => ({ ...match, score: similarities[place] ?? match.similarity })));
  }
  return { ...found, matches };
}

async function ask() {
  clearTimeout(waiting);
  await ready();
  if (!field("text").value.trim()) return;
  const job = field("job").value;
  const body = request(Number(field("threshold").value));
  const question = JSON.stringify([job, body, chosenMeasure()]);
  if (asked === question) return; // what is shown, or on its way
  asked = question;
  const mine = ++latest;
  running.abort();
  running = new AbortController();
  if (answer === null) say("Searching …");
  field("results").ariaBusy = "true";
  try {
    const found = await call(`/v1/${job}`, body, running.signal);
    const matches = await measured(found, job, body, running.signal);
    if (mine !== latest) return;
    answer = { ...matches, job, body };
    pairs.clear();
    draw();
    keep();
  } catch (problem) {
    if (mine !== latest || problem.name === "AbortError") return;
    answer = null;
    asked = "";
    fill(field("results"));
    say(problem.message);
  } finally {
    if (mine === latest) field("results").ariaBusy = "false";
  }
}

/** Show the answer above the threshold. A lower threshold than was asked for is asked for. */
function draw() {
  const threshold = Number(field("threshold").value);
  field("shown").textContent = threshold.toFixed(2);
  if (!answer) return;
  // Which place is a leak depends on the threshold: it is asked for, too.
  if (threshold < answer.body.threshold - 1e-9 || (answer.job === "contamination" && threshold !== answer.body.threshold)) {
    ask();
    return;
  }
  if (answer.job === "contamination") {
    say(countLeaks(answer));
    fill(field("results"), showLeaks(answer, answer.matches));
    return;
  }
  const matches = answer.matches.filter((match) => match.score >= threshold);
  // A document that says the same from end to end is hardly what was looked for: it comes last.
  if (answer.job !== "search") matches.sort((x, y) => isWhole(x) - isWhole(y));
  const documents = new Set(matches.map((match) => match.document)).size;
  const more = answer.cursor ? ` of ${number(answer.total)}` : "";
  const warned = [describeMeasure(answer.job), ...(answer.warnings ?? [])].filter(Boolean).map((words) => make("span", { class: "warning" }, words));
  say(matches.length ? `${number(matches.length)}${more} ${matches.length === 1 && !more ? "passage" : "passages"} in ${count(documents, "document")}` : "No passage is this similar.", warned);
  const list = make("ol", { class: "results" }, matches.map((match) => showMatch(match, answer, pairs)));
  const next = answer.cursor && make("button", { type: "button", id: "more", click: askForMore }, "More");
  const parts = answer.job === "search" && !answer.matches.length && make("button", { type: "button", click: askForParts }, "Find what parts of it share");
  fill(field("results"), parts, answer.job === "trace" && showTrace(answer, matches, list), list, next);
}

/** Ask for the parts of a text that found nothing as a whole. */
function askForParts() {
  field("job").value = "align";
  field("job").dispatchEvent(new Event("change"));
}

const isWhole = (match) => Number(match.text.trim() === answer.body.text.trim());

async function askForMore() {
  const mine = latest;
  try {
    const found = await call(`/v1/${answer.job}`, { ...answer.body, cursor: answer.cursor });
    const { matches } = await measured(found, answer.job, answer.body);
    if (mine !== latest) return;
    answer = { ...answer, matches: [...answer.matches, ...matches], cursor: found.cursor };
    draw();
  } catch (problem) {
    say(problem.message);
  }
}

/** What was asked goes into the address, unless it is too long for one. */
function keep() {
  const asked = new URLSearchParams(FIELDS.map((name) => [name, field(name).value]));
  if (pairs.last !== null) asked.set("open", pairs.last);
  if (`${asked}`.length > LONGEST_ADDRESS) asked.delete("text");
  history.replaceState(null, "", `#${asked}`);
}

/** Whether a list of choices has this one; any other field takes what is written to it. */
function isOffered(element, value) {
  return element.options === undefined || [...element.options].some((option) => option.value === value);
}

/** What the slider chooses: of items of evals, the share of a part that is there. */
export function nameThreshold() {
  field("least").textContent = isGate() ? "Least share of an item" : "Least similarity";
  field("family").disabled = isGate();
}

/** Take what is asked from the address; an answer to the same is there already. */
export function readAddress(given) {
  for (const name of FIELDS) if (given.has(name) && isOffered(field(name), given.get(name))) field(name).value = given.get(name);
  pairs.last = given.get("open");
  showWeights();
  nameThreshold();
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

/** The text that bytes hold, in UTF-8 or as Windows writes it; `null` if they are no text. */
function decode(bytes) {
  if (new Uint8Array(bytes.slice(0, 4096)).includes(0) || new TextDecoder("latin1").decode(bytes.slice(0, 5)).match(/^(PK|%PDF-)/)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** No answer that is on its way is shown: it would take the place of what is said of a file. */
function cancel() {
  clearTimeout(waiting);
  latest += 1;
  running.abort();
  asked = "";
  field("results").ariaBusy = "false";
}

/** The text of a file in the box; of a passage what is found at once. */
async function takeFile([file]) {
  if (!file) return;
  cancel();
  if (file.size > LARGEST_FILE) {
    say(`${file.name} is too large: the service takes texts of up to ${number(LARGEST_FILE)} bytes.`);
    return;
  }
  const bytes = await file.arrayBuffer();
  const text = decode(bytes);
  if (text === null) {
    say(`${file.name} is no plain text: ibidem app and the command line read such files.`);
    return;
  }
  field("text").value = text;
  ask();
}

function drop(event) {
  event.preventDefault();
  field("text").classList.remove("dropping");
  takeFile(event.dataTransfer.files);
}

/** Another measure: measure what is shown, or search again where a search by it finds more. */
async function changeMeasure() {
  showWeights();
  if (!answer) return;
  if (answer.job === "search") {
    ask();
    return;
  }
  const mine = latest;
  try {
    const found = await measured(answer, answer.job, answer.body);
    if (mine !== latest) return;
    answer = found;
    asked = JSON.stringify([answer.job, answer.body, chosenMeasure()]);
    draw();
    keep();
  } catch (problem) {
    say(problem.message);
  }
}

/** Listen to the form. `indexes` gives a promise, kept when the names of the indexes are there. */
export function begin(indexes) {
  ready = indexes;
  field("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field("token").value) sessionStorage.setItem("token", field("token").value);
    ask();
  });
  field("threshold").addEventListener("input", () => (draw(), answer && keep()));
  for (const name of MEASURE_FIELDS) field(name).addEventListener("change", changeMeasure);
  field("job").addEventListener("change", () => {
    const least = LEASTS[field("job").value] ?? LEAST;
    if ([LEAST, SEARCHED, LEAKED].includes(Number(field("threshold").value))) field("threshold").value = String(least); // nobody chose another
    nameThreshold();
    field("shown").textContent = Number(field("threshold").value).toFixed(2);
  });
  for (const name of ["job", "index"]) field(name).addEventListener("change", () => asked && ask());
  field("text").addEventListener("input", () => ((pairs.last = null), askSoon()));
  field("text").addEventListener("dragover", (event) => (event.preventDefault(), field("text").classList.add("dropping")));
  field("text").addEventListener("dragleave", () => field("text").classList.remove("dropping"));
  field("text").addEventListener("drop", drop);
  field("file").addEventListener("change", (event) => takeFile(event.target.files));
}
