// @ts-check
/**
 * Looking at a part of the board. While it moves only a CSS transform changes; at rest the viewBox takes that over, so
 * that lines are sharp again. 1 is the scale at which the board was built.
 */

/** @import {Looks, Size, View} from "./types.js" */

const LARGEST = 160; // pixels of a cell
const REST = 140; // milliseconds after the last wheel turn
const EDGE = 40; // of the room beyond the board that may be looked at
const SLACK = 2; // of rounding

export class Pan {
  /** @param {HTMLElement} frame @param {SVGElement} drawing @param {() => void} onRest */
  constructor(frame, drawing, onRest) {
    this.frame = frame;
    this.drawing = drawing;
    this.onRest = onRest;
    /** @type {View} */
    this.view = { x: 0, y: 0, k: 1 };
    this.drawn = this.view; // what the viewBox shows
    this.board = { width: 1, height: 1, cell: 1 };
    /** @type {Size} */
    this.size = { width: 1, height: 1 };
    this.timer = 0;
  }

  /** @type {Looks["reset"]} */
  reset(board = this.board, size = this.size) {
    this.board = board;
    this.size = size;
    this.view = this.kept({ x: (board.width - size.width) / 2, y: board.height - size.height, k: 1 });
    this.rest();
  }

  /** @type {Looks["kept"]} */
  kept({ x, y, k }) {
    const { board, size } = this;
    const whole = Math.min(size.width / board.width, size.height / board.height, 1);
    k = Math.min(Math.max(k, whole), Math.max(1, LARGEST / board.cell));
    const along = (/** @type {number} */ at, /** @type {number} */ long, /** @type {number} */ seen) =>
      seen >= long - SLACK ? (long - seen) / 2 : Math.min(Math.max(at, -EDGE / k), long - seen + EDGE / k);
    return { x: along(x, board.width, size.width / k), y: along(y, board.height, size.height / k), k };
  }

  /** @type {Looks["toBoard"]} */
  toBoard(x, y) {
    const { left, top } = this.frame.getBoundingClientRect();
    return { x: (x - left) / this.view.k + this.view.x, y: (y - top) / this.view.k + this.view.y };
  }

  /** @type {Looks["toFrame"]} */
  toFrame({ x, y }) {
    return { x: (x - this.view.x) * this.view.k, y: (y - this.view.y) * this.view.k };
  }

  /** @type {Looks["by"]} */
  by(dx, dy) {
    const { x, y, k } = this.view;
    this.to({ x: x + dx / k, y: y + dy / k, k });
  }

  /** @type {Looks["zoom"]} */
  zoom(factor, x = this.size.width / 2, y = this.size.height / 2) {
    const before = this.view;
    const { k } = this.kept({ ...before, k: before.k * factor });
    this.to({ x: before.x + x / before.k - x / k, y: before.y + y / before.k - y / k, k });
  }

  /** @type {Looks["show"]} */
  show(at, room) {
    const { x, y, k } = this.view;
    const into = (/** @type {number} */ edge, /** @type {number} */ place, /** @type {number} */ seen) =>
      Math.min(Math.max(edge, place + room - seen / k), place - room);
    const view = { x: into(x, at.x, this.size.width), y: into(y, at.y, this.size.height), k };
    if (view.x === x && view.y === y) return;
    this.to(view);
    this.rest();
  }

  /** @type {Looks["to"]} */
  to(view) {
    const { drawn } = this;
    const { x, y, k } = (this.view = this.kept(view));
    this.drawing.style.transform = `translate(${(drawn.x - x) * k}px, ${(drawn.y - y) * k}px) scale(${k / drawn.k})`;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), REST);
  }

  rest() {
    clearTimeout(this.timer);
    const { x, y, k } = (this.drawn = this.view);
    this.drawing.style.transform = "";
    this.drawing.setAttribute("viewBox", `${x} ${y} ${this.size.width / k} ${this.size.height / k}`);
    this.onRest();
  }

  /** Whether there is more than is seen. */
  get larger() {
    const { board, size, view } = this;
    return board.width * view.k > size.width + SLACK || board.height * view.k > size.height + SLACK;
  }
}
