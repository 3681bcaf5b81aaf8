// @ts-check
/** The games as drawn boards: each is the onlooker's scene of a deal, drawn by the board itself. */
import { Board } from "../board/board.js";
import { fill, make } from "./dom.js";
import { piece } from "./piece.js";
import { preview } from "./preview.js";
import { family, say } from "./words.js";

/** @typedef {import("../board/scene.js").Scene} Scene */

/** A board to look at only. @param {Scene} scene @param {HTMLElement} place @param {Board} [board] */
export function still(scene, place, board = new Board(place, { words: family("board") })) {
  place.inert = true;
  place.setAttribute("aria-hidden", "true");
  void board.draw(scene);
  return board;
}

export class Plates {
  /** @param {HTMLElement} element @param {(game: any) => void} onChoose */
  constructor(element, onChoose) {
    this.element = element;
    this.onChoose = onChoose;
    /** @type {Map<string, Scene>} */ this.scenes = new Map();
    /** @type {Map<string, HTMLElement>} */ this.figures = new Map();
    /** @type {Map<string, Board>} */ this.boards = new Map();
    this.strip = make("section.host", { id: "strip" });
  }

  /** @param {any[]} games */
  async show(games) {
    const plates = await Promise.all(games.map(filled));
    games.forEach((game, n) => this.scenes.set(game.name, plates[n].scene));
    const figures = games.map((game) => this.figure(game));
    fill(this.element, make("h1", {}, say("plates.title")), make(`div.boards${games.length === 1 ? ".one" : ""}`, {}, ...figures), this.strip);
    games.forEach((game, n) => this.boards.set(game.name, still(plates[n].scene, /** @type {HTMLElement} */ (figures[n].querySelector(".plate")))));
  }

  /** @param {any} game */
  figure(game) {
    const seats = say("plates.seats", { n: game.seats.length > 1 ? `${game.seats[0]}–${game.seats.at(-1)}` : game.seats[0] });
    const figure = make(
      "figure", { "data-game": game.name, onclick: () => this.figures.size > 1 && this.onChoose(game) },
      make("div.frame-of-plate", {}, make("div.plate")),
      make("figcaption", {}, make("b", {}, game.title), make("span.note.num", {}, seats)),
    );
    this.figures.set(game.name, figure);
    return figure;
  }

  /** Beside a board that is alone there is room for its scenarios; one press chooses one and shows it.
   * @param {any} game @param {string} chosen @param {(scenario: string) => void} onPick */
  list(game, chosen, onPick) {
    if (this.figures.size > 1) return;
    const pick = (/** @type {string} */ name) => async () => {
      onPick(name);
      const scene = await preview(game.name, { scenario: name });
      void this.boards.get(game.name)?.draw(scene);
    };
    const rows = game.scenarios.map((/** @type {any} */ one) =>
      make(`button.scenario${one.name === chosen ? ".on" : ""}`, { "aria-pressed": String(one.name === chosen), "data-scenario": one.name, onclick: pick(one.name) }, make("b", {}, one.title ?? one.name), make("span.note", {}, one.says)),
    );
    this.figures.get(game.name)?.querySelector(".scenarios")?.remove();
    this.figures.get(game.name)?.append(make("div.scenarios", { role: "group", "aria-label": say("dialog.scenario") }, ...rows));
  }

  /** @param {string} game */
  mark(game) {
    for (const [name, figure] of this.figures) figure.classList.toggle("sel", name === game && this.figures.size > 1);
  }

  /** One of the game's own pieces, as its sign in a list. @param {string} game */
  sign(game) {
    const scene = this.scenes.get(game);
    const unit = scene?.keys("unit/").map((key) => scene.get(key)).find((one) => one.kind);
    return unit ? piece({ ...unit, marks: [] }, scene?.get("board"), 34) : make("span");
  }
}

/** The first of its scenarios with pieces on the board fills a game's plate: an empty one shows nobody what it is.
 * @param {any} game @returns {Promise<{scene: Scene, scenario: any}>} */
async function filled(game) {
  let found = null;
  for (const scenario of game.scenarios) {
    const scene = await preview(game.name, { scenario: scenario.name });
    found ??= { scene, scenario };
    if (scene.keys("unit/").length) return { scene, scenario };
  }
  return /** @type {any} */ (found);
}
