// @ts-check
/** How it ended, and what comes next: once more with sides moved on, or looking back. */
import { fill, make } from "./dom.js";
import { say } from "./words.js";

export class Ending {
  /** @param {HTMLElement} element @param {import("./table.js").Table} table */
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.key = "";
  }

  draw() {
    const { isOver, story, presence, seats, id, scene } = this.table;
    const shown = isOver && !story.playing;
    this.element.hidden = !shown;
    const rematch = presence?.rematch ?? null;
    const results = scene.entries("seat").map(([, seat]) => `${seat.name}: ${say(`state.${seat.state}`)}`);
    const key = JSON.stringify([shown, rematch, seats.mine, results]);
    if (!shown || key === this.key) return;
    this.key = key;
    const again = rematch
      ? make("a.act.go.wide", { id: "rematch", href: `/t/${rematch}` }, say("ending.follow"))
      : make("button.act.go.wide", { id: "rematch", onclick: () => void this.again() }, say("ending.again"));
    fill(
      this.element,
      make("p.note", {}, results.join(" · ")),
      seats.mine.length ? again : null,
      make("div.row", {}, make("a.act.low.tall.grow", { id: "replay", href: `/m/${id}` }, say("ending.replay")), make("a.act.low.tall.grow", { href: "/" }, say("ending.lobby"))),
    );
  }

  async again() {
    const made = await this.table.post("rematch");
    if (made?.id) location.assign(`/t/${made.id}`);
  }
}
