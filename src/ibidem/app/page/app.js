// The page: the address says what is shown. `#` are all projects, `#p=ID` is one, `&run=ID` an answer of it.

import { attempt, call, place, tell } from "./api.js";
import { showQuestions, showRuns } from "./ask.js";
import { fill, make } from "./dom.js";
import { showFiles } from "./files.js";
import { showAnswer } from "./look.js";
import { LANGUAGES, chooseLanguage, language, say } from "./words.js";

const POLL = 500; // ms between two looks at what is under way

const field = (name) => document.getElementById(name);

let shown = 0; // counts what was shown, so that what comes late for another view is dropped
let known = null; // the questions, and the version

async function show() {
  const mine = ++shown;
  const current = () => mine === shown;
  const at = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  known ??= await attempt(() => call("GET", "/v1/projects"));
  if (!known || !current()) return;
  drawFrame();
  field("main").setAttribute("aria-busy", "true");
  if (at.run) await attempt(() => showAnswer(field("main"), at, current));
  else if (at.p) await attempt(() => showProject(at.p, current));
  else await attempt(() => showProjects(current));
  if (current()) ready();
}

/** Say that all of the view is there. */
function ready() {
  field("main").setAttribute("aria-busy", "false");
}

function drawFrame() {
  document.documentElement.lang = language();
  fill(field("head"), make("p", { class: "name" }, make("a", { href: "#" }, "ibidem")));
  const choice = make(
    "select",
    { id: "language", change: (event) => (chooseLanguage(event.target.value), show()) },
    Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, selected: code === language() }, name)),
  );
  fill(field("foot"), make("span", {}, say("footer", { version: known.version }), " "), make("label", { for: "language" }, `${say("language")} `), choice);
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
    make("h1", {}, say("welcome")),
    make("p", {}, say("about")),
    make("form", { class: "controls", submit: begin }, make("label", { for: "project" }, say("new-project")), name, make("button", { type: "submit", class: "main" }, say("begin"))),
    projects.length > 0 && [make("h2", {}, say("projects")), make("ul", { class: "cards" }, projects.map(showCard))],
  );
}

function showCard(project) {
  const drop = () =>
    window.confirm(say("remove-project", { name: project.name })) &&
    attempt(async () => (await call("DELETE", `/v1/projects/${project.id}`), show()));
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
    if (drawn[name] !== state_) work(parts[name]);
    drawn[name] = state_;
  };
  const update = (fresh) => {
    if (!current()) return;
    if (fresh) project = fresh;
    draw("files", [project.files, project.reading], (part) => showFiles(part, project, update));
    draw("questions", project.files.map((file) => [file.id, file.role, file.reading?.state]), (part) => showQuestions(part, project, known.questions, look));
    draw("runs", project.runs, (part) => showRuns(part, project, update));
  };
  const look = async () => {
    const fresh = await call("GET", `/v1/projects/${id}`).catch((problem) => tell(problem.message));
    update(fresh);
    return fresh;
  };
  document.title = `${project.name} – ibidem`;
  fill(field("main"), make("h1", {}, make("bdi", {}, project.name)), parts.files, parts.questions, parts.runs);
  update(project);
  ready();
  while (current()) {
    await new Promise((done) => setTimeout(done, POLL));
    if (current()) await look();
  }
}

window.addEventListener("hashchange", show);
window.addEventListener("dragover", (event) => event.preventDefault()); // a file that misses its field opens no page
window.addEventListener("drop", (event) => event.preventDefault());
show();
