// The page: the address says what is shown. `#` are all projects, `#p=ID` is one, `&run=ID` an answer of it.

import { attempt, call, complain, place, tell } from "./api.js";
import { isBusy, showQuestions, showRuns } from "./ask.js";
import { fill, make } from "./dom.js";
import { countFiles, showFiles, unreadOf } from "./files.js";
import { focusHeading, redraw } from "./focus.js";
import { showAnswer } from "./look.js";
import { LANGUAGES, chooseLanguage, language, say } from "./words.js";

const POLL = 500; // ms between two looks at what is under way

const field = (name) => document.getElementById(name);

let shown = 0; // counts what was shown, so that what comes late for another view is dropped
let known = null; // the questions, and the version
let moved = false; // whether a person came here from another view

async function show() {
  const mine = ++shown;
  const current = () => mine === shown;
  const at = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  known ??= await attempt(() => call("GET", "/v1/projects"));
  if (!known || !current()) return;
  drawFrame(at);
  field("main").setAttribute("aria-busy", "true");
  tell();
  try {
    if (at.run) await showAnswer(field("main"), at, current);
    else if (at.p) await showProject(at.p, current);
    else await showProjects(current);
  } catch (problem) {
    if (current()) showProblem(problem);
  }
  if (current()) ready();
}

/** Show another view: the focus goes there. */
function go() {
  moved = true;
  show();
}

/** Say that all of the view is there, and go to it. */
function ready() {
  field("main").setAttribute("aria-busy", "false");
  if (moved) focusHeading(field("main"));
  moved = false;
}

/** A view that cannot be shown, such as one that was removed. */
function showProblem(problem) {
  fill(field("main"), make("h1", { tabindex: "-1" }, say("not-shown")), make("p", {}, problem.message), make("p", {}, make("a", { href: "#" }, say("all-projects"))));
}

function drawFrame(at) {
  document.documentElement.lang = language();
  redraw(field("head"), () => fill(field("head"), make("p", { class: "name" }, make("a", { href: "#" }, "ibidem"), (at.p || at.run) && make("a", { href: "#", class: "up" }, say("all-projects")))));
  const choice = make(
    "select",
    { id: "language", change: (event) => (chooseLanguage(event.target.value), show()) },
    Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, selected: code === language() }, name)),
  );
  redraw(field("foot"), () => fill(field("foot"), make("span", {}, say("footer", { version: known.version }), " "), make("label", { for: "language" }, `${say("language")} `), choice));
}

/** The list of projects, and a field to begin one. */
async function showProjects(current) {
  const { projects } = await call("GET", "/v1/projects");
  if (!current()) return;
  document.title = "ibidem";
  const name = make("input", { id: "project", type: "text", required: true, placeholder: say("project-example") });
  const begin = async (event) => {
    event.preventDefault();
    const made = await attempt(() => call("POST", "/v1/projects", { name: name.value }));
    if (made) location.hash = place({ p: made.id });
  };
  fill(
    field("main"),
    make("h1", { tabindex: "-1" }, say("welcome")),
    make("p", {}, say("about")),
    make("form", { class: "controls", submit: begin }, make("label", { for: "project" }, say("new-project")), name, make("button", { type: "submit", class: "main" }, say("begin"))),
    projects.length > 0 && [make("h2", {}, say("projects")), make("ul", { class: "cards" }, projects.map(showCard))],
  );
}

function showCard(project) {
  const drop = () =>
    window.confirm(say("remove-project", { name: project.name })) &&
    attempt(async () => (await call("DELETE", `/v1/projects/${project.id}`), go()));
  return make(
    "li",
    {},
    make("a", { href: place({ p: project.id }) }, make("bdi", {}, project.name)),
    make("span", { class: "note" }, `${say("files", { n: project.files })} · ${new Date(1000 * project.created).toLocaleDateString(language())}`),
    make("button", { type: "button", "aria-label": `${say("remove")} ${project.name}`, click: drop }, say("remove")),
  );
}

/** A project: its files, its questions, and the answers. Parts are drawn again when they change. */
async function showProject(id, current) {
  const parts = { files: make("section", { class: "step" }), questions: make("section", { class: "step" }), runs: make("section", { class: "step" }) };
  let project = await call("GET", `/v1/projects/${id}`);
  if (!current()) return;
  const drawn = {};
  const draw = (name, state, work) => {
    const state_ = JSON.stringify(state);
    if (drawn[name] !== state_) redraw(parts[name], () => work(parts[name]));
    drawn[name] = state_;
  };
  const update = (fresh) => {
    if (!current()) return;
    if (fresh && unreadOf(fresh) === 0 && (unreadOf(project) > 0 || fresh.files.length !== project.files.length)) tell(countFiles(fresh));
    if (fresh) project = fresh;
    draw("files", [project.files, project.reading], (part) => showFiles(part, project, update));
    draw("questions", project.files.map((file) => [file.id, file.role, file.reading?.state]), (part) => showQuestions(part, project, known.questions, look));
    const runs = project.runs.map((run) => (isBusy(run) ? run : { ...run, seconds: 0 })); // those that ended are not drawn again
    draw("runs", runs, (part) => showRuns(part, project, update));
  };
  const look = async () => {
    const fresh = await call("GET", `/v1/projects/${id}`).catch((problem) => complain(problem.message));
    update(fresh);
    return fresh;
  };
  document.title = `${project.name} – ibidem`;
  fill(field("main"), make("h1", { tabindex: "-1" }, make("bdi", {}, project.name)), parts.files, parts.questions, parts.runs);
  update(project);
  ready();
  while (current()) {
    await new Promise((done) => setTimeout(done, POLL));
    if (current()) await look();
  }
}

window.addEventListener("hashchange", go);
window.addEventListener("dragover", (event) => event.preventDefault()); // a file that misses its field opens no page
window.addEventListener("drop", (event) => event.preventDefault());
show();
