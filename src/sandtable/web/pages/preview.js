// @ts-check
/** A deal nobody has made yet, as an onlooker would see it. */
import { Scene } from "../board/scene.js";
import { get, path } from "../net/api.js";

/** @param {Object<string, string | number | null | undefined>} asked */
export function query(asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** The onlooker's scene of what would be dealt. @param {string} game @param {Object<string, any>} asked @returns {Promise<Scene>} */
export const preview = async (game, asked) => new Scene((await get(`${path("games", game, "preview")}?${query(asked)}`)).scene);
