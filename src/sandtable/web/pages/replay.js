// @ts-check
/** The page of a match: step both ways, jump, play, share a ply, keep the file, check the dice. */
import { Board } from "../board/board.js";
import { get, path } from "../net/api.js";
import { chart } from "./chart.js";
import { Course } from "./course.js";
import { dice } from "./dice.js";
import { fill, icon, logo, make, the, write } from "./dom.js";
import { Help } from "./help.js";
import { entry, refsOf } from "./log.js";
import { token } from "./piece.js";
import { Proof } from "./proof.js";
import { start } from "./start.js";
import { player } from "./text.js";
import { Timeline } from "./timeline.js";
import { family, say } from "./words.js";

const SPEEDS = [1, 2, 4, 8];
const HOLD = 600; // milliseconds a ply at speed 1

class Replay {
  /** @param {any} match */
  constructor(match) {
    this.match = match;
    this.board = new Board(the("board"), { words: family("board"), onKey: (name, down) => name === "help" && down && this.help.toggle() });
    this.course = new Course(match.scene, match.plies);
    this.timeline = new Timeline(this.course, (ply) => this.go(ply));
    this.playing = 0; // the timer of a playback
    this.speed = 1;
    this.help = new Help(make("section", { id: "help", hidden: true }));
    this.charts = this.course.plots.map((plot) => chart(plot, match.plies.length));
    this.frame();
    document.addEventListener("keydown", (event) => this.key(event), true);
    document.addEventListener("keydown", (event) => this.board.press.key(event));
    addEventListener("hashchange", () => this.go(this.asked()));
    const plays = location.hash === "#play"; // somebody came to watch a table and it was over already
    this.go(this.asked());
    if (plays) this.toggle();
  }

  /** The ply the address names; without one the beginning. */
  asked() {
    return Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? 0);
  }

  frame() {
    const { match } = this;
    document.title = `${say("replay.title", { game: match.title })} · Sandtable`;
    const seats = match.seats.map((/** @type {any} */ seat, /** @type {number} */ n) => {
      const side = match.scene[`seat/${n}`] ?? {};
      const place = match.result?.places?.[n];
      const end = place === undefined ? "" : say(match.result.places.every((/** @type {number} */ one) => one === place) ? "state.drew" : place === 1 ? "state.won" : "state.lost");
      return make("span.seat", { title: side.name }, token(side.side ?? n, match.scene.board, 30), seat.kind === "open" ? side.name : player(seat, side.name), end ? make("span.clock", {}, end) : null);
    });
    fill(
      the("strip"),
      make("h1.unseen", {}, say("replay.title", { game: match.title })),
      make("a.mark", { href: "/" }, logo(26), say("replay.title", { game: match.title })), make("div.seats", {}, ...seats),
      make("span.note", {}, this.result()),
      make("div.tools", {}, make("a", { href: `/rules/${match.game}`, "aria-label": say("tool.rules"), title: say("tool.rules") }, icon("u-book")), this.tool("turn", "tool.flip", () => this.board.flip()), this.tool("help", "tool.help", () => this.help.toggle())),
    );
    the("chart").hidden = !this.charts.length;
    fill(the("chart"), ...this.charts.map(({ element }) => element));
    new Proof(the("dice"), match);
    the("sheet").append(this.help.element);
    this.list();
    this.controls();
  }

  result() {
    const { result, plies } = this.match;
    if (!result) return say("replay.unfinished");
    return result.sentence ?? result.say ?? plies.at(-1)?.log.at(-1)?.text ?? "";
  }

  /** @param {string} sign @param {string} name @param {() => void} does */
  tool(sign, name, does) {
    return make("button", { onclick: does, "aria-label": say(name), title: say(name) }, icon(`u-${sign}`));
  }

  /** Every ply that says something; a press jumps to it. */
  list() {
    const rows = this.match.plies.flatMap((/** @type {any} */ ply, /** @type {number} */ n) =>
      ply.log.map((/** @type {any} */ line) => {
        const row = entry(line, null);
        row.dataset.ply = String(n + 1);
        row.tabIndex = 0;
        return row;
      }),
    );
    const list = the("log");
    fill(list, ...rows);
    list.setAttribute("aria-label", say("log"));
    const press = (/** @type {Event} */ event) => {
      const row = event.target instanceof Element ? event.target.closest("li") : null;
      if (row) this.go(Number(row.dataset.ply));
    };
    list.addEventListener("click", press);
    list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && press(event));
    list.addEventListener("pointerover", (/** @type {Event} */ { target }) => this.board.point(refsOf(target)));
    list.addEventListener("pointerout", () => this.board.point([]));
  }

  controls() {
    const button = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {() => void} */ does) =>
      make("button.act.low.tall", { id, onclick: does, "aria-label": say(`replay.${id}`), title: say(`replay.${id}`) }, icon(`u-${sign}`, 18));
    this.play = make("button.act.go", { id: "play", onclick: () => this.toggle() });
    this.where = make("span.num.where", { role: "status" });
    this.share = make("button.act.low.tall", { id: "share", onclick: () => void this.link() }, icon("u-link", 18), say("replay.share"));
    this.linked = make("input.link", { readonly: true, hidden: true, "aria-label": say("replay.share") });
    const speed = make("select", { "aria-label": say("replay.speed"), onchange: () => (this.speed = Number(speed.value)) }, ...SPEEDS.map((one) => make("option", { value: one }, `× ${one}`)));
    const legend = make("span.note.legend", {}, say("timeline.legend"));
    fill(
      the("bottom"), this.timeline.element,
      make(
        "div.row", {},
        button("first", "back", () => this.go(0)), button("previous", "play", () => this.go(this.course.at - 1)), this.play,
        button("next", "play", () => this.step()), button("last", "step", () => this.go(this.match.plies.length)),
        speed, this.where, legend, make("span.grow"), this.linked, this.share,
        make("button.act.low.tall", { id: "save", onclick: () => this.save() }, say("replay.save")),
      ),
    );
  }

  // ---------------------------------------------------------------- walking

  /** To a ply at once. @param {number} ply */
  go(ply) {
    this.stop();
    this.course.go(ply);
    this.shown();
    void this.board.draw(this.course.scene, undefined, { refs: this.refs() });
  }

  /** One ply on, moving. */
  step() {
    if (this.course.at >= this.match.plies.length) return this.stop();
    const changes = this.course.forward();
    this.shown();
    void this.board.draw(this.course.scene, changes, { speed: this.speed, refs: this.refs() });
    return undefined;
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.course.at >= this.match.plies.length) this.course.go(0);
    const tick = () => {
      this.step();
      if (this.course.at < this.match.plies.length) this.playing = setTimeout(tick, HOLD / this.speed);
      else this.stop();
      this.drawPlay();
    };
    this.playing = setTimeout(tick, 0);
    return this.drawPlay();
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.drawPlay();
  }

  drawPlay() {
    fill(this.play, icon(this.playing ? "u-pause" : "u-play", 16, "on-ink"), say(this.playing ? "replay.pause" : "replay.play"));
  }

  /** Cells the ply shown speaks of. @returns {string[]} */
  refs() {
    for (let ply = this.course.at; ply > 0; ply--) {
      const line = this.match.plies[ply - 1].log.find((/** @type {any} */ one) => one.refs.length);
      if (line) return line.refs;
      if (this.match.plies[ply - 1].seat !== null) return [];
    }
    return [];
  }

  shown() {
    const { at } = this.course;
    const ply = this.match.plies[at - 1];
    const turn = this.course.turnAt(at);
    const words = ply?.log.map((/** @type {any} */ line) => line.text).join(" ") ?? this.course.scene.get("ask")?.text ?? "";
    const faces = ply?.roll?.faces ?? this.course.scene.get("turn")?.dice ?? [];
    const who = turn ? `${say("strip.turn", { turn })}: ` : "";
    fill(the("now"), make("div.row", {}, faces.length ? dice(faces, 34) : null, make("p.line", {}, make("b", {}, who), words || ply?.text || "")));
    write(this.where, say("replay.ply", { n: at, of: this.match.plies.length }));
    this.timeline.go(at);
    for (const { go } of this.charts) go(at);
    for (const old of the("log").querySelectorAll(".new")) old.classList.remove("new");
    const rows = the("log").querySelectorAll(`[data-ply="${at}"]`);
    for (const row of rows) row.classList.add("new");
    const [row, box] = [rows[0], the("log").parentElement];
    if (row && box) box.scrollTop = Math.max(0, row.offsetTop - box.offsetTop - box.clientHeight / 2);
    history.replaceState(null, "", at ? `#${at}` : location.pathname);
  }

  /** Arrows step while nothing else has the focus. @param {KeyboardEvent} event */
  key(event) {
    const free = document.activeElement === document.body || this.play.parentElement?.contains(document.activeElement);
    if (!free || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = new Map([
      ["ArrowRight", () => this.step()], ["ArrowLeft", () => this.go(this.course.at - 1)],
      ["Home", () => this.go(0)], ["End", () => this.go(this.match.plies.length)],
      [" ", () => document.activeElement === document.body && this.toggle()],
    ]).get(event.key);
    if (!does || (event.key === " " && document.activeElement !== document.body)) return;
    event.preventDefault();
    does();
  }

  // ---------------------------------------------------------------- keeping

  async link() {
    this.linked.value = `${location.origin}/m/${this.match.id}${this.course.at ? `#${this.course.at}` : ""}`;
    this.linked.hidden = false;
    this.linked.focus();
    this.linked.select();
    try {
      await navigator.clipboard.writeText(this.linked.value);
      this.share.lastChild.textContent = say("invite.copied");
    } catch {
      // Without a clipboard (plain http) the link lies selected.
    }
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.match.file], { type: "text/plain" }));
    const link = make("a", { href: url, download: `${this.match.game}-${this.match.id}.txt` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

void start(async () => {
  const id = (location.pathname.split("/")[2] ?? "").toUpperCase();
  new Replay(await get(`${path("matches", id)}/replay`));
});

