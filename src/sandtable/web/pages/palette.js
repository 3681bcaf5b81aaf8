// @ts-check
/** What is still to be placed: drag an entry onto the board, or pick it and then a square. */
import { fill, make } from "./dom.js";
import { piece } from "./piece.js";
import { say } from "./words.js";

export class Palette {
  /** @param {HTMLElement} element @param {import("./table.js").Table} table */
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.key = "";
  }

  draw() {
    const { scene, choice, sheet } = this.table;
    const group = sheet?.group() ?? null;
    const entries = scene.entries("palette").filter(([, entry]) => entry.group === undefined || entry.group === group);
    this.element.hidden = !entries.length;
    const key = JSON.stringify([entries, choice.selected, choice.sources, Boolean(choice.sending)]);
    if (key === this.key) return;
    this.key = key;
    const back = choice.undo > 0 && !choice.sending;
    const held = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    fill(
      this.element,
      make("div.palette", { role: "group", "aria-label": say("palette") }, ...entries.map(([name, entry]) => this.entry(`palette/${name}`, entry))),
      make(
        "div.row", {},
        make("button.act.low", { id: "random", disabled: !Object.keys(choice.sources).some((source) => source.startsWith("palette/")), onclick: () => void choice.scatter() }, say("palette.random")),
        make("button.act.low", { id: "clear", disabled: !back, onclick: () => void this.table.takeBack("turn") }, say("palette.clear")),
      ),
    );
    if (held) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-key="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {string} key @param {any} entry */
  entry(key, entry) {
    const { choice, board, scene } = this.table;
    const on = choice.selected === key;
    const name = entry.name ?? entry.kind;
    const press = () => {
      const next = choice.selected === key ? null : key;
      board.select(next);
      void choice.select(next);
    };
    return make(
      `button.entry${on ? ".on" : ""}`,
      {
        "data-key": key, "aria-pressed": String(on), disabled: !choice.sources[key] || Boolean(choice.sending), title: name, onclick: press,
        onpointerdown: (/** @type {PointerEvent} */ event) => board.press.carryIn(key, event),
      },
      piece(entry, scene.get("board"), 52),
      make("span.num", {}, entry.left === undefined ? "" : `× ${entry.left}`, entry.cost === undefined ? "" : ` ${entry.cost}`),
      make("span.unseen", {}, name),
    );
  }
}
