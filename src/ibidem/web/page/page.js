// The page of the service: which view is shown is said by the address.

import { call, field, say } from "./calls.js";
import { begin, readAddress } from "./asking.js";
import { showClusters, showDocument, showLeftOut, showWitnesses } from "./browse.js";
import { count, fill, make, number } from "./dom.js";

const VIEWS = new Map([["clusters", showClusters], ["cluster", showWitnesses], ["document", showDocument], ["leftout", showLeftOut]]);

let listing = null;

/** Wait until the names of what is served are known; after a failure they are asked for again. */
function waitForIndexes() {
  listing ??= listIndexes().finally(() => {
    if (!field("index").options.length) listing = null;
  });
  return listing;
}

const viewLink = (view, reuse, words) => make("a", { href: `#${new URLSearchParams({ view, reuse })}` }, words);

async function listIndexes() {
  try {
    const { indexes, reuse, evals } = await call("/v1/indexes");
    if (evals) offerGate(evals, indexes);
    fill(field("index"), indexes.map((index) => make("option", { value: index.name }, `${index.name} (${count(index.documents, "document")})`)));
    fill(field("views"), make("a", { href: "#" }, "Search"), reuse.flatMap(({ name, left_out }) => [viewLink("clusters", name, `Clusters of ${name}`), left_out > 0 && viewLink("leftout", name, `Left out (${number(left_out)})`)]));
    field("views").hidden = reuse.length === 0;
    field("secret").hidden = true;
    if (!indexes.length && !location.hash && reuse.length) location.hash = `#${new URLSearchParams({ view: "clusters", reuse: reuse[0].name })}`;
  } catch (problem) {
    say(problem.message);
  }
}

/** Offer to look for the items of evals; without an index there is nothing else to ask for. */
function offerGate(evals, indexes) {
  const job = field("job");
  if (![...job.options].some((option) => option.value === "contamination")) {
    job.append(make("option", { value: "contamination" }, `test items in this document (${count(evals.items, "item")})`));
  }
  if (indexes.length) return;
  for (const option of [...job.options]) if (option.value !== "contamination") option.remove();
  for (const name of ["index", "family"]) field(name).parentElement.hidden = true;
  field("threshold").value = "0.5";
}

function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const show = VIEWS.get(asked.get("view"));
  field("asking").hidden = Boolean(show);
  field("browse").hidden = !show;
  if (show) {
    const place = make("div");
    fill(field("browse"), place);
    show(asked, place);
    window.scrollTo(0, 0);
  } else {
    readAddress(asked);
  }
}

begin(waitForIndexes); // at once: a browser would send the form by itself
await waitForIndexes();
follow();
window.addEventListener("hashchange", follow);
