// SPDX-License-Identifier: Apache-2.0
// Which view is open, and which dialog; single keys can be switched off.

export type View = "market" | "sessions" | "messages" | "accelerator";

const KEY = "fixaccel.keys";

class Screen {
  view = $state<View>("market");
  help = $state(false);
  kill = $state(false);
  singleKeys = $state(localStorage.getItem(KEY) !== "off");

  keepSingleKeys(on: boolean): void {
    this.singleKeys = on;
    localStorage.setItem(KEY, on ? "on" : "off");
  }
}

export const screen = new Screen();

/** Puts the focus on the element with this id. */
export function focusOn(id: string): void {
  const element = document.getElementById(id);
  element?.focus();
  if (element instanceof HTMLInputElement) element.select();
}
