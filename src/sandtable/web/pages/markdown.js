// @ts-check
/** The part of Markdown that rule books use, as elements: headings, paragraphs, lists, tables, code, bold, links. */
import { make } from "./dom.js";

const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|\*([^*\s][^*]*?)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** @param {string} text @returns {(Node | string)[]} */
export function inline(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(at, found.index));
    const [whole, bold, code, slanted, words, link] = found;
    if (bold) parts.push(make("b", {}, ...inline(bold)));
    else if (code) parts.push(make("code", {}, code));
    else if (slanted) parts.push(make("i", {}, ...inline(slanted)));
    else parts.push(/^(#|\/(?!\/)|https:)/.test(link) ? make("a", { href: link }, words) : words);
    at = found.index + whole.length;
  }
  return [...parts, text.slice(at)];
}

/** What may end a paragraph: the beginning of anything else. */
const BEGINS = /^(#{1,4} |```|\||[-*] |\d+\. |\s*$)/;

/** @param {string} text @returns {HTMLElement[]} */
export function markdown(text) {
  const lines = text.split("\n");
  /** @type {HTMLElement[]} */
  const made = [];
  const take = (/** @type {(line: string) => boolean} */ fits) => {
    const taken = [];
    while (lines.length && fits(lines[0])) taken.push(/** @type {string} */ (lines.shift()));
    return taken;
  };
  while (lines.length) {
    const line = lines[0];
    const heading = /^(#{1,4}) (.*)/.exec(line);
    if (/^\s*$/.test(line)) lines.shift();
    else if (heading) {
      lines.shift();
      made.push(make(`h${heading[1].length}`, { id: slug(heading[2]) }, ...inline(heading[2])));
    } else if (line.startsWith("```")) {
      lines.shift();
      const code = take((one) => !one.startsWith("```"));
      lines.shift();
      made.push(make("pre", { tabindex: 0 }, make("code", {}, code.join("\n"))));
    } else if (line.startsWith("|")) made.push(table(take((one) => one.startsWith("|"))));
    else if (/^([-*]|\d+\.) /.test(line)) made.push(items(take((one) => /^([-*]|\d+\.) |^ {2,}\S/.test(one))));
    else made.push(paragraph([/** @type {string} */ (lines.shift()), ...take((one) => !BEGINS.test(one))].join(" ")));
  }
  return made;
}

/** A clause can be linked to by its number: the bold words it begins with. @param {string} text */
function paragraph(text) {
  const clause = /^\*\*([A-Z]\d+(?:\.\d+)*)\*\*/.exec(text)?.[1];
  return make(clause ? "p.clause" : "p", { id: clause }, ...inline(text));
}

/** @param {string[]} lines */
function items(lines) {
  /** @type {string[]} */
  const texts = [];
  for (const line of lines) {
    const item = /^(?:[-*]|\d+\.) (.*)/.exec(line);
    if (item) texts.push(item[1]);
    else texts.push(`${texts.pop() ?? ""} ${line.trim()}`);
  }
  return make(/^\d/.test(lines[0]) ? "ol" : "ul", {}, ...texts.map((text) => make("li", {}, ...inline(text))));
}

/** @param {string[]} lines */
function table(lines) {
  const rows = lines.map((line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim()));
  const rule = rows.findIndex((cells) => cells.every((cell) => /^:?-+:?$/.test(cell)));
  const row = (/** @type {string[]} */ cells, /** @type {string} */ tag) => make("tr", {}, ...cells.map((cell) => make(cell ? tag : "td", {}, ...inline(cell))));
  return make("table", {}, ...rows.flatMap((cells, n) => (n === rule ? [] : [row(cells, n < rule ? "th" : "td")])));
}

/** @param {string} words */
export const slug = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
