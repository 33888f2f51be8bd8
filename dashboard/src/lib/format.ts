// SPDX-License-Identifier: Apache-2.0
// Numbers and times as the page writes them.

const THOUSANDS = /\B(?=(\d{3})+(?!\d))/g;

/** `12,345.5` of `12345.50`: zeros at the end go, thousands are set apart. */
export function quantity(text: string | number | null | undefined): string {
  if (text === null || text === undefined || text === "") return "";
  const [whole = "", part = ""] = String(text).split(".");
  const rest = part.replace(/0+$/, "");
  return whole.replace(THOUSANDS, ",") + (rest ? `.${rest}` : "");
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Time of day in UTC of nanoseconds since 1970, with `digits` (0, 3 or 6) of the second. */
export function clock(timeNs: number, digits: 0 | 3 | 6 = 3): string {
  const micros = Math.floor(timeNs / 1000);
  const seconds = Math.floor(micros / 1e6);
  const day = ((seconds % 86_400) + 86_400) % 86_400;
  const text = `${two(Math.floor(day / 3600))}:${two(Math.floor(day / 60) % 60)}:${two(day % 60)}`;
  if (digits === 0) return text;
  return `${text}.${String(micros - seconds * 1e6).padStart(6, "0").slice(0, digits)}`;
}

/** A span in the unit that reads best: `344 ns`, `12.5 µs`, `3.1 ms`. */
export function span(ns: number | null | undefined): string {
  if (ns === null || ns === undefined) return "–";
  const units: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
  for (const [size, unit] of units) {
    if (ns >= size) {
      const value = ns / size;
      return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ${unit}`;
    }
  }
  return `${Math.round(ns)} ns`;
}

/** `1.2 k`, `3.4 M`: counts where room is short. */
export function short(count: number): string {
  if (count < 10_000) return quantity(count);
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e5 ? 1 : 0)} k`;
  return `${(count / 1e6).toFixed(count < 1e7 ? 2 : 1)} M`;
}

/** `1.2 kB`, `3.4 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** A word of the protocol as a label: `partially_filled` as `Partially filled`. */
export function label(word: string): string {
  const text = word.replace(/[_-]+/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
