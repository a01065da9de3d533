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
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Put `children` in the place of whatever the element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

const speech = { translate: (words) => words, locale: "en" };

/** Have phrases in another language: `translate` gives the words for English ones. */
export function speak(translate, locale) {
  Object.assign(speech, { translate, locale });
}

/** Words in the language of the page, with values put in. */
export const phrase = (words, values = {}) => speech.translate(words).replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const number = (value) => value.toLocaleString(speech.locale);

export const count = (value, noun, plural = `${noun}s`) => `${number(value)} ${phrase(value === 1 ? noun : plural)}`;

/** A number with so many digits behind the point, or the comma. */
export const fixed = (value, digits) => value.toLocaleString(speech.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const percent = (value) => `${fixed(100 * value, value > 0.995 && value < 1 ? 1 : 0)} %`;

export const decimal = (value) => (value === null || value === undefined ? "–" : fixed(value, 3));
