// The measure of similarity: chosen before a question or after its answer.

import { call, field } from "./calls.js";
import { fill, make } from "./dom.js";

const FAMILIES = { multiset: "all words", set: "distinct words", weighted: "words by weight" };
const REPEATS = { raw: "each time", logarithmic: "less each time", binary: "once", squared: "more each time" };
const RARITY = { smooth: "smoothly", standard: "by the logarithm", probabilistic: "by the odds", unary: "not" };

export const MEASURE_FIELDS = ["family", "tf", "idf"];

for (const [name, choices] of [["tf", REPEATS], ["idf", RARITY]]) {
  fill(field(name), Object.entries(choices).map(([value, words]) => make("option", { value }, words)));
}

/** The fields of a request that name the measure; none if it is that of the index. */
export function chosenMeasure() {
  const family = field("family").value;
  if (!family) return {};
  return family === "weighted" ? { family, tf: field("tf").value, idf: field("idf").value } : { family };
}

export function showWeights() {
  field("weights").hidden = field("family").value !== "weighted";
}

/** Similarities of matches by the measure that is chosen, without a new search. */
export async function measure(text, index, generation, matches, signal) {
  const places = matches.map(({ query_start, query_end, document, start, end }) => ({ query_start, query_end, document, start, end }));
  const { similarities } = await call("/v1/measure", { text, index, generation, matches: places, ...chosenMeasure() }, signal);
  return similarities;
}

/** The sentence about the measure. */
export function describeMeasure(job) {
  const { family, tf, idf } = chosenMeasure();
  if (!family) return null;
  const words = family === "weighted" ? `${FAMILIES.weighted} (repeats count ${REPEATS[tf]}, rare words weigh more: ${RARITY[idf]})` : FAMILIES[family];
  if (job === "search") return `Searched by this measure: ${words}.`;
  return `Found by an alignment, and measured again by ${words}. Passages that only a search by this measure would find are not among them.`;
}
