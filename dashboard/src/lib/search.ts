// SPDX-License-Identifier: Apache-2.0

import type { Instrument } from "../protocol";

/** Instruments whose symbol has `text` in it: those that begin with it first. */
export function matching(instruments: readonly Instrument[], text: string): Instrument[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...instruments];
  const at = (one: Instrument): number => one.symbol.toLowerCase().indexOf(wanted);
  return instruments.filter((one) => at(one) >= 0).sort((one, other) => Number(at(one) > 0) - Number(at(other) > 0));
}
