// @ts-check
/**
 * A painted block: halo, flank, face, symbol; laid flat once it has acted. Six sides, six outlines, drawn once per board
 * around 0,0 and used by every unit; colours come from the side's class.
 */
import { circle, ink, round, symbol, text } from "./ink.js";
import { sign } from "./signs.js";

/** @import {Draws} from "./types.js" */

const FACE = 0.68; // of a cell
const LIFT = 0.0425; // height of the flank, of a cell
const [SYMBOL, SYMBOL_SMALL, SMALL] = [0.72, 0.78, 40]; // of the face; of a face below so many pixels
const SHIELD = "M12 1.6L21.2 4.6V11C21.2 16.6 17.4 20.4 12 22.8C6.6 20.4 2.8 16.6 2.8 11V4.6Z";

/** Outlines of a block whose upper left corner is x,y: rounded, chamfered, gabled, scooped, notched, shield.
 * @type {((x: number, y: number, s: number) => string)[]} */
const OUTLINES = [
  (x, y, s) => cornered(x, y, s, 0.16, (px, py, ex, ey) => `Q${px} ${py} ${ex} ${ey}`),
  (x, y, s) => cornered(x, y, s, 0.2, (_x, _y, ex, ey) => `L${ex} ${ey}`),
  (x, y, s) => `M${x} ${y + s * 0.24}L${x + s / 2} ${y - s * 0.1}L${x + s} ${y + s * 0.24}V${y + s}H${x}Z`,
  (x, y, s) => cornered(x, y, s, 0.2, (_x, _y, ex, ey) => `A${s * 0.2} ${s * 0.2} 0 0 0 ${ex} ${ey}`),
  (x, y, s) => cornered(x, y, s, 0.16, (_x, _y, ex, ey, turn) => (turn % 2 ? `H${ex}V${ey}` : `V${ey}H${ex}`)),
  (x, y, s) => `M${x} ${y}H${x + s}V${y + s * 0.64}L${x + s / 2} ${y + s * 1.08}L${x} ${y + s * 0.64}Z`,
];
export const SIDES = OUTLINES.length;

/** A square whose corners begin a part of it before their points; `corner` is told the point, where it ends, and which.
 * @param {number} x @param {number} y @param {number} s @param {number} part
 * @param {(px: number, py: number, ex: number, ey: number, turn: number) => string} corner */
function cornered(x, y, s, part, corner) {
  const [right, foot, cut] = [x + s, y + s, s * part];
  return (
    `M${x + cut} ${y}H${right - cut}${corner(right, y, right, y + cut, 0)}` +
    `V${foot - cut}${corner(right, foot, right - cut, foot, 1)}` +
    `H${x + cut}${corner(x, foot, x, foot - cut, 2)}V${y + cut}${corner(x, y, x + cut, y, 3)}Z`
  );
}

/** Blocks for cells of one size; `name` keeps the ids of two boards in a page apart. */
export class Blocks {
  /** @param {string} name @param {number} cell pixels @param {string} [art] @param {string} [pieces] */
  constructor(name, cell, art = "", pieces = "") {
    this.name = name;
    this.cell = cell;
    this.art = art;
    this.wood = pieces === "wood" ? " wood" : "";
    this.face = cell * FACE;
    this.lift = (cell * LIFT) / 2;
    this.symbol = this.face * (this.face >= SMALL ? SYMBOL : SYMBOL_SMALL);
  }

  /** Every outline standing, lying flat, and dashed. */
  definitions() {
    const { face: s, lift, cell } = this;
    const line = Math.max(1.1, Math.min(1.5, cell / 50));
    const drawn = (/** @type {string} */ d, /** @type {string} */ look, thick = line) =>
      ink("path", { d, class: look, "stroke-width": round(thick) });
    return OUTLINES.flatMap((outline, side) => {
      const at = (/** @type {number} */ y) => outline(-s / 2, y - s / 2, s).replace(/-?\d+\.\d+/g, (n) => String(round(Number(n))));
      const [face, flank, long] = [at(-lift), at(lift), s * (side === SIDES - 1 ? 0.36 : 0.6)]; // a shield is narrow below
      const bar = { x: round(-long / 2), y: round(lift + s * 0.31), width: round(long), height: round(s * 0.085), class: "bar" };
      const id = (/** @type {string} */ state) => ({ id: this.id(side, state) });
      return [
        ink("g", id("up"), drawn(face + flank, "halo", 2.7 * line), drawn(flank, "flank"), drawn(face, "face")),
        ink("g", id("flat"), drawn(flank, "halo", 2.7 * line), drawn(flank, "face"), ink("rect", bar)),
        ink("g", id("ghost"), drawn(at(0), "dashed", 1.6)),
      ];
    });
  }

  /** @type {Draws["id"]} */
  id(side, state) {
    return `${this.name}-${(side ?? 0) % SIDES}-${state}`;
  }

  /** @type {Draws["look"]} */
  look(unit) {
    return `unit s${((unit.side ?? 0) % SIDES) + 1}${this.wood}`;
  }

  /** @type {Draws["at"]} */
  at({ x, y }) {
    return `translate(${round(x)} ${round(y)})`;
  }

  /** @type {Draws["parts"]} */
  parts(unit) {
    if (!unit.kind) return this.dashed(unit, "?");
    const { marks = [], facing, level } = unit;
    const [acted, far] = [marks.includes("moved") || marks.includes("acted"), this.face * 0.46];
    const drawn = [
      ink("use", { href: `#${this.id(unit.side, acted ? "flat" : "up")}` }),
      this.sign(unit, acted ? this.lift - this.face * 0.06 : -this.lift, acted ? "sign pale" : "sign"),
    ];
    if (facing !== undefined) drawn.push(this.wedge(facing));
    if (marks.includes("lost")) drawn.push(...this.grave(far));
    else if (level !== undefined) drawn.push(...this.shield(level, far));
    return drawn;
  }

  /** @type {Draws["dashed"]} */
  dashed(unit, letter) {
    const body = ink("use", { href: `#${this.id(unit.side, "ghost")}`, class: letter ? "unknown" : "ghost" });
    return [body, letter ? text(letter, 0, 0, this.face * 0.4, "mark-2") : this.sign(unit, 0, "sign ink")];
  }

  /** @type {Draws["sign"]} */
  sign(unit, y, look) {
    const name = sign(unit.kind, this.art);
    return name ? symbol(name, 0, y, this.symbol, look) : text(unit.sign ?? unit.kind[0], 0, y, this.face * 0.55, `letter ${look}`);
  }

  /** @type {Draws["wedge"]} */
  wedge(degrees) {
    const [w, out] = [round(this.cell * 0.16), round(this.face / 2 + this.cell * 0.02)];
    return ink("path", { d: `M${-w} ${-out}L0 ${-out - w}L${w} ${-out}Z`, class: "wedge", transform: `rotate(${degrees})` });
  }

  /** @type {Draws["grave"]} */
  grave(far) {
    const r = Math.max(8, this.cell * 0.135);
    const name = sign("grave");
    return [circle(far, far, r, "edge-strike"), ...(name ? [symbol(name, far, far, 1.4 * r, "strike")] : [])];
  }

  /** @type {Draws["shield"]} */
  shield(level, far) {
    const k = Math.max(0.75, this.cell / 83);
    const paper = ink("path", { d: SHIELD, class: "edge-ink", transform: `translate(${round(far - 12 * k)} ${round(far - 12 * k)}) scale(${round(k)})` });
    return [paper, text(level, far, far - 1, Math.max(12, 12.8 * k), "figure")];
  }
}
