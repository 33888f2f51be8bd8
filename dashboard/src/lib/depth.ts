// SPDX-License-Identifier: Apache-2.0
// Cumulated sizes of a book, as a depth chart and its table have them.

import type { Level } from "../protocol";

export interface Depth {
  price: number[]; // rising
  bid: (number | null)[];
  ask: (number | null)[];
}

/** Sizes from the best price outwards, added up; prices rise over both sides. */
export function depth(bids: readonly Level[], asks: readonly Level[]): Depth {
  const found: Depth = { price: [], bid: [], ask: [] };
  const sums = (levels: readonly Level[]): [number, number][] => {
    let sum = 0;
    return levels.map((level) => [Number(level[0]), (sum += Number(level[1]))]);
  };
  for (const [price, size] of sums(bids).reverse()) {
    found.price.push(price);
    found.bid.push(size);
    found.ask.push(null);
  }
  for (const [price, size] of sums(asks)) {
    // Crossed books are seen while orders are collected: the axis still has to rise.
    if (price <= (found.price.at(-1) ?? -Infinity)) continue;
    found.price.push(price);
    found.bid.push(null);
    found.ask.push(size);
  }
  return found;
}

/** What share of all that rests is bid, in percent; null where nothing rests. */
export function imbalance(bids: readonly Level[], asks: readonly Level[]): number | null {
  const bid = bids.reduce((sum, level) => sum + Number(level[1]), 0);
  const ask = asks.reduce((sum, level) => sum + Number(level[1]), 0);
  return bid + ask === 0 ? null : Math.round((100 * bid) / (bid + ask));
}
