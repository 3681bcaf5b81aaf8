// @ts-check
/** The strip along the top: where am I, who sits here, whose turn, how is the line; also title and icon of the page. */
import { fill, icon, logo, make, the, write } from "./dom.js";
import { token } from "./piece.js";
import { player } from "./text.js";
import { say } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

const TICK = 1000;

export class Strip {
  /** @param {HTMLElement} element @param {Table} table */
  constructor(element, table) {
    this.table = table;
    this.key = "";
    this.mark = make("a.mark", { href: "/" }, logo(26), make("span"));
    this.seats = make("div.seats", { role: "list" });
    this.word = make("span.note.word", { role: "status" });
    this.where = make("span.note.where");
    const tool = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ does) =>
      make("button", { onclick: does, "aria-label": say(name), title: say(name) }, icon(`u-${sign}`));
    this.eye = tool("eye", "tool.danger", () => void table.threaten(!table.danger));
    this.menu = make("div.menu.slip", { hidden: true, role: "group", "aria-label": say("tool.menu") });
    this.flag = tool("flag", "tool.menu", () => this.open(this.menu.hidden));
    this.book = make("a", { target: "_blank", "aria-label": say("tool.rules"), title: say("tool.rules") }, icon("u-book"));
    const tools = [this.eye, tool("turn", "tool.flip", () => table.board.flip()), tool("help", "tool.help", () => table.help.toggle()), this.flag];
    this.title = make("h1.unseen");
    fill(element, this.title, this.mark, this.seats, this.where, this.word, make("div.tools", {}, this.book, ...tools, this.menu));
    document.addEventListener("pointerdown", ({ target }) => target instanceof Node && !this.menu.parentNode.contains(target) && this.open(false));
    setInterval(() => document.visibilityState === "visible" && this.drawSeats(), TICK);
  }

  draw() {
    const { line, scene, seats } = this.table;
    const title = line?.welcome?.title ?? seats.head?.title ?? "";
    for (const name of [this.title, this.mark.lastChild]) write(name, title || "Sandtable");
    if (line?.welcome) this.book.href = `/rules/${line.welcome.game}`;
    this.drawSeats();
    this.drawWord();
    const turn = scene.get("turn")?.number;
    const names = seats.mine.map((seat) => scene.get(`seat/${seat}`)?.name ?? "").join(", ");
    const you = seats.mine.length ? say("strip.you", { side: names }) : line?.welcome ? say("strip.watching") : "";
    write(this.where, [turn ? say("strip.turn", { turn }) : "", you].filter(Boolean).join(" · "));
    this.eye.hidden = !(line?.welcome?.overlays ?? []).length;
    this.eye.setAttribute("aria-pressed", String(this.table.danger));
    this.drawTitle(title);
  }

  drawTitle(/** @type {string} */ title) {
    const { choice, isOver, seats } = this.table;
    const mine = !isOver && choice.canAct && seats.mine.length > 0;
    const state = isOver ? say("title.over") : mine ? say("title.turn") : "";
    document.title = [state, title, "Sandtable"].filter(Boolean).join(" · ");
    const href = `/web/art/${mine ? "icon-turn" : "icon"}.svg`;
    if (the("icon").getAttribute("href") !== href) the("icon").setAttribute("href", href);
  }

  drawSeats() {
    const { line, scene, presence } = this.table;
    const since = (line?.heard ?? 0) && (performance.now() - (line?.heard ?? 0)) / 1000;
    const present = new Map((presence?.seats ?? []).map((/** @type {any} */ seat) => [seat.seat, seat]));
    const shown = scene.entries("seat").map(([n, seat]) => {
      const who = present.get(Number(n));
      const on = scene.get("turn")?.seat === Number(n) || seat.state === "to act";
      const quiet = scene.get("turn")?.seat == null && !["waiting", "to act"].includes(seat.state) ? say(`state.${seat.state}`) : "";
      const away = who && who.kind === "guest" && !who.here && presence.state !== "over" ? say("seat.away", { time: span(who.away_s + since) }) : "";
      return make(
        `span.seat${on ? ".on" : ""}`, { role: "listitem", "data-seat": n, title: seat.name },
        token(seat.side, scene.get("board"), 30), make("span.name", {}, player(who, seat.name)),
        who?.thinking ? icon("u-hourglass", 16) : null,
        away || quiet ? make("span.note", {}, away || quiet) : null,
        make("span.unseen", {}, ` ${seat.name}${on ? `, ${say("seat.on")}` : ""}`),
      );
    });
    const key = shown.map((element) => element.outerHTML).join();
    if (key !== this.key) fill(this.seats, ...shown);
    this.key = key;
  }

  drawWord() {
    const { line } = this.table;
    const word = line?.word ?? "joining";
    this.word.dataset.word = word;
    const lost = ["rejoining", "offline"].includes(word);
    write(this.word, say(`line.${word}`) + (lost && line?.seconds ? `, ${say("time.s", { n: line.seconds })}` : ""));
    write(the("loud"), lost ? say("line.lost") : "");
  }

  /** Draw, give up, leave: few, and each asks once more. @param {boolean} on */
  open(on) {
    const { table } = this;
    this.menu.hidden = !on;
    this.flag.setAttribute("aria-expanded", String(on));
    if (!on) return;
    const item = (/** @type {string} */ name, /** @type {() => void} */ does) =>
      make("button.act.low", { onclick: () => (this.open(false), does()) }, say(name));
    const plays = table.seats.mine.length > 0 && table.presence?.state === "running" && !table.isOver;
    const asks = (/** @type {string} */ name, /** @type {() => void} */ does) =>
      item(`menu.${name}`, () => table.confirm(say(`menu.${name}.ask`), say(`menu.${name}`), does));
    fill(
      this.menu,
      ...(plays ? [asks("draw", () => void table.choice.send("draw")), asks("resign", () => void table.choice.send("resign"))] : []),
      table.seats.mine.length && !table.isOver ? asks("leave", () => void table.seats.leave()) : null,
      make("a.act.low", { href: "/" }, say("menu.lobby")),
    );
    this.menu.querySelector("button, a")?.focus();
  }
}

/** @param {number} seconds */
export const span = (seconds) => (seconds < 60 ? say("time.s", { n: Math.floor(seconds) }) : say("time.min", { n: Math.floor(seconds / 60) }));
