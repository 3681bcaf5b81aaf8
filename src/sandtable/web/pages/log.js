// @ts-check
/** The log: a ruled list, newest last. Equal lines fold into one; to point at a line lights up what it speaks of. */
import { dice } from "./dice.js";
import { fill, make } from "./dom.js";
import { say } from "./words.js";

const KEPT = 400; // lines in the page
const NEAR = 40; // pixels from the end that still count as the end

export class Log {
  /** @param {HTMLElement} list @param {import("../board/board.js").Board} board */
  constructor(list, board) {
    this.list = list;
    this.board = board;
    this.last = "";
    this.times = 1;
    this.stuck = true; // to the newest line, unless somebody scrolled up to read
    list.setAttribute("aria-label", say("log"));
    list.addEventListener("scroll", () => (this.stuck = list.scrollTop + list.clientHeight > list.scrollHeight - NEAR));
    new ResizeObserver(() => this.stuck && this.end()).observe(list);
    for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      list.addEventListener(on, ({ target }) => board.point(refsOf(target)));
      list.addEventListener(off, () => board.point([]));
    }
  }

  /** @param {any[]} lines @param {number | null} seat whose eyes these are */
  replace(lines, seat) {
    fill(this.list);
    this.last = "";
    this.add(lines, seat, false);
  }

  /** @param {any[]} lines @param {number | null} seat @param {boolean} [fresh] */
  add(lines, seat, fresh = true) {
    if (fresh && lines.length) for (const old of this.list.querySelectorAll(".new")) old.classList.remove("new");
    for (const line of lines) this.put(line, seat, fresh);
    while (this.list.children.length > KEPT) this.list.firstElementChild?.remove();
    this.end();
  }

  end() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {any} line @param {number | null} seat @param {boolean} fresh */
  put(line, seat, fresh) {
    const key = `${line.who}/${line.text}`;
    if (key === this.last && !line.faces.length && this.list.lastElementChild) {
      this.times++;
      const folded = this.list.lastElementChild.querySelector(".times");
      if (folded) folded.textContent = ` × ${this.times}`;
      return;
    }
    [this.last, this.times] = [key, 1];
    this.list.append(entry(line, seat, fresh));
  }
}

/** One line of what happened. @param {any} line @param {number | null} seat @param {boolean} [fresh] */
export function entry(line, seat, fresh = false) {
  const look = [fresh ? "new" : "", line.name === "turn" ? "turn" : "", line.who === seat && seat !== null ? "own" : ""].filter(Boolean);
  const at = { "data-refs": line.refs.length ? line.refs.join(" ") : null, tabindex: line.refs.length ? 0 : null, "data-who": line.who };
  return make(
    ["li", ...look].join("."), at, make("span.n", {}, line.clause ?? ""),
    make("span", {}, line.text, make("span.times.num")), line.faces.length ? dice(line.faces, 18) : null,
  );
}

/** @param {EventTarget | null} target @returns {string[]} */
export const refsOf = (target) =>
  (target instanceof Element ? (target.closest("[data-refs]")?.getAttribute("data-refs") ?? "") : "").split(" ").filter(Boolean);
