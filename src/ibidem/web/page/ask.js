// The questions of a project, their settings, and the answers that there are or will be.

import { attempt, call, complain, place, tell } from "./calls.js";
import { fill, inLine, make } from "./dom.js";
import { explain, formatTime, number, say } from "./words.js";

const KINDS = ["reuse", "search", "align", "dedup"];

/** Draw the questions; `asked()` is called when one was put. */
export function showQuestions(part, project, questions, asked) {
  const texts = project.files.filter((file) => file.reading?.state === "read" && file.role !== "template");
  const chosen = part.querySelector("input[name=kind]:checked")?.value ?? "reuse";
  const settings = make("div", { class: "settings" });
  const picks = make("div");
  const draw = () => {
    const kind = part.querySelector("input[name=kind]:checked").value;
    fill(settings, Object.entries(questions[kind]).map(([name, setting]) => showSetting(kind, name, setting)));
    fill(picks, kind === "align" && showPicks(texts));
    const lack = lackOf(kind, project, texts);
    compare.disabled = lack !== "" && lack !== "one-text";
    fill(hint, lack && ` ${say(lack)}`);
  };
  const ask = (event) => {
    event.preventDefault();
    const kind = part.querySelector("input[name=kind]:checked").value;
    const items = [...picks.querySelectorAll("select")].map((select) => select.value);
    attempt(async () => {
      const run = await call("ask", { project: project.id, kind, settings: readSettings(settings, questions[kind]), items });
      followed.set(run.id, "");
      await asked();
    });
  };
  const compare = make("button", { type: "submit", class: "main" }, say("compare"));
  const hint = make("span", { class: "note" });
  fill(
    part,
    make("h2", {}, say("step-ask")),
    make(
      "form",
      { submit: ask },
      make(
        "fieldset",
        { class: "kinds" },
        make("legend", {}, say("what-to-ask")),
        KINDS.map((kind) =>
          make("label", {}, make("input", { type: "radio", name: "kind", value: kind, checked: kind === chosen, change: draw }), make("span", {}, make("strong", {}, say(`ask-${kind}`)), make("span", { class: "note" }, ` ${say(`about-${kind}`)}`))),
        ),
      ),
      picks,
      make("details", { class: "more", id: "more", "data-kept": true }, make("summary", {}, say("more")), settings),
      make("p", {}, compare, hint),
    ),
  );
  draw();
}

/** What a question lacks: files that are read, texts, or a second one. */
function lackOf(kind, project, texts) {
  if (project.files.some((file) => file.reading === null)) return "wait-for-reading";
  if (!texts.some((file) => file.role === "text")) return project.files.length ? "no-text" : "bring-first";
  if (texts.length === 1 && texts[0].reading.documents === 1) return kind === "align" ? "needs-two" : kind === "reuse" ? "one-text" : "";
  return "";
}

/** Two lists of texts, of which each gives one. */
function showPicks(texts) {
  const list = (at) => make("select", { "aria-label": say(`text-${at + 1}`), "data-kept": true }, texts.map((file, row) => make("option", { value: file.id, selected: row === at }, file.name)));
  return make("p", { class: "controls" }, list(0), ` ${say("and")} `, list(1));
}

/** A setting with its name, its field and its meaning. */
function showSetting(kind, name, setting) {
  const id = `setting-${name}`;
  const [label, meaning] = [say(`set-${name}`), say(kind === "dedup" && name === "threshold" ? `about-set-${name}-dedup` : `about-set-${name}`)];
  let field;
  if (setting.enum) field = make("select", { id }, setting.enum.map((each) => make("option", { value: each, selected: each === setting.default }, say(`choice-${each}`))));
  else if (typeof setting.default === "boolean") field = make("input", { id, type: "checkbox", checked: setting.default });
  else field = make("input", { id, type: "number", min: setting.minimum, max: setting.maximum, step: setting.maximum > 1 ? 1 : 0.01, value: setting.default ?? "", placeholder: say("by-itself") });
  Object.assign(field.dataset, { name, kept: "" });
  return make("div", { class: "setting" }, make("label", { for: id }, label), field, make("p", { class: "note" }, meaning));
}

function readSettings(place, settings) {
  const given = {};
  for (const field of place.querySelectorAll("[data-name]")) {
    const { name } = field.dataset;
    if (field.type === "checkbox") given[name] = field.checked;
    else if (field.type === "number") given[name] = field.value === "" ? settings[name].default : Number(field.value);
    else given[name] = field.value;
  }
  return given;
}

const followed = new Map(); // runs that were asked for here, and the last that was said of each: their answer opens when it is there

/** Draw what was asked, with how far each answer is. */
export function showRuns(part, project, update) {
  const done = project.runs.find((run) => followed.has(run.id) && run.state === "done");
  if (done) {
    followed.delete(done.id);
    location.hash = place({ p: project.id, run: done.id });
  }
  project.runs.filter((run) => followed.has(run.id)).forEach(follow);
  fill(part, project.runs.length > 0 && [make("h2", {}, say("step-answers")), make("ul", { class: "cards" }, project.runs.map((run) => showRun(run, project, update)))]);
}

/** Say how far a run is when it begins a step, or that it failed. */
function follow(run) {
  const step = run.state === "failed" ? run.error : say(`doing-${run.progress.steps.at(-1)?.[0] ?? "waiting"}`);
  if (step === followed.get(run.id)) return;
  followed.set(run.id, step);
  if (run.state !== "failed") return tell(`${say(`ask-${run.kind}`)} ${step} …`);
  complain(explain(run.error));
  followed.delete(run.id);
}

/** Whether an answer is still to come. */
export const isBusy = (run) => run.state === "waiting" || run.state === "running";

function showRun(run, project, update) {
  const busy = isBusy(run);
  const asked = formatTime(run.asked);
  const drop = () => (busy || window.confirm(say("remove-answer"))) && attempt(async () => (await call("cancel", { project: project.id, run: run.id }), update(await call("project", { project: project.id }))));
  const title = say(`ask-${run.kind}`);
  return make(
    "li",
    { class: `run-${run.state}` },
    run.state === "done" ? make("a", { href: place({ p: project.id, run: run.id }) }, title) : make("span", {}, title),
    make("span", { class: "note" }, inLine(say("files", { n: run.files }), asked)),
    run.state === "failed" && make("p", { class: "warning" }, explain(run.error)),
    busy && showProgress(run),
    make("button", { type: "button", "aria-label": `${say(busy ? "cancel" : "remove")}: ${title} ${asked}`, click: drop }, say(busy ? "cancel" : "remove")),
  );
}

/** What is done of a step, and how long the rest of it takes if it goes on as it does. */
function showProgress(run) {
  const { steps, done, total } = run.progress;
  const [step, begun] = steps[steps.length - 1] ?? ["waiting", run.asked];
  const spent = run.seconds - (begun - (steps[0]?.[1] ?? begun));
  const left = total && done && spent > 1 ? (spent * (total - done)) / done : null;
  const words = inLine(say(`doing-${step}`), total && `${number(done)} / ${number(total)}`, say("since", { n: Math.round(run.seconds) }), left !== null && say("left", { n: Math.ceil(left) }));
  return make("div", { class: "progress" }, make("progress", { "aria-label": say(`doing-${step}`), ...(total ? { max: total, value: done } : {}) }), make("span", { class: "note" }, words));
}
