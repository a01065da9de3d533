// All pairs at once: a matrix and, if dates were asked for, a time line.

import { drawMatrix, drawTimeline } from "./charts.js";
import { fill, make, scroller } from "./dom.js";
import { percent, say } from "./words.js";

const MOST_IN_MATRIX = 60;

/** Pictures of the pairs of documents above a share. */
export function showPictures(body, answer) {
  const documents = withoutFolder(answer.documents);
  const least = make("input", { id: "least-share", type: "range", min: 0, max: 1, step: 0.01, value: 0, input: () => draw() });
  const shown = make("output", {}, percent(0));
  const place = make("div", { class: "pictures" });
  const draw = () => {
    shown.textContent = percent(Number(least.value));
    const pairs = answer.pairs.filter((pair) => pair.share >= Number(least.value));
    const open = (pair) => (location.hash = answer.link({ pair: pair.at }));
    const matrix = drawMatrix(documents, pairs, MOST_IN_MATRIX, open);
    const dated = new Set(documents.map((each) => each.time).filter((time) => time !== null));
    const some = matrix.shown < matrix.all ? ` (${matrix.shown} / ${matrix.all})` : "";
    fill(
      place,
      pairs.length === 0 && make("p", {}, say("no-pair-left")),
      pairs.length > 0 && figure(`${say("matrix")}${some}`, matrix.plot),
      dated.size > 1 && figure(say("timeline"), drawTimeline(documents, pairs, open)),
    );
  };
  fill(body, make("p", { class: "controls" }, make("label", { for: "least-share" }, say(answer.isCounted ? "filter-share" : "set-threshold")), least, shown), make("p", { class: "note" }, say("about-pictures")), place);
  draw();
}

/** The documents without the folder that all of them lie in: pictures have little room for names. */
function withoutFolder(documents) {
  const folder = documents.map(({ name }) => name.slice(0, name.lastIndexOf("/") + 1)).reduce((one, other) => {
    let length = Math.min(one.length, other.length);
    while (one.slice(0, length) !== other.slice(0, length)) length -= 1;
    return one.slice(0, one.lastIndexOf("/", length - 1) + 1);
  });
  return documents.map((each) => ({ ...each, name: each.name.slice(folder.length) }));
}

const figure = (title, picture) => make("figure", {}, make("figcaption", {}, title), scroller(title, picture));
