// @ts-check
/**
 * Square geometry: row 1 at the bottom, turned by half a turn when the other side sits below.
 *
 *   x → left to right, y ↓ down, in pixels of the whole board at rest; a cell's place is its middle
 */
import { ink, path, round, text } from "./ink.js";

/** @import {Geometry as G} from "./types.js" */

const ROOM = 26; // of paper around the field, for coordinates
const BARE = 6; // without them
const TINY = 20; // pixels of a cell that has them
const TEXT = 13;
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** @type {G["fit"]} */
export function fit(board, width, height) {
  const within = (/** @type {number} */ margin) =>
    Math.min((width - 2 * margin) / board.columns, (height - 2 * margin) / board.rows);
  return within(ROOM) >= TINY ? within(ROOM) : within(BARE);
}

/** @type {G["build"]} */
export function build(board, size, turned) {
  const [columns, rows] = [[...board.column_names], [...board.row_names].reverse()];
  if (turned) [columns, rows].forEach((names) => names.reverse());
  const margin = size >= TINY ? ROOM : BARE;
  const at = (/** @type {number} */ n) => margin + size * (n + 0.5);
  const lines = rows.map((line, row) =>
    columns.map((name, column) => ({ name: name + line, x: at(column), y: at(row), column, row })),
  );
  const dotted = (board.dotted ?? []).map((/** @type {number} */ row) => (turned ? row : board.rows - row));
  return { size, margin, columns, rows, dotted, lines, cells: new Map(lines.flat().map((cell) => [cell.name, cell])) };
}

/** @type {G["place"]} */
export const place = (field, name) => field.cells.get(name);

/** @type {G["bounds"]} */
export const bounds = ({ size, margin, columns, rows }) => {
  return { width: columns.length * size + 2 * margin, height: rows.length * size + 2 * margin };
};

/** @type {G["cellAt"]} */
export const cellAt = ({ size, margin, lines }, x, y) =>
  lines[Math.floor((y - margin) / size)]?.[Math.floor((x - margin) / size)];

/** @type {G["neighbour"]} */
export const neighbour = ({ lines }, { column, row }, direction) =>
  lines[row + STEPS[direction][1]]?.[column + STEPS[direction][0]];

/** @type {G["steps"]} */
export const steps = (from, to) => Math.max(Math.abs(to.column - from.column), Math.abs(to.row - from.row));

/** @type {G["outline"]} */
export function outline({ size }, { x, y }, inside) {
  const long = round(size - 2 * inside);
  return `M${round(x - long / 2)} ${round(y - long / 2)}h${long}v${long}h${-long}z`;
}

/** @type {G["corners"]} */
export function corners({ size }, { x, y }, inside, arm) {
  const h = size / 2 - inside;
  return [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    .map(([i, j]) => `M${round(x + i * h)} ${round(y + j * (h - arm))}V${round(y + j * h)}H${round(x + i * (h - arm))}`)
    .join("");
}

/** @type {G["lozenge"]} */
export function lozenge({ size }, { x, y }) {
  const r = round(Math.max(4, size * 0.07));
  return `M${round(x - size / 2 + 2)} ${round(y - size / 2 + 2 + r)}l${r} ${-r}l${r} ${r}l${-r} ${r}z`;
}

/** @type {G["ground"]} */
export function ground({ size, lines }, row, labels) {
  const line = ink("g", { role: "row", "aria-rowindex": row + 1 });
  const blank = ink("rect", { role: "gridcell", tabindex: -1, width: round(size), height: round(size) });
  lines[row].forEach(({ x, y, name, column }) => {
    const cell = /** @type {Element} */ (blank.cloneNode());
    cell.setAttribute("x", String(round(x - size / 2)));
    cell.setAttribute("y", String(round(y - size / 2)));
    cell.setAttribute("class", (row + column) % 2 ? "cell dark" : "cell");
    cell.setAttribute("data-cell", name);
    cell.setAttribute("aria-colindex", String(column + 1));
    cell.setAttribute("aria-label", labels[column]);
    line.append(cell);
  });
  return line;
}

/** @type {G["frame"]} */
export function frame(field) {
  const { size, margin, columns, rows, dotted } = field;
  const { width, height } = bounds(field);
  const rect = (/** @type {number} */ edge, /** @type {string} */ look) =>
    ink("rect", { x: edge, y: edge, width: round(width - 2 * edge), height: round(height - 2 * edge), class: look });
  const over = dotted.map((row) => path(`M${margin} ${round(margin + row * size)}H${round(width - margin)}`, "dotted"));
  if (margin === ROOM) {
    const edge = margin / 2 - 1;
    for (const far of [0, 1]) {
      columns.forEach((name, n) => over.push(text(name, margin + (n + 0.5) * size, far ? height - edge : edge, TEXT, "coordinate")));
      rows.forEach((name, n) => over.push(text(name, far ? width - edge : edge, margin + (n + 0.5) * size, TEXT, "coordinate")));
    }
  }
  return { under: [rect(0.75, "sheet-of-board"), rect(margin - 4, "frame")], over };
}
