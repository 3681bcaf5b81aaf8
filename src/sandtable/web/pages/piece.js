// @ts-check
/** A block on a sheet, a palette or the strip: drawn by the board's own hand, so that it is the same piece. */
import { Blocks, SIDES } from "../board/block.js";
import { ink } from "../board/ink.js";

const ROOM = 1.42; // of the face: halo and flank need some
/** @type {Map<string, Blocks>} one set of outlines for each size and look in the page */
const sets = new Map();

/** @param {any} board the scene's entry @param {number} size */
function blocks(board, size) {
  const [art, pieces] = [board?.art ?? "", board?.pieces ?? ""];
  const name = `piece-${size}-${art}-${pieces}`;
  let found = sets.get(name);
  if (!found) {
    found = new Blocks(name, size * ROOM, art, pieces);
    sets.set(name, found);
    const defs = ink("defs", {}, ...found.definitions());
    document.body.append(ink("svg", { width: 0, height: 0, class: "signs", "aria-hidden": "true" }, defs));
  }
  return found;
}

/** @param {any} board @param {number} size @param {any} unit @param {(set: Blocks) => Node[]} parts */
function drawn(board, size, unit, parts) {
  const [set, half] = [blocks(board, size), size / 2];
  const at = { width: size, height: size, viewBox: `${-half} ${-half} ${size} ${size}`, class: "piece", "aria-hidden": "true" };
  return ink("svg", at, ink("g", { class: set.look(unit) }, ...parts(set)));
}

/** A unit as it stands on the board. @param {any} unit @param {any} board @param {number} size pixels of its place */
export const piece = (unit, board, size) => drawn(board, size, unit, (set) => set.parts(unit));

/** A side's bare block, with its mark where colour is a pigment: a seat's sign. @param {number} side @param {any} board @param {number} size */
export function token(side, board, size) {
  const [n, half] = [(side ?? 0) % SIDES, size * 0.2];
  const mark = ink("use", { href: `#m-${n + 1}`, x: -half, y: -half, width: 2 * half, height: 2 * half, class: "sign" });
  return drawn(board, size, { side: n }, (set) => [
    ink("use", { href: `#${set.id(n, "up")}` }), ...(board?.pieces === "wood" ? [] : [mark]),
  ]);
}
