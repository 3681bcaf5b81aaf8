// @ts-check
/** What somebody sees, key by key. Its hash, kept up to date line by line as protocol/scene.py's, finds drift, not fraud. */

/** @import {Keeps, Value} from "./types.js" */

const CRC = new Uint32Array(256).map((_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
const UTF8 = new TextEncoder();
const FAR = /[\ud800-\uffff]/; // signs whose order by halves of UTF-16 is not their order by code points

/** @param {string} text */
export function crc32(text) {
  let crc = ~0;
  for (const byte of UTF8.encode(text)) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Order by code points, as the server sorts. @param {string} a @param {string} b */
function byPoint(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let n = 0; n < left.length && n < right.length; n++) {
    if (left[n] !== right[n]) return Number(left[n].codePointAt(0)) - Number(right[n].codePointAt(0));
  }
  return left.length - right.length;
}

/** JSON with sorted keys and no blanks: one text for one value, whoever writes it. @param {Value} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value);
  keys.sort(keys.some((key) => FAR.test(key)) ? byPoint : undefined);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

export class Scene {
  /** @param {Object<string, Value>} [values] */
  constructor(values = {}) {
    /** @type {Map<string, {value: Value, line: string, crc: number}>} */
    this.lines = new Map();
    this.sum = 0;
    this.patch(Object.entries(values));
  }

  /** @type {Keeps["patch"]} */
  patch(changes) {
    for (const [key, value] of changes) {
      const before = this.lines.get(key);
      const line = value === null ? "" : `${key}\t${canonical(value)}`;
      if (before?.line === line) continue; // the old object stays: whoever drew it sees at once that nothing changed
      const crc = line ? crc32(line) : 0;
      if (line) this.lines.set(key, { value, line, crc });
      else this.lines.delete(key);
      this.sum = (this.sum + crc - (before?.crc ?? 0)) >>> 0;
    }
  }

  /** @type {Keeps["replace"]} */
  replace(values) {
    const gone = this.keys().filter((key) => !Object.hasOwn(values, key));
    const come = Object.entries(values).filter(([key, value]) => this.lines.get(key)?.line !== `${key}\t${canonical(value)}`);
    const changes = [...gone.map((key) => /** @type {[string, null]} */ ([key, null])), ...come];
    this.patch(changes);
    return changes;
  }

  /** @type {Keeps["get"]} */
  get(key) {
    return this.lines.get(key)?.value;
  }

  /** @type {Keeps["keys"]} */
  keys(prefix = "") {
    return [...this.lines.keys()].filter((key) => key.startsWith(prefix));
  }

  /** @type {Keeps["entries"]} */
  entries(family) {
    return this.keys(`${family}/`).map((key) => [key.slice(family.length + 1), this.get(key)]);
  }

  /** @type {Keeps["hash"]} */
  hash() {
    return this.sum.toString(16).padStart(8, "0");
  }
}
