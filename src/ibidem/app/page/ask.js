// The questions of a project, their settings, and the answers that there are or will be.

import { attempt, call, place } from "./api.js";
import { fill, make, number } from "./dom.js";
import { explain, language, say } from "./words.js";

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
  };
  const ask = (event) => {
    event.preventDefault();
    const kind = part.querySelector("input[name=kind]:checked").value;
    const items = [...picks.querySelectorAll("select")].map((select) => select.value);
    attempt(async () => {
      const run = await call("POST", `/v1/projects/${project.id}/runs`, { kind, settings: readSettings(settings, questions[kind]), items });
      followed.add(run.id);
      await asked();
    });
  };
  const unread = project.files.some((file) => file.reading === null);
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
      make("details", { class: "more" }, make("summary", {}, say("more")), settings),
      make("p", {}, make("button", { type: "submit", class: "main", disabled: texts.length === 0 || unread }, say("compare")), unread ? ` ${say("wait-for-reading")}` : ""),
    ),
  );
  draw();
}

/** Two lists of texts, of which each gives one. */
function showPicks(texts) {
  const list = (at) => make("select", { "aria-label": say(`text-${at + 1}`) }, texts.map((file, row) => make("option", { value: file.id, selected: row === at }, file.name)));
  return make("p", { class: "controls" }, list(0), ` ${say("and")} `, list(1));
}

/** A setting with its name, its field and its meaning. */
function showSetting(kind, name, setting) {
  const id = `setting-${name}`;
  const [label, meaning] = [say(`set-${name}`), say(kind === "dedup" && name === "threshold" ? `about-set-${name}-dedup` : `about-set-${name}`)];
  let field;
  if (setting.choices.length) field = make("select", { id }, setting.choices.map((each) => make("option", { value: each, selected: each === setting.default }, say(`choice-${each}`))));
  else if (typeof setting.default === "boolean") field = make("input", { id, type: "checkbox", checked: setting.default });
  else field = make("input", { id, type: "number", min: setting.least, max: setting.most, step: setting.most > 1 ? 1 : 0.01, value: setting.default ?? "", placeholder: say("by-itself") });
  field.dataset.name = name;
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

const followed = new Set(); // runs that were asked for here: their answer opens when it is there

/** Draw what was asked, with how far each answer is. */
export function showRuns(part, project, update) {
  const done = project.runs.find((run) => followed.has(run.id) && run.state === "done");
  if (done) {
    followed.delete(done.id);
    location.hash = place({ p: project.id, run: done.id });
  }
  fill(part, project.runs.length > 0 && [make("h2", {}, say("step-answers")), make("ul", { class: "cards" }, project.runs.map((run) => showRun(run, project, update)))]);
}

function showRun(run, project, update) {
  const path = `/v1/projects/${project.id}`;
  const busy = run.state === "waiting" || run.state === "running";
  const drop = () => (busy || window.confirm(say("remove-answer"))) && attempt(async () => (await call("DELETE", `${path}/runs/${run.id}`), update(await call("GET", path))));
  const title = say(`ask-${run.kind}`);
  return make(
    "li",
    { class: `run-${run.state}` },
    run.state === "done" ? make("a", { href: place({ p: project.id, run: run.id }) }, title) : make("span", {}, title),
    make("span", { class: "note" }, `${say("files", { n: run.files })} · ${new Date(1000 * run.asked).toLocaleString(language())}`),
    run.state === "failed" && make("p", { class: "warning" }, explain(run.error)),
    busy && showProgress(run),
    make("button", { type: "button", click: drop }, say(busy ? "cancel" : "remove")),
  );
}

/** What is done of a step, and how long the rest of it takes if it goes on as it does. */
function showProgress(run) {
  const { steps, done, total } = run.progress;
  const [step, begun] = steps[steps.length - 1] ?? ["waiting", run.asked];
  const spent = run.seconds - (begun - (steps[0]?.[1] ?? begun));
  const left = total && done && spent > 1 ? (spent * (total - done)) / done : null;
  const words = [say(`doing-${step}`), total ? `${number(done)} / ${number(total)}` : "", say("since", { n: Math.round(run.seconds) }), left !== null && say("left", { n: Math.ceil(left) })];
  return make("div", { class: "progress" }, make("progress", { "aria-label": say(`doing-${step}`), ...(total ? { max: total, value: done } : {}) }), make("span", { class: "note" }, words.filter(Boolean).join(" · ")));
}
