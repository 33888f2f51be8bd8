// SPDX-License-Identifier: Apache-2.0

import type { Book, Rule } from "../protocol";
import { add, parse, quotient, times } from "./decimal";

/** Ticks that the price a rule watches is away from its threshold, at least 0; null where one of them is unknown. */
export function distance(rule: Rule, book: Book | undefined, tick: string): number | null {
  const step = parse(tick);
  const goal = parse(rule.threshold ?? "");
  const bid = parse(book?.bids[0]?.[0] ?? "");
  const ask = parse(book?.asks[0]?.[0] ?? "");
  const last = parse(book?.last?.[0] ?? "");
  const prices: Record<string, typeof last> = { bid, ask, last };
  const now = prices[rule.source ?? "last"] ?? null;
  if (!step || step.units <= 0n || !goal || !now) return null;
  const ticks = Number(quotient(add(goal, times(now, -1)), step));
  return rule.direction === "up" ? Math.max(0, ticks) : rule.direction === "down" ? Math.max(0, -ticks) : Math.abs(ticks);
}
