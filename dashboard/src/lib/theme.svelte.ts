// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system is, or as chosen, which is remembered.

export type Choice = "system" | "light" | "dark";

const KEY = "fixaccel.theme";
const NEXT: Record<Choice, Choice> = { system: "light", light: "dark", dark: "system" };

class Theme {
  choice = $state<Choice>("system");
  dark = $state(false);
  /** Counts changes: charts read their colours anew. */
  changes = $state(0);

  start(): void {
    const kept = localStorage.getItem(KEY);
    if (kept === "light" || kept === "dark") this.choice = kept;
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => this.#show(system.matches));
    this.#show(system.matches);
  }

  next(): void {
    this.choice = NEXT[this.choice];
    if (this.choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, this.choice);
    this.#show(matchMedia("(prefers-color-scheme: dark)").matches);
  }

  #show(systemIsDark: boolean): void {
    this.dark = this.choice === "system" ? systemIsDark : this.choice === "dark";
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changes += 1;
  }
}

export const theme = new Theme();

/** The value of a token, for what is drawn on a canvas. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
