// @ts-check
/** The key table, laid over the sheet, never over the board. */
import { KEYS } from "../board/keys.js";
import { fill, make } from "./dom.js";
import { say } from "./words.js";

/** @type {Map<string, string>} */
const SHOWN = new Map([["ArrowLeft", "←"], ["ArrowRight", "→"], ["ArrowUp", "↑"], ["ArrowDown", "↓"], [" ", "Space"], ["Escape", "Esc"]]);

export class Help {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Element | null} */
    this.before = null;
  }

  get open() {
    return !this.element.hidden;
  }

  toggle() {
    if (this.open) {
      this.element.hidden = true;
      if (this.before instanceof HTMLElement || this.before instanceof SVGElement) this.before.focus();
      return;
    }
    this.before = document.activeElement;
    const rows = KEYS.map(({ keys, says }) =>
      make("tr", {}, make("td", {}, ...keys.map((key) => make("kbd", {}, SHOWN.get(key) ?? (key.length === 1 ? key.toUpperCase() : key)))), make("td", {}, says)),
    );
    const close = make("button.act.low", { onclick: () => this.toggle() }, say("help.close"));
    fill(this.element, make("div.row.apart", {}, make("h2", {}, say("help.title")), close), make("table.note", {}, ...rows));
    this.element.hidden = false;
    close.focus();
  }
}
