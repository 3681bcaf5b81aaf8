// @ts-check
/** The grammar of states: one shape each, the same in every game. types.d.ts says what each looks like. */
import { SIDES } from "./block.js";
import { circle, cross, ink, line, path, text } from "./ink.js";

/** @import {Marks, Place} from "./types.js" */

const LETTERS = 44; // pixels of a cell below which marks lose their words
const SMALL = 28; // and figures
const MANY = 400; // cells above which none has a figure
const TURNS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** A figure in a ring, however many signs it has.
 * @param {string | number} said @param {number} x @param {number} y @param {number} r @param {string} look */
function ringed(said, x, y, r, look) {
  const size = r * (String(said).length > 2 ? 0.72 : 0.92);
  return [circle(x, y, r, look), text(said, x, y, Math.max(Math.min(12, r * 1.4), size), "figure")];
}

/** @param {Place} from @param {Place} to */
function towards(from, to) {
  const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { i: (to.x - from.x) / long, j: (to.y - from.y) / long };
}

/** @param {Place} at @param {{i: number, j: number}} way @param {number} far @param {number} [off] to the right of it */
const go = ({ x, y }, { i, j }, far, off = 0) => ({ x: x + i * far - j * off, y: y + j * far + i * off });

/** Ink over a wider halo. @param {string} d @param {string} look */
const haloed = (d, look) => [path(d, `${look} halo-line`), path(d, look)];

/** @type {Marks["selected"]} */
export function selected({ shape, field }, cell) {
  const arm = field.size * 0.3;
  return [
    path(shape.outline(field, cell, 1), "wash-brass"),
    path(shape.corners(field, cell, 2.5, arm + 1), "bracket-ink"),
    path(shape.corners(field, cell, 2.5, arm), "bracket-brass"),
  ];
}

/** @type {Marks["reach"]} */
export function reach({ shape, field }, cells) {
  if (!cells.length) return [];
  const few = cells.length <= MANY && field.size >= SMALL;
  const rings = cells.map(({ cell: { x, y, name }, cost }) => {
    if (cost == null || !few) return circle(x, y, Math.max(3, field.size * 0.07), "edge-ink");
    return ink("g", { "data-cell": name, class: "cost" }, ...ringed(cost, x, y, Math.max(9.5, field.size * 0.19), "edge-ink"));
  });
  return [path(cells.map(({ cell }) => shape.outline(field, cell, 4)).join(""), "reach"), ...rings];
}

/** @type {Marks["targets"]} */
export const targets = ({ field: { size } }, cells) =>
  cells.map(({ cell, cost, odds }) => {
    const [r, tick, far] = [size * 0.41, size * 0.048, size * 0.36];
    const ticks = TURNS.map(([i, j]) => line(go(cell, { i, j }, r - tick), go(cell, { i, j }, r + tick))).join("");
    const { x, y } = cell;
    const rings = [circle(x, y, r, "ring halo-line"), path(ticks, "tick halo-line"), circle(x, y, r, "ring"), path(ticks, "tick")];
    const said = odds && odds.length <= 4 ? odds : cost;
    const figure = said == null ? [] : ringed(said, x + far, y - far, Math.max(9.5, size * 0.15), "edge-strike");
    return ink("g", { "data-cell": cell.name }, ...rings, ...figure);
  });

/** @type {Marks["aim"]} */
export function aim({ field: { size } }, from, to, harm, way) {
  const ahead = towards(way.at(-1) ?? from, to);
  const end = go(to, ahead, size * (harm ? -0.47 : -0.21));
  const d = line(go(from, towards(from, way[0] ?? to), size * 0.37), ...way, end);
  if (!harm) return haloed(d, "way");
  const head = [go(end, ahead, -size * 0.04, -size * 0.07), go(end, ahead, size * 0.06), go(end, ahead, -size * 0.04, size * 0.07)];
  return [...haloed(d, "shot"), path(`${line(...head)}Z`, "head")];
}

/** @type {Marks["noWay"]} */
export const noWay = ({ field: { size } }, from, to) => [path(line(from, to), "no-way"), path(cross(to.x, to.y, size * 0.09), "no-way-cross")];

/** @type {Marks["last"]} */
export function last({ shape, field }, cells) {
  const [from, ...rest] = cells;
  if (!from) return [];
  const ticks = path(shape.corners(field, from, 4, field.size * 0.15), "trail");
  const to = rest.pop();
  if (!to) return [ticks];
  const r = Math.max(2.5, field.size * 0.043);
  const start = go(from, towards(from, rest[0] ?? to), r);
  const end = go(to, towards(rest.at(-1) ?? from, to), -field.size * 0.42);
  return [ticks, path(line(start, ...rest, end), "trail dots"), circle(from.x, from.y, r, "trail")];
}

/** @type {Marks["threat"]} */
export function threat({ shape, field }, cells) {
  const d = cells.map(({ cell }) => shape.outline(field, cell, 2)).join("");
  return d ? [path(d, "hatched"), path(d, "hatched-edge")] : [];
}

/** @type {Marks["threatWords"]} */
export const threatWords = ({ field: { size } }, cells) =>
  cells.flatMap(({ cell: { x, y }, words = "" }) => (size < LETTERS ? [] : text(words, x, y + size * 0.37, 12.5, "danger-words")));

/** @type {Marks["blocked"]} */
export const blocked = ({ field: { size } }, cells) =>
  cells.flatMap(({ x, y }) => {
    const [r, far] = [Math.max(7, size * 0.13), size * 0.34];
    return [circle(x + far, y - far, r, "edge-ink"), path(cross(x + far, y - far, r * 0.43), "cross")];
  });

/** @type {Marks["focus"]} */
export const focus = ({ shape, field }, cell) =>
  [-4, 1.4, -1.2].map((inside, n) => path(shape.outline(field, cell, inside), n < 2 ? "paper-line" : "ink-line"));

/** @type {Marks["land"]} */
export function land({ shape, field }, scene) {
  /** @type {Object<string, string>} look, with its place in the order before it → path */
  const paths = {};
  for (const [name, { terrain, side, fog, marks }] of scene.entries("cell")) {
    const cell = shape.place(field, name);
    if (!cell) continue;
    const lies = (/** @type {string} */ look, d = shape.outline(field, cell, 0)) => (paths[look] = (paths[look] ?? "") + d);
    if (terrain) lies(`1 terrain ${terrain}`);
    if (side !== undefined && !fog) [`2 wash s${(side % SIDES) + 1}`, `3 hatch h${(side % SIDES) + 1}`].forEach((look) => lies(look));
    if (fog) ["4 fog", "5 fog-dots"].forEach((look) => lies(look));
    if (marks?.length) lies("6 lozenge", shape.lozenge(field, cell));
  }
  return Object.keys(paths).sort().map((look) => path(paths[look], look.slice(2)));
}
