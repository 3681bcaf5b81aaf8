// @ts-check
/** While seats are open: the table's ID, the link for a friend, who is awaited; for a guest, the seat to take. */
import { fill, make } from "./dom.js";
import { player } from "./text.js";
import { say } from "./words.js";

export class Invite {
  /** @param {HTMLElement} element @param {import("./table.js").Table} table */
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.key = "";
    this.copied = false;
  }

  draw() {
    const { presence, seats } = this.table;
    const open = (presence?.seats ?? []).filter((/** @type {any} */ seat) => seat.kind === "open");
    const shown = presence?.state === "open" && open.length > 0;
    this.element.hidden = !shown;
    const key = JSON.stringify([shown, open.map((/** @type {any} */ seat) => this.side(seat)), seats.mine, seats.head, this.copied]);
    if (!shown || key === this.key) return;
    this.key = key;
    if (seats.mine.length) this.host(open);
    else this.guest(open);
  }

  side(/** @type {any} */ seat) {
    return this.table.scene.get(`seat/${seat.seat}`)?.name ?? say("seat.nth", { n: seat.seat + 1 });
  }

  /** Somebody with a seat waits for the others. @param {any[]} open */
  host(open) {
    const { id, seats } = this.table;
    const link = `${location.origin}/t/${id}`;
    const field = make("input.link", { readonly: true, value: link, "aria-label": say("invite.link"), onfocus: () => field.select() });
    const copy = make("button.act.low.tall", { onclick: () => void this.copy(field) }, say(this.copied ? "invite.copied" : "invite.copy"));
    const mine = seats.mine.map((seat) => this.side({ seat })).join(", ");
    const head = seats.head ?? this.table.line?.welcome;
    fill(
      this.element,
      make("p.note", {}, say("invite.id")), make("p.code-large", {}, id),
      make("div.row", {}, field, copy),
      make("p.note", {}, say("invite.wait", { sides: open.map((seat) => this.side(seat)).join(", ") })),
      make("p.note", {}, say("invite.own", { sides: mine })),
      head?.host
        ? make(
            "div.row.wrap", {},
            make("button.act.low", { onclick: () => void this.list(!head.listed) }, say(head.listed ? "invite.unlist" : "invite.list")),
            make("button.act.low", { onclick: () => void this.close() }, say("invite.close")),
          )
        : null,
    );
  }

  /** Somebody came by a link. @param {any[]} open */
  guest(open) {
    const host = this.table.presence.seats.find((/** @type {any} */ seat) => seat.kind === "guest");
    const words = say("invite.guest", { name: player(host, ""), sides: open.map((seat) => this.side(seat)).join(", ") });
    fill(this.element, make("p", {}, words), make("button.act.go.wide", { id: "sit", onclick: () => void this.table.seats.sit() }, say("invite.sit")));
  }

  /** On plain http a browser gives no clipboard: then the link lies selected. @param {HTMLInputElement} field */
  async copy(field) {
    field.focus();
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      this.copied = true;
      this.table.draw();
    } catch {
      document.execCommand?.("copy");
    }
  }

  /** @param {boolean} listed */
  async list(listed) {
    const head = this.table.seats.head ?? this.table.line?.welcome;
    if (await this.table.post("list", { listed })) head.listed = listed;
    this.table.draw();
  }

  async close() {
    if (await this.table.post("close")) location.assign("/");
  }
}
