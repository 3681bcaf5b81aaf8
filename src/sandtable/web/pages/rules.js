// @ts-check
/** The rule book of a game, its contents at the left, the numbers of its book at the right: the ones the rules go by. */
import { get, path } from "../net/api.js";
import { fill, logo, make, the } from "./dom.js";
import { markdown, slug } from "./markdown.js";
import { query } from "./preview.js";
import { start } from "./start.js";
import { titled } from "./text.js";
import { say } from "./words.js";

void start(async () => {
  const name = location.pathname.split("/")[2] ?? "";
  const { games } = await get(path("games"));
  const game = games.find((/** @type {any} */ one) => one.name === name);
  const [{ text }, book] = await Promise.all([get(`${path("games", name, "rules")}?lang=en`), numbers(name, "")]);
  document.title = `${say("rules.title", { game: game?.title ?? name })} · Sandtable`;
  fill(the("strip"), make("a.mark", { href: "/" }, logo(26), say("rules.title", { game: game?.title ?? name })), make("span.grow"), make("a.note", { href: "/" }, say("menu.lobby")));
  fill(the("book"), ...markdown(text));
  const headings = [...the("book").querySelectorAll("h2")];
  fill(the("contents"), make("ol", {}, ...headings.map((heading) => make("li", {}, make("a", { href: `#${slug(heading.textContent)}` }, heading.textContent)))));
  draw(game, book, "");
  document.getElementById(location.hash.slice(1))?.scrollIntoView();

  /** @param {any} game @param {any[]} rows @param {string} chosen */
  function draw(game, rows, chosen) {
    const books = game?.books ?? [];
    const change = async (/** @type {any} */ event) => draw(game, await numbers(name, event.target.value), event.target.value);
    const option = (/** @type {any} */ one) => make("option", { value: one.name, selected: one.name === chosen }, titled(one, books));
    fill(
      the("numbers"),
      make(
        "section", {}, make("h2", {}, say("rules.numbers")),
        books.length > 1 ? make("label.field", {}, make("span", {}, say("dialog.book")), make("select", { onchange: change }, ...books.map(option))) : null,
        make("dl", {}, ...rows.flatMap((row) => [make("dt", {}, row.says ?? row.name), make("dd", {}, value(row.value), make("a.note", { href: `#${row.clause}` }, ` ${row.clause ?? ""}`))])),
      ),
    );
  }
});

/** @param {string} game @param {string} book @returns {Promise<any[]>} */
async function numbers(game, book) {
  const told = await get(`${path("games", game, "book")}?${query({ book })}`);
  return told.numbers ?? told;
}

/** A number, a row of them, or a table of them. @param {any} given */
function value(given) {
  if (!Array.isArray(given)) return make("b.num", {}, String(given));
  if (!Array.isArray(given[0])) return make("b.num", {}, given.join(" "));
  return make("table.num", {}, ...given.map((row) => make("tr", {}, ...row.map((/** @type {any} */ cell) => make("td", {}, String(cell))))));
}
