// A report: the answer is in the page, and each comparison is read from its line when it is shown.

import { keyOf, makeAnswer, showAnswer } from "./answer.js";
import { place, readPlace } from "./calls.js";
import { fill } from "./dom.js";
import { focusHeading } from "./focus.js";
import { say, setLanguage } from "./words.js";

const held = (id) => document.getElementById(id).textContent;

async function followReport(report) {
  const main = document.getElementById("main");
  await showAnswer(main, report, readPlace(), report.title ?? say("report-title"));
  focusHeading(main);
}

function beginReport() {
  const view = JSON.parse(held("report"));
  const lines = held("comparisons").trim().split("\n");
  setLanguage(view.language);
  const report = makeAnswer(view, { comparisons: async (first, count) => lines.slice(first, first + count).map((line) => JSON.parse(line)), link: place });
  const name = (at) => report.documents[at].name;
  report.marks = new Map(view.marks.map(([a, b, mark, note]) => [keyOf(name(a), name(b)), { mark, note }]));
  fill(document.getElementById("foot"), say("report-footer", { version: view.version }));
  window.addEventListener("hashchange", () => followReport(report));
  followReport(report);
}

beginReport();
