// @ts-check
/** The first page: boards to choose from, tables to come back to, seats to take. */
import { get, path, post, Refused } from "../net/api.js";
import { fill, logo, make, the } from "./dom.js";
import { Host } from "./host.js";
import { Plates } from "./plates.js";
import { reason, start } from "./start.js";
import { against } from "./text.js";
import { say } from "./words.js";

const LOOK = 4000; // milliseconds between two looks at the list, while the page is seen
const WATCHED = 5; // running tables of others in the list
const SIGNS = /^[2-9A-HJKMNP-TV-Z]{5}(?=$|[?#])/; // an ID as people read it out, or the end of a link

class Lobby {
  constructor() {
    /** @type {any[]} */ this.games = [];
    /** @type {any} */ this.tables = { mine: [], open: [], running: [] };
    this.key = "";
    this.plates = new Plates(the("plates"), (game) => this.choose(game));
    this.host = new Host(this.plates, the("host"));
    this.frame();
  }

  async begin() {
    const [{ games }, tables, me] = await Promise.all([get(path("games")), get(path("tables")), get(path("me"))]);
    this.games = games;
    this.tables = tables;
    this.name.value = me.name ?? "";
    await this.plates.show(games);
    this.choose(games[0]);
    this.draw();
    setInterval(() => document.visibilityState === "visible" && void this.look(), LOOK);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void this.look());
    addEventListener("pageshow", (event) => event.persisted && void this.look()); // came back by the browser's arrow
  }

  /** @param {any} game */
  choose(game) {
    this.host.choose(game);
    this.draw();
  }

  async look() {
    try {
      this.tables = await get(path("tables"));
      if (this.games.some((game) => game.compiled < game.compiles)) {
        this.games = (await get(path("games"))).games;
        this.host.renew(this.games);
      }
      this.draw();
    } catch (error) {
      this.tell(reason(error));
    }
  }

  frame() {
    this.lists = make("div.lists");
    this.code = make("input", { "aria-label": say("join.code"), placeholder: say("join.sample"), maxlength: 80, autocomplete: "off", spellcheck: "false" });
    this.name = make("input", { id: "name", maxlength: 24, autocomplete: "nickname", placeholder: say("me.sample"), onchange: () => void this.call() });
    this.file = make("input.unseen", { type: "file", id: "file", accept: ".txt,text/plain", onchange: () => void this.open() });
    this.notice = make("p.bad", { role: "alert" });
    const join = (/** @type {Event} */ event) => (event.preventDefault(), void this.join(this.code.value));
    this.more = make("p.note.more");
    fill(
      the("side"),
      make("h1.name", {}, logo(38), "Sandtable"), make("p.lead", {}, say("lobby.says")),
      this.notice, this.lists,
      make("h2", {}, say("join")), make("form.code", { onsubmit: join }, this.code, make("button.act", { type: "submit" }, say("join.go"))),
      this.seats = make("div.lists"),
      make("h2", {}, make("label", { for: "name" }, say("me"))), make("div.code", {}, this.name),
      this.more,
    );
  }

  draw() {
    const { mine, open, running } = this.tables;
    const key = JSON.stringify([this.tables, this.games.map((game) => game.name)]);
    if (key === this.key) return;
    this.key = key;
    const others = open.filter((/** @type {any} */ head) => !mine.some((/** @type {any} */ own) => own.id === head.id));
    const live = running.filter((/** @type {any} */ head) => !mine.some((/** @type {any} */ own) => own.id === head.id));
    fill(this.lists, ...list("lobby.mine", mine.map((/** @type {any} */ head) => this.mine(head)), ""));
    fill(
      this.seats,
      ...list("lobby.open", others.map((/** @type {any} */ head) => this.free(head)), say("lobby.none")),
      ...list("lobby.watch", live.slice(0, WATCHED).map((/** @type {any} */ head) => this.running(head)), ""),
    );
    fill(
      this.more,
      ...this.games.map((game) => make("a", { href: `/rules/${game.name}` }, this.games.length > 1 ? say("lobby.rules.of", { game: game.title }) : say("lobby.rules"))),
      make("label.link", { for: "file", tabindex: 0, onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && this.file.click() }, say("lobby.import")), this.file,
    );
  }

  /** @param {any} head */
  title(head) {
    const game = this.games.find((one) => one.name === head.game);
    const scenario = game?.scenarios.find((/** @type {any} */ one) => one.name === head.scenario)?.title ?? head.scenario;
    const number = head.number ? say("lobby.turn", { n: head.number }) : "";
    return make(
      "span", {}, make("b", {}, head.title), `, ${against(head)}`, make("br"),
      make("span.note", {}, [scenario, number].filter(Boolean).join(" · ")),
    );
  }

  /** @param {any} head */
  mine(head) {
    const yours = head.turn === "your turn";
    const state = head.state === "open" ? say("lobby.waiting") : head.state === "over" ? say("lobby.over") : yours ? say("lobby.yours") : head.turn;
    const row = make(
      `li${yours ? ".me" : ""}`, { "data-table": head.id },
      this.plates.sign(head.game), make("a", { href: head.state === "over" ? `/m/${head.id}` : `/t/${head.id}` }, this.title(head)),
      make(`span${yours ? ".accent.strong" : ".note"}`, {}, state),
    );
    if (head.host && head.state === "open") {
      const act = (/** @type {string} */ name, /** @type {string} */ what, /** @type {any} */ body) =>
        make("button.act.low", { onclick: () => void this.post(head.id, what, body) }, say(name));
      row.append(make("div.row.wrap.wide", {}, make("span.note.id", {}, head.id), act(head.listed ? "invite.unlist" : "invite.list", "list", { listed: !head.listed }), act("invite.close", "close", {})));
    }
    return row;
  }

  /** @param {any} head */
  free(head) {
    return make(
      "li", { "data-table": head.id }, this.plates.sign(head.game), this.title(head),
      make("button.act.low", { onclick: () => void this.join(head.id), "aria-label": say("lobby.sit.at", { id: head.id }) }, say("lobby.sit")),
    );
  }

  /** @param {any} head */
  running(head) {
    return make("li", { "data-table": head.id }, this.plates.sign(head.game), this.title(head), make("a.act.low", { href: `/t/${head.id}` }, say("lobby.look")));
  }

  /** @param {string} id @param {string} what @param {any} body */
  async post(id, what, body) {
    try {
      await post(path("tables", id, what), body);
      await this.look();
    } catch (error) {
      this.tell(reason(error));
    }
  }

  /** A seat at a table, by its ID or link; where none is free the page of the table says what can be done.
   * @param {string} text */
  async join(text) {
    const [id] = SIGNS.exec(text.trim().toUpperCase().replace(/^.*\//, "").replace(/[\s-]/g, "")) ?? [];
    if (!id) return this.tell(say("join.bad"));
    try {
      await post(path("tables", id, "join"), { seat: null });
    } catch (error) {
      if (error instanceof Refused && [0, 404, 429].includes(error.status)) return this.tell(reason(error));
    }
    location.assign(`/t/${id}`);
    return undefined;
  }

  async call() {
    try {
      this.name.value = (await post(path("me"), { name: this.name.value })).name ?? this.name.value;
      this.tell("");
    } catch (error) {
      this.tell(reason(error));
    }
  }

  /** A match from a file. */
  async open() {
    const file = this.file.files?.[0];
    if (!file) return;
    try {
      const { id } = await post(path("matches"), { text: await file.text() });
      location.assign(`/m/${id}`);
    } catch (error) {
      this.tell(reason(error));
    }
    this.file.value = "";
  }

  /** @param {string} words */
  tell(words) {
    this.notice.textContent = words;
  }
}

/** @param {string} title @param {Element[]} rows @param {string} empty */
function list(title, rows, empty) {
  if (!rows.length && !empty) return [];
  return [make("h2", {}, say(title)), rows.length ? make("ol.cont", {}, ...rows) : make("p.note", {}, empty)];
}

void start(async () => {
  const lobby = new Lobby();
  await lobby.begin();
});

