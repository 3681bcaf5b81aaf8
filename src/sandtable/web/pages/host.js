// @ts-check
/** Hosting: the strip under the boards for a quick table, the dialog for every choice. Both end in one request. */
import { path, post } from "../net/api.js";
import { fill, icon, make } from "./dom.js";
import { Dialog } from "./dialog.js";
import { token } from "./piece.js";
import { reason } from "./start.js";
import { say } from "./words.js";

/** @typedef {{scenario: string, book: string, set: Object<string, any>, seed: string, seats: string[], listed: boolean}} Wish */

export class Host {
  /** @param {import("./plates.js").Plates} plates @param {HTMLDialogElement} dialog */
  constructor(plates, dialog) {
    this.plates = plates;
    this.dialog = new Dialog(dialog, this);
    /** @type {any} */ this.game = null;
    /** @type {Wish} */ this.wish = { scenario: "", book: "", set: {}, seed: "", seats: [], listed: true };
  }

  /** @param {any} game */
  choose(game) {
    this.game = game;
    const foe = game.players.find((/** @type {any} */ one) => one.ready)?.name;
    const others = Array(game.seats[0] - 1).fill(foe ? `machine:${foe}` : "open");
    this.wish = { scenario: game.scenarios[0].name, book: game.books[0].name, set: {}, seed: "", seats: ["me", ...others], listed: true };
    this.plates.mark(game.name);
    this.draw();
  }

  /** Newer news of the games: players that have become ready. @param {any[]} games */
  renew(games) {
    this.game = games.find((game) => game.name === this.game?.name) ?? this.game;
    this.draw();
  }

  draw() {
    const { game, wish } = this;
    const board = this.plates.scenes.get(game.name)?.get("board");
    const scenario = game.scenarios.find((/** @type {any} */ one) => one.name === wish.scenario);
    const choice = (/** @type {string} */ who, /** @type {any} */ words, /** @type {string} */ says, ready = true) =>
      make(
        `button.act.low${wish.seats[1] === who ? ".on" : ""}`,
        { "aria-pressed": String(wish.seats[1] === who), title: says, disabled: !ready, "data-seat": who, onclick: () => this.oppose(who) }, ...[words].flat(),
      );
    fill(
      this.plates.strip,
      make("div.what", {}, make("h2", {}, game.title), this.progress() ?? make("span.note", {}, scenario?.title ?? "")),
      make(
        "div.row.sides", {}, token(0, board, 34), make("span", {}, say("host.you")), make("span.note", {}, say("host.against")), token(1, board, 34),
        make(
          "span.seg", { role: "group", "aria-label": say("host.opponent") },
          ...game.players.map((/** @type {any} */ one) => choice(`machine:${one.name}`, one.title ?? one.name, one.says, one.ready)),
          choice("open", [say("host.friend"), icon("u-link", 16)], say("host.friend.says")),
        ),
      ),
      make("span.grow"), (this.bad = make("span.bad", { role: "alert" })),
      make("button.act.low.tall", { id: "more", onclick: () => this.dialog.open() }, say("host.more")),
      make("button.act.go", { id: "set-up", onclick: () => void this.setUp() }, say("host.go")),
    );
    this.plates.list(game, wish.scenario, (scenario) => {
      this.wish.scenario = scenario;
      this.draw();
    });
    this.plates.strip.setAttribute("aria-label", say("host.label", { game: game.title }));
  }

  /** On a first start the compiler works while people play. */
  progress() {
    const { compiled, compiles } = this.game;
    if (!(compiled < compiles)) return null;
    const rule = make("i");
    rule.style.width = `${Math.round((100 * compiled) / compiles)}%`;
    return make("span.note.progress", { role: "status" }, say("host.progress", { n: compiled, of: compiles }), make("span.rule", {}, rule));
  }

  /** @param {string} who sits in every other seat */
  oppose(who) {
    this.wish.seats = ["me", ...this.wish.seats.slice(1).map(() => who)];
    this.draw();
    /** @type {HTMLElement | null} */ (this.plates.strip.querySelector(".seg .on"))?.focus();
  }

  async setUp() {
    const { game, wish } = this;
    const body = { game: game.name, ...wish, seed: /^\d+$/.test(wish.seed) ? Number(wish.seed) : null };
    try {
      const { id } = await post(path("tables"), body);
      location.assign(`/t/${id}`);
    } catch (error) {
      this.dialog.tell(reason(error));
      this.bad.textContent = reason(error);
    }
  }
}
