// @ts-check
/** Dice as dice: they turn for a moment and stop on the faces the server sent. */
import { ink } from "../board/ink.js";
import { still } from "../board/motion.js";
import { fill, make } from "./dom.js";
import { say } from "./words.js";

const TURNS = 3;
const ROLL = 250; // milliseconds for all of them

/** @param {number} face @param {number} size */
function die(face, size) {
  return ink("svg", { width: size, height: size, viewBox: "0 0 24 24", "aria-hidden": "true" }, ink("use", { href: `#die-${face}` }));
}

/** Faces in a row; anything that is no face of a die is written. @param {number[]} faces @param {number} size @param {number} [side] */
export function dice(faces, size, side) {
  const row = make("span.dice", { role: "img", "aria-label": say("dice", { faces: faces.join(", ") }), "data-side": side ?? "" });
  return draw(row, faces, size);
}

/** @param {HTMLElement} row @param {number[]} faces @param {number} size */
const draw = (row, faces, size) =>
  fill(row, ...faces.map((face) => (face >= 1 && face <= 6 ? die(face, size) : make("b.num", {}, String(face)))));

/** Lets a row drawn by `dice` turn before it stops. @param {HTMLElement} row @param {number[]} faces @param {number} size */
export async function tumble(row, faces, size) {
  if (still()) return;
  for (let turn = 0; turn < TURNS; turn++) {
    draw(row, faces.map((face, n) => ((face + turn + n) % 6) + 1), size);
    await new Promise((resolve) => setTimeout(resolve, ROLL / TURNS));
  }
  draw(row, faces, size);
}
