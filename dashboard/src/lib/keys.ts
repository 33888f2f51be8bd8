// SPDX-License-Identifier: Apache-2.0
// Keys of the whole page. Single keys act outside of fields alone, and not where they were switched off.

import { focusOn, screen, type View } from "./view.svelte";
import { desk } from "./desk.svelte";
import { theme } from "./theme.svelte";

export const KEYS: [string[], string][] = [
  [["1", "2", "3", "4"], "Market, sessions, messages, accelerator"],
  [["/"], "Search an instrument"],
  [["L"], "To the ladder; arrows move, B buys at the price, S sells, Home centres"],
  [["B"], "Buy: to the quantity"],
  [["S"], "Sell: to the quantity"],
  [["F"], "Filter messages"],
  [["T"], "Colours: system, light, dark"],
  [["Esc"], "Out of a field, so that single keys act again"],
  [["?"], "This help"],
  [["Alt", "Shift", "K"], "Kill switch; type KILL and Enter to confirm"],
];

const VIEWS: Record<string, View> = { "1": "market", "2": "sessions", "3": "messages", "4": "accelerator" };

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement ? !["radio", "checkbox"].includes(target.type)
    : target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

function single(key: string): boolean {
  const view = VIEWS[key];
  if (view && (view !== "accelerator" || desk.accelerator)) screen.view = view;
  else if (key === "/") focusOn("instrument");
  else if (key === "l") focusOn("ladder-rows");
  else if (key === "b" || key === "s") {
    document.getElementById(key === "b" ? "side-buy" : "side-sell")?.click();
    focusOn("entry-qty");
  } else if (key === "f") {
    screen.view = "messages";
    // The view has to be there before its field can have the focus.
    requestAnimationFrame(() => focusOn("message-search"));
  } else if (key === "t") theme.next();
  else if (key === "?") screen.help = true;
  else return false;
  return true;
}

export function onKey(event: KeyboardEvent): void {
  if (event.altKey && event.shiftKey && event.code === "KeyK") {
    if (desk.accelerator) screen.kill = true;
    event.preventDefault();
    return;
  }
  const inDialog = document.querySelector("dialog[open]") !== null;
  if (event.key === "Escape" && !inDialog && isTyping(event.target)) {
    (event.target as HTMLElement).blur();
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || !screen.singleKeys) return;
  if (isTyping(event.target) || inDialog) return;
  if (single(event.key.toLowerCase())) event.preventDefault();
}
