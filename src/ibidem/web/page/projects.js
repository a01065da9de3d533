// The page of `ibidem app`. The address says what is shown: `#` are all projects, `#p=ID` is one, `&run=ID` an answer of it.

import { keyOf, makeAnswer, showAnswer } from "./answer.js";
import { isBusy, showQuestions, showRuns } from "./ask.js";
import { attempt, call, complain, place, readPlace, tell } from "./calls.js";
import { fill, make, named } from "./dom.js";
import { countFiles, showFiles, unreadOf } from "./files.js";
import { redraw } from "./focus.js";
import { beginPage, endPage, ready } from "./frame.js";
import { showSaving } from "./save.js";
import { Search } from "./search.js";
import { formatTime, language, say } from "./words.js";

const POLL = 500; // ms between two looks at what is under way

const field = (name) => document.getElementById(name);

let known = null; // the questions, and the version
let last = null; // the answer that was read last: steps within it read nothing again

async function show(main, current) {
  const at = readPlace();
  known ??= await call("projects");
  if (!current()) return;
  redraw(field("head"), () => fill(field("head"), make("p", { class: "name" }, make("a", { href: "#" }, "ibidem"), (at.p || at.run) && make("a", { href: "#", class: "up" }, say("all-projects")), make("button", { type: "button", class: "quit", title: say("about-quit"), click: quit }, say("quit")))));
  if (at.run) await showRun(main, at, current);
  else if (at.p) await showProject(main, at.p, current);
  else await showProjects(main, current);
}

/** End the server, which a launcher may have started without a terminal. */
const quit = () => attempt(async () => (await call("quit"), endPage(say("has-quit"), say("about-has-quit"))));

/** The answer to a question. */
async function showRun(main, at, current) {
  const ids = { project: at.p, run: at.run };
  const answer = last?.ids.run === at.run && last.ids.project === at.p ? last : await readAnswer(ids);
  const project = await call("project", { project: at.p });
  if (!current()) return;
  last = answer;
  Object.assign(answer, { name: project.name, marks: markMap(project.marks) });
  await showAnswer(main, answer, at, say(`ask-${answer.kind}`), make("a", { href: place({ p: at.p }) }, ["← ", named(project.name)]));
}

const markMap = (marks) => new Map(marks.map((mark) => [keyOf(mark.a, mark.b), mark]));

async function readAnswer(ids) {
  const [run, view] = await Promise.all([call("run", ids), call("view", ids)]);
  const lines = new Map();
  const link = (parts) => place({ p: ids.project, run: ids.run, ...parts });
  const answer = makeAnswer(view, {
    ids,
    link,
    downloads: run.downloads,
    asked: run.asked,
    /** Comparisons from `first` on; each is asked for once. */
    async comparisons(first, count) {
      const asked = `${first} ${count}`;
      if (!lines.has(asked)) lines.set(asked, call("comparisons", { ...ids, first, count }));
      return lines.get(asked);
    },
    text: async (at) => (await call("texts", { ...ids, first: at, count: 1 }))[0],
    mark: async (a, b, said) => (answer.marks = markMap(await call("mark", { project: ids.project, a, b, ...said }))),
    showSaving: view.kind !== "search" && showSaving,
    showSearch: ["reuse", "search"].includes(view.kind) && ((body, _, at) => new Search({ jobs: ["search", "align"], indexes: [], prefix: "answer_", ids, about: say("n-documents", { n: view.documents.length }), link: (match) => link({ doc: view.documents.findIndex((each) => each.name === match.document) }) }, at).show(body)),
  });
  return answer;
}

/** The list of projects, and a field to begin one. */
async function showProjects(main, current) {
  const { projects } = await call("projects");
  if (!current()) return;
  document.title = "ibidem";
  const name = make("input", { id: "project", type: "text", required: true, placeholder: say("project-example") });
  const begin = async (event) => {
    event.preventDefault();
    const made = await attempt(() => call("create_project", { name: name.value }));
    if (made) location.hash = place({ p: made.id });
  };
  fill(
    main,
    make("h1", { tabindex: "-1" }, say("welcome")),
    make("p", {}, say("about")),
    make("form", { class: "controls", submit: begin }, make("label", { for: "project" }, say("new-project")), name, make("button", { type: "submit", class: "main" }, say("begin"))),
    projects.length > 0 && [make("h2", {}, say("projects")), make("ul", { class: "cards" }, projects.map(showCard))],
  );
}

function showCard(project) {
  const drop = () =>
    window.confirm(say("remove-project", { name: project.name })) &&
    attempt(async () => (await call("remove_project", { project: project.id }), go()));
  return make(
    "li",
    {},
    make("a", { href: place({ p: project.id }) }, named(project.name)),
    make("span", { class: "note" }, `${say("files", { n: project.files })} · ${formatTime(project.created)}`),
    make("button", { type: "button", "aria-label": `${say("remove")} ${project.name}`, click: drop }, say("remove")),
  );
}

/** A project: its files, its questions, and the answers. Parts are drawn again when they change. */
async function showProject(main, id, current) {
  const parts = { files: make("section", { class: "step" }), questions: make("section", { class: "step" }), runs: make("section", { class: "step" }) };
  let project = await call("project", { project: id });
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
    const fresh = await call("project", { project: id }).catch((problem) => complain(problem.message));
    update(fresh);
    return fresh;
  };
  document.title = `${project.name} – ibidem`;
  fill(main, make("h1", { tabindex: "-1" }, named(project.name)), parts.files, parts.questions, parts.runs);
  update(project);
  ready();
  while (current()) {
    await new Promise((done) => setTimeout(done, POLL));
    if (current()) await look();
  }
}

const go = beginPage(show, () => say("footer", { version: known?.version ?? "" }));
