// @ts-check
/** The page for an address that leads nowhere. */
import { fill, logo, make, the } from "./dom.js";
import { start } from "./start.js";
import { say } from "./words.js";

void start(async () => {
  const [, kind = ""] = location.pathname.split("/");
  const words = ["t", "m", "rules"].includes(kind) ? say(`sorry.${kind}`) : say("sorry.page");
  document.title = `${say("sorry.nothing")} · Sandtable`;
  fill(the("sorry"), logo(38), make("h1", {}, words), ["t", "m"].includes(kind) ? make("p", {}, say("sorry.what")) : null, make("p", {}, make("a.act", { href: "/" }, say("sorry.lobby"))), make("p.note", {}, say("sorry.code", { code: `404 ${location.pathname}` })));
});
