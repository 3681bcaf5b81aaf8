// @ts-check
/** Sealed dice: the seal published before anyone sat down, the secret opened after, every roll made again from both. */
import { fill, icon, make } from "./dom.js";
import { reason } from "./start.js";
import { canVerify, verify } from "./verify.js";
import { say } from "./words.js";

const SHOWN = 16; // digits of a long number at its front

export class Proof {
  /** @param {HTMLElement} element @param {any} match */
  constructor(element, match) {
    this.element = element;
    this.match = match;
    this.rolls = match.plies.filter((/** @type {any} */ ply) => ply.roll).length;
    /** @type {import("./verify.js").Verdict | null} */ this.verdict = null;
    this.draw();
  }

  draw() {
    const { seal } = this.match;
    if (!seal) return void fill(this.element, make("h2", {}, say("proof.title")), make("p.note", {}, say("proof.none")));
    if (!seal.secret) return void fill(this.element, make("h2", {}, say("proof.title")), this.table([["proof.seal", seal.commitment, ""]]), make("p.note", {}, say("proof.later")));
    const { verdict } = this;
    const good = (/** @type {boolean | undefined} */ is, /** @type {string} */ words) => (verdict ? (is ? `✓ ${say(words)}` : `✕ ${say(`${words}.not`)}`) : "");
    const rows = [
      ["proof.seal", seal.commitment, good(verdict?.sealed, "proof.sealed")],
      ["proof.secret", seal.secret, good(verdict && verdict.sealed ? !verdict.wrong.length : false, "proof.makes")],
      ["proof.seeds", seal.seeds.map((/** @type {string} */ seed) => seed.slice(0, SHOWN) || say("proof.unseeded")).join(", "), good(verdict?.ok, "proof.mixed")],
    ];
    const title = !verdict ? say("proof.ready", { n: this.rolls }) : verdict.ok ? say("proof.ok", { n: verdict.rolls }) : say("proof.bad", { n: verdict.wrong.length, of: verdict.rolls });
    const check = make("button.act.low", { id: "verify", onclick: () => void this.check() }, say(verdict ? "proof.again" : "proof.check"));
    const look = !verdict ? "" : verdict.ok ? ".good" : ".bad";
    fill(
      this.element,
      make(
        "div.row.proof", {}, icon(verdict && !verdict.ok ? "u-cross" : "u-seal", 64, verdict?.ok ? "good" : verdict ? "bad" : ""),
        make(
          "div.grow", {},
          make("div.row.apart", {}, make("div", { role: "status" }, make(`h2${look}`, {}, title)), canVerify() ? check : null),
          this.table(/** @type {[string, string, string][]} */ (rows)),
          verdict && !verdict.sealed ? make("p.bad", {}, say("proof.sealed.not")) : null,
          ...(verdict?.wrong ?? []).slice(0, 5).map((wrong) => make("p.bad", {}, say("proof.row", wrong))),
          canVerify() ? null : make("p.note", {}, say("proof.http"), " ", make("code", {}, `sandtable verify ${this.match.game}-${this.match.id}.txt`)),
        ),
      ),
    );
    return undefined;
  }

  /** @param {[string, string, string][]} rows */
  table(rows) {
    const short = (/** @type {string} */ digits) => (/^[0-9a-f]{40,}$/.test(digits) ? `${(digits.slice(0, SHOWN).match(/.{4}/g) ?? []).join(" ")} … ${digits.slice(-4)}` : digits);
    return make(
      "table.num", {},
      ...rows.map(([name, value, said]) => make("tr", {}, make("th.note", {}, say(name)), make("td", { title: value }, short(value)), make(`td.said${said.startsWith("✕") ? ".bad" : ".good"}`, {}, said))),
    );
  }

  async check() {
    try {
      this.verdict = await verify(this.match.seal, this.match.plies);
    } catch (error) {
      this.element.append(make("p.bad", {}, reason(error)));
      return;
    }
    this.draw();
  }
}
