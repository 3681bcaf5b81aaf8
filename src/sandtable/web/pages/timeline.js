// @ts-check
/** The course of a match along one line: turns, captures, equal dice, where one is. A slider lies over it for hand and keys. */
import { ink } from "../board/ink.js";
import { make } from "./dom.js";
import { say } from "./words.js";

const [LEFT, RIGHT, BASE] = [10, 10, 44];
const CLOSE = 5; // pixels between two ticks below which the small ones go
const FEW = 12; // turns, each of which has a label
const LABELS = 90; // pixels a turn's label needs

export class Timeline {
  /** @param {import("./course.js").Course} course @param {(ply: number) => void} onGo */
  constructor(course, onGo) {
    this.course = course;
    this.ground = ink("g");
    this.place = ink("g");
    this.svg = ink("svg", { height: 74, "aria-hidden": "true" }, this.ground, this.place);
    const most = course.plies.length;
    this.slider = make("input", { type: "range", min: 0, max: most, step: 1, value: 0, "aria-label": say("timeline"), oninput: () => onGo(Number(this.slider.value)) });
    this.element = make("div.timeline", {}, this.svg, this.slider);
    this.width = 0;
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param {number} ply */
  x(ply) {
    return LEFT + ((this.width - LEFT - RIGHT) * ply) / Math.max(1, this.course.plies.length);
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.width) return;
    const { plies, turns, captures, equals } = this.course;
    this.svg.setAttribute("width", String(this.width));
    const line = (/** @type {number} */ x, /** @type {number} */ half, /** @type {string} */ look) => ink("line", { x1: x, y1: BASE - half, x2: x, y2: BASE + half, class: look });
    const words = (/** @type {string} */ text, /** @type {number} */ x, /** @type {string} */ anchor) => ink("text", { x, y: 70, "text-anchor": anchor, class: "label" }, text);
    const step = (this.width - LEFT - RIGHT) / Math.max(1, plies.length);
    const drawn = [ink("line", { x1: LEFT, y1: BASE, x2: this.width - RIGHT, y2: BASE, class: "line" })];
    if (step >= CLOSE) plies.forEach((_, n) => drawn.push(line(this.x(n + 1), 6, "tick")));
    const each = turns.length > FEW ? 5 : 1;
    let free = LEFT + LABELS;
    drawn.push(words(say("timeline.start"), LEFT, "start"));
    for (const { number, ply } of turns) {
      const x = this.x(ply);
      drawn.push(line(x, number % each === 0 ? 11 : 6, "tick"));
      if (number % each || x < free || x > this.width - LABELS) continue;
      drawn.push(words(say("timeline.turn", { n: number }), x, "middle"));
      free = x + LABELS;
    }
    drawn.push(words(say("timeline.end", { n: turns.at(-1)?.number ?? plies.length }), this.width - RIGHT, "end"));
    for (const ply of captures) drawn.push(cross(this.x(ply), 24));
    for (const ply of equals) drawn.push(small(this.x(ply), 12));
    this.ground.replaceChildren(...drawn);
    this.go(this.course.at);
  }

  /** @param {number} ply */
  go(ply) {
    const x = this.x(ply);
    this.slider.value = String(ply);
    this.slider.setAttribute("aria-valuetext", say("replay.ply", { n: ply, of: this.course.plies.length }));
    this.place.replaceChildren(
      ink("rect", { x: LEFT, y: BASE - 3, width: Math.max(0, x - LEFT), height: 6, class: "done" }),
      ink("path", { d: `M${x - 9} ${BASE - 12}h18v16l-9 10l-9 -10z`, class: "knob" }),
    );
  }
}

/** @param {number} x @param {number} y */
const cross = (x, y) => ink("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, class: "capture" });

/** @param {number} x @param {number} y */
const small = (x, y) =>
  ink("g", { class: "equal" }, ink("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }), ink("circle", { cx: x - 1.6, cy: y - 1.4, r: 1 }), ink("circle", { cx: x + 1.6, cy: y + 1.4, r: 1 }));
