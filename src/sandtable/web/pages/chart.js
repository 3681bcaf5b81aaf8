// @ts-check
/** The numbers of the seats that a game marks to be plotted, through the whole match. */
import { ink } from "../board/ink.js";
import { make } from "./dom.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [800, 260, 44, 110, 14, 24];

/** @param {import("./course.js").Plot} plot @param {number} plies */
export function chart({ name, lines }, plies) {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (/** @type {number} */ ply) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / Math.max(1, plies);
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low);
  const rules = [low, (low + high) / 2, high].map((value) => [
    ink("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "rule" }),
    ink("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end", class: "label" }, String(Math.round(value))),
  ]);
  const drawn = lines.flatMap(({ seat, values }, n) => {
    const points = values.flatMap((value, ply) => (value === undefined ? [] : [[x(ply), y(value)]]));
    const [endX, endY] = points.at(-1) ?? [LEFT, TOP];
    const d = points.map(([px, py], at) => (at ? `H${px.toFixed(1)}V${py.toFixed(1)}` : `M${px.toFixed(1)} ${py.toFixed(1)}`)).join("");
    return [ink("path", { d, class: `line line-${n}` }), ink("text", { x: endX + 8, y: endY + 4 + 14 * (n % 2), class: "label strong" }, `${seat} ${values.at(-1)}`)];
  });
  const here = ink("line", { x1: LEFT, x2: LEFT, y1: TOP, y2: HEIGHT - BOTTOM, class: "here" });
  const svg = ink("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "img", "aria-label": say(`plot.${name}`) }, ...rules.flat(), ...drawn, here);
  const go = (/** @type {number} */ ply) => ["x1", "x2"].forEach((end) => here.setAttribute(end, String(x(ply))));
  return { element: make("div.chart", {}, make("h2", {}, say(`plot.${name}`)), svg), go };
}
