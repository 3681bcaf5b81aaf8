// @ts-check
/** A slip of paper beside a cell: why something is not possible. */

export class Slip {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.frame = frame;
    this.paper = document.createElement("div");
    this.paper.className = "slip";
    this.paper.setAttribute("role", "status");
    frame.append(this.paper);
    this.say("");
  }

  /** @param {string} sentence none: the slip goes */
  say(sentence) {
    this.paper.textContent = sentence;
    this.paper.hidden = !sentence;
  }

  /** To the right of a place, or to its left where there is no room. @param {{x: number, y: number}} at @param {number} off */
  beside({ x, y }, off) {
    const { clientWidth: width, clientHeight: height } = this.frame;
    const { offsetWidth: w, offsetHeight: h } = this.paper;
    const left = x + off + 6 + w <= width ? x + off + 6 : x - off - 6 - w;
    this.paper.style.left = `${Math.max(4, Math.min(left, width - w - 4))}px`;
    this.paper.style.top = `${Math.max(4, Math.min(y - h / 2, height - h - 4))}px`;
  }
}
