// @ts-check
/** What every page does first: its words, the signs, and a sentence where something went wrong. */
import { loadSigns } from "../board/signs.js";
import { Refused } from "../net/api.js";
import { fill, make } from "./dom.js";
import { loadWords, say } from "./words.js";

/** @param {() => Promise<void>} page */
export async function start(page) {
  try {
    await Promise.all([loadWords(), loadSigns().catch(() => {})]);
    await page();
    document.documentElement.dataset.ready = "yes"; // the tests wait for it
  } catch (error) {
    sorry(error);
  }
}

/** The page that failed: paper, the sentence, what to do, a code to quote. @param {any} error */
export function sorry(error) {
  if (!(error instanceof Refused)) console.error(error);
  const told = reason(error);
  const code = error instanceof Refused ? error.code || String(error.status) : String(error?.message ?? error);
  fill(
    document.body,
    make(
      "main.plain", {},
      make("h1", {}, say("sorry.title")),
      make("p", {}, told),
      make("p", {}, make("a", { href: "/" }, say("sorry.lobby")), " ", make("a", { href: location.href }, say("sorry.again"))),
      make("p.note", {}, say("sorry.code", { code })),
    ),
  );
}

/** A sentence for anything that was refused or broke. @param {any} error */
export function reason(error) {
  if (!(error instanceof Refused)) return say("failed.page");
  if (error.message) return error.clause ? `${error.message} ${error.clause}.` : error.message;
  return error.status === 0 ? say("failed.offline") : say("failed.server");
}
