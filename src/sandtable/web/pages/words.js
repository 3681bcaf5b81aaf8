// @ts-check
/** Every text of the interface, from words/en.json. A name nobody has written yet shows itself. */

/** @type {Map<string, string>} */
let words = new Map();

/** Brings the catalogue; pages begin when it is there. */
export async function loadWords() {
  const answer = await fetch(new URL("../words/en.json", import.meta.url));
  words = new Map(Object.entries(await answer.json()));
}

/** A sentence with its fields filled in; with `n` = 1 the one that ends in `.one`, where there is one.
 * @param {string} name @param {Object<string, string | number>} [fields] */
export function say(name, fields = {}) {
  const text = (fields.n === 1 ? words.get(`${name}.one`) : undefined) ?? words.get(name) ?? name;
  return text.replace(/\{(\w+)\}/g, (_, field) => String(fields[field] ?? ""));
}

/** Words of one family without its prefix, for the board's labels. @param {string} family */
export function family(family) {
  const found = [...words].filter(([name]) => name.startsWith(`${family}.`));
  return Object.fromEntries(found.map(([name, text]) => [name.slice(family.length + 1), text]));
}
