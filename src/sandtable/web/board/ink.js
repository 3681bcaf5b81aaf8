// @ts-check
/** Elements of the drawing. Looks are classes of style/board.css; here are shapes only. */

/** @import {Ink} from "./types.js" */

/** @type {Ink["ink"]} */
export function ink(tag, attributes = {}, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes) element.setAttribute(name, String(attributes[name]));
  element.append(...inside);
  return element;
}

/** @type {Ink["set"]} */
export function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** @type {Ink["round"]} */
export const round = (n) => Math.round(n * 100) / 100;

/** @type {Ink["line"]} */
export const line = (...points) => `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;

/** @type {Ink["cross"]} */
export const cross = (x, y, r) =>
  line({ x: x - r, y: y - r }, { x: x + r, y: y + r }) + line({ x: x + r, y: y - r }, { x: x - r, y: y + r });

/** @type {Ink["path"]} */
export const path = (d, look) => ink("path", { d, class: look });

/** @type {Ink["circle"]} */
export const circle = (x, y, r, look) => ink("circle", { cx: round(x), cy: round(y), r: round(r), class: look });

/** @type {Ink["text"]} */
export const text = (words, x, y, size, look) =>
  ink("text", { x: round(x), y: round(y + size * 0.34), "font-size": round(size), class: look }, String(words));

/** @type {Ink["symbol"]} */
export function symbol(id, x, y, size, look) {
  const at = { x: round(x - size / 2), y: round(y - size / 2), width: round(size), height: round(size) };
  return ink("use", { href: `#${id}`, ...at, class: look });
}
