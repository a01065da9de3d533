// Elements without markup: texts of documents are only ever text nodes.

const SVG = new Set(["svg", "rect", "line", "path", "text", "g", "circle", "title"]);

/** An element with attributes and children; a function as an attribute is a listener, `null` and `false` leave it out. */
export function make(name, attributes = {}, ...children) {
  const element = SVG.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") element.style.cssText = value; // an attribute would be inline style, which the page forbids
    else if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") element.append(child);
  }
}

/** Put `children` in the place of whatever the element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A name of a document or a person, whose direction is its own. */
export const named = (name) => make("bdi", {}, name && String(name).split(/(?<=[/_])/).map((part, at) => [at > 0 && make("wbr"), part]));

/** Parts of a line, those that there are, with a point between them. */
export const inLine = (...parts) => parts.filter(Boolean).map((part, at) => [at > 0 && " · ", part]);

export const bar = (value) => make("span", { class: "meter", "aria-hidden": "true", style: `--share:${(100 * value).toFixed(0)}%` });

/** What may be wider than the page, and is scrolled by keyboard, too. */
export const scroller = (label, ...children) => make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": label }, children);

/** A table; `columns` are pairs of a class and a heading. */
export const table = (label, columns, ...rows) =>
  make("table", { "aria-label": label }, make("thead", {}, make("tr", {}, columns.map(([name, title]) => make("th", { scope: "col", class: name }, title)))), make("tbody", {}, rows));

/** The first words of a text. */
export const shorten = (text, length = 160) => (text.length > length ? `${text.slice(0, length).replace(/\s\S*$/, "")} …` : text);
