// @ts-check
/**
 * Mouse, pen, finger. A press on what can act drags it, a press elsewhere moves the board; two fingers zoom. All acts when
 * the pointer is lifted: sliding off undoes a press (WCAG 2.5.2). Whatever is dragged can be clicked as well (2.5.7).
 */

/** @import {Hands, Place} from "./types.js" */

const [STIR, STIR_TOUCH] = [5, 10]; // pixels a press may tremble
const WHEEL = 0.0015; // per pixel turned
const LINE = 20; // pixels of a wheel's line

/** @param {HTMLElement} frame @param {Hands} hands */
export function listen(frame, hands) {
  /** @type {Map<number, Place>} fingers down */
  const down = new Map();
  /** @type {{x: number, y: number, touch: boolean, does: "" | "drag" | "pan" | "zoom"} | null} */
  let press = null;

  /** @param {PointerEvent} event */
  function begin({ button, target, pointerId, pointerType, clientX: x, clientY: y }) {
    if (button !== 0 || (target instanceof Element && target.closest(".slip"))) return;
    frame.setPointerCapture(pointerId);
    down.set(pointerId, { x, y });
    if (down.size === 1) press = { x, y, touch: pointerType === "touch", does: "" };
    else if (press) {
      if (press.does === "drag") hands.letGo();
      press.does = "zoom";
    }
  }

  /** @param {PointerEvent} event */
  function move({ pointerId, pointerType, clientX: x, clientY: y }) {
    const last = down.get(pointerId);
    if (!press || !last) return pointerType === "touch" ? undefined : hands.hover(x, y);
    if (press.does === "zoom") return pinch(pointerId, x, y);
    if (!press.does && Math.hypot(x - press.x, y - press.y) > (press.touch ? STIR_TOUCH : STIR)) {
      press.does = hands.grab(press.x, press.y) ? "drag" : "pan";
    }
    if (press.does === "drag") hands.carry(x, y);
    if (press.does === "pan") hands.pan(last.x - x, last.y - y);
    down.set(pointerId, { x, y });
  }

  /** @param {number} finger @param {number} x @param {number} y */
  function pinch(finger, x, y) {
    const [other] = [...down].filter(([id]) => id !== finger).map(([, at]) => at);
    const before = down.get(finger);
    down.set(finger, { x, y });
    if (!other || !before) return;
    const [was, is] = [before, { x, y }].map((at) => Math.hypot(at.x - other.x, at.y - other.y));
    if (was > 0) hands.zoom(is / was, (x + other.x) / 2, (y + other.y) / 2);
  }

  /** @param {PointerEvent} event */
  function end(event) {
    if (!down.delete(event.pointerId) || down.size || !press) return;
    const { does, touch } = press;
    press = null;
    if (event.type === "pointercancel") does === "drag" && hands.letGo();
    else if (does === "drag") hands.drop(event.clientX, event.clientY);
    else if (does === "") hands.click(event.clientX, event.clientY, touch);
    if (does === "pan" || does === "zoom") hands.rest();
  }

  frame.addEventListener("pointerdown", begin);
  frame.addEventListener("pointermove", move);
  frame.addEventListener("pointerup", end);
  frame.addEventListener("pointercancel", end);
  frame.addEventListener("pointerleave", () => press ?? hands.leave());
  frame.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (press?.does === "drag") hands.letGo();
    if (press?.touch) hands.inspect(event.clientX, event.clientY); // a long press
    else hands.back();
    press = null;
    down.clear();
  });
  const turned = (/** @type {WheelEvent} */ event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    hands.zoom(Math.exp(-pixels * WHEEL), event.clientX, event.clientY);
  };
  frame.addEventListener("wheel", turned, { passive: false });
}
