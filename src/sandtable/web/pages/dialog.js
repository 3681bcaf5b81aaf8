// @ts-check
/** Every choice of hosting: scenario, book, the offered numbers, who sits where. All of it comes from the game's data. */
import { fill, make } from "./dom.js";
import { still } from "./plates.js";
import { preview } from "./preview.js";
import { reason } from "./start.js";
import { titled } from "./text.js";
import { say } from "./words.js";

const SOON = 250; // milliseconds after the last change the preview is drawn

export class Dialog {
  /** @param {HTMLDialogElement} element @param {import("./host.js").Host} host */
  constructor(element, host) {
    this.element = element;
    this.host = host;
    this.due = 0;
    this.asked = 0;
  }

  open() {
    const { game } = this.host;
    this.plate = make("div.plate");
    /** @type {any} */ this.board = undefined;
    this.bad = make("p.bad", { role: "alert" });
    this.form = make("form", { method: "dialog", oninput: () => this.changed() });
    this.fields();
    fill(
      this.element,
      make("div.row.apart", {}, make("h2", {}, say("dialog.title", { game: game.title })), make("button.act.low", { onclick: () => this.element.close() }, say("dialog.close"))),
      make("div.columns", {}, this.form, make("div.look", {}, this.plate, make("p.note", {}, say("dialog.look")))),
      this.bad,
      make("div.row.end", {}, make("button.act.go", { id: "dialog-set-up", onclick: () => void this.host.setUp() }, say("host.go"))),
    );
    this.element.setAttribute("aria-label", say("dialog.title", { game: game.title }));
    this.element.showModal();
    void this.look();
  }

  fields() {
    const { game, wish } = this.host;
    const choices = (/** @type {string} */ name, /** @type {any[]} */ all, /** @type {string} */ now) =>
      make(
        "fieldset", {}, make("legend", {}, say(`dialog.${name}`)),
        ...all.map((one) => make("label.choice", {}, make("input", { type: "radio", name, value: one.name, checked: one.name === now }), make("span", {}, make("b", {}, titled(one, all)), make("span.note", {}, ` ${one.says ?? ""}`)))),
      );
    fill(
      this.form,
      choices("scenario", game.scenarios, wish.scenario), game.books.length > 1 ? choices("book", game.books, wish.book) : null,
      game.numbers.length ? make("fieldset", {}, make("legend", {}, say("dialog.numbers")), ...game.numbers.map((/** @type {any} */ one) => this.number(one))) : null,
      make("fieldset", { id: "seats" }, make("legend", {}, say("dialog.seats")), game.seats.length > 1 ? this.count() : null, ...wish.seats.map((who, n) => this.seat(n, who))),
      make("label.field", {}, make("span", {}, say("dialog.seed")), make("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, value: wish.seed, placeholder: say("dialog.seed.any") })),
      make("label.choice", {}, make("input", { type: "checkbox", name: "listed", checked: wish.listed }), make("span", {}, say("dialog.listed"))),
    );
  }

  /** A number of the book, as far as it is offered; one of 0 and 1 is a yes or no. @param {any} one */
  number(one) {
    const value = this.host.wish.set[one.name] ?? one.value;
    const name = `set.${one.name}`;
    const words = make("span", {}, one.says.replace(/^1: /, ""), make("span.note", {}, ` ${one.clause}`));
    if (one.least === 0 && one.most === 1) return make("label.choice", {}, make("input", { type: "checkbox", name, checked: Boolean(value) }), words);
    return make("label.field", {}, words, make("input", { type: "number", name, min: one.least, max: one.most, step: 1, value }));
  }

  count() {
    const { game, wish } = this.host;
    const option = (/** @type {number} */ n) => make("option", { value: n, selected: n === wish.seats.length }, String(n));
    return make("label.field", {}, make("span", {}, say("dialog.count")), make("select", { name: "count" }, ...game.seats.map(option)));
  }

  /** @param {number} n @param {string} who */
  seat(n, who) {
    const { game, plates } = this.host;
    const side = plates.scenes.get(game.name)?.get(`seat/${n}`)?.name ?? say("seat.nth", { n: n + 1 });
    const option = (/** @type {string} */ value, /** @type {string} */ words, off = false) => make("option", { value, selected: value === who, disabled: off }, words);
    const players = game.players.map((/** @type {any} */ one) => option(`machine:${one.name}`, say("dialog.machine", { name: one.title ?? one.name, says: one.says }), !one.ready));
    return make("label.field", {}, make("span", {}, side), make("select", { name: `seat.${n}` }, option("me", say("dialog.me")), option("open", say("dialog.open")), ...players));
  }

  changed() {
    const { game, wish } = this.host;
    const given = new FormData(this.form);
    const text = (/** @type {string} */ name) => String(given.get(name) ?? "");
    wish.scenario = text("scenario");
    wish.book = text("book") || wish.book;
    wish.seed = text("seed");
    wish.listed = given.has("listed");
    const count = Number(text("count")) || wish.seats.length;
    const before = wish.seats.length;
    wish.seats = Array.from({ length: count }, (_, n) => (n < before ? text(`seat.${n}`) : "open"));
    wish.set = {};
    for (const { name, value, least, most } of game.numbers) {
      const now = least === 0 && most === 1 ? Number(given.has(`set.${name}`)) : Number(text(`set.${name}`));
      if (now !== value) wish.set[name] = now;
    }
    if (count !== before) this.fields();
    this.host.draw();
    clearTimeout(this.due);
    this.due = setTimeout(() => void this.look(), SOON);
  }

  async look() {
    const { game, wish } = this.host;
    const asked = ++this.asked;
    const set = Object.fromEntries(Object.entries(wish.set).map(([name, value]) => [`set.${name}`, value]));
    try {
      const scene = await preview(game.name, { scenario: wish.scenario, book: wish.book, seed: wish.seed, ...set });
      if (asked !== this.asked) return;
      this.board = still(scene, /** @type {HTMLElement} */ (this.plate), this.board);
      this.tell("");
    } catch (error) {
      if (asked === this.asked) this.tell(reason(error));
    }
  }

  /** @param {string} words */
  tell(words) {
    if (this.bad) this.bad.textContent = words;
  }
}
