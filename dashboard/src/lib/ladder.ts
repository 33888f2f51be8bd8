// SPDX-License-Identifier: Apache-2.0
// The rows of a price ladder, highest price first.

import type { Book } from "../protocol";
import { add, parse, quotient, times, write, written, type Decimal } from "./decimal";

export interface LadderRow {
  price: string;
  bid: string; // size, empty where nobody bids
  ask: string;
  orders: number;
  bidShare: number; // of the largest size in the ladder, 0 to 1
  askShare: number;
  isLast: boolean;
  inside: "bid" | "ask" | ""; // the best of its side
}

/** The price in the middle of the market, a multiple of the tick; null where there is no price at all. */
export function middle(book: Book, tick: string): Decimal | null {
  const step = parse(tick);
  const bid = book.bids[0] && parse(book.bids[0][0]);
  const ask = book.asks[0] && parse(book.asks[0][0]);
  const last = book.last && parse(book.last[0]);
  if (!step || step.units <= 0n) return null;
  if (bid && ask) {
    const ticks = quotient(add(ask, times(bid, -1)), step) / 2n;
    return add(bid, times(step, ticks));
  }
  return bid ?? ask ?? last ?? null;
}

function key(price: Decimal, scale: number): bigint {
  return price.units * 10n ** BigInt(Math.max(0, scale - price.scale));
}

/** Rows of `count` ticks around `centre`, all of them or those alone where something rests or traded last. */
export function ladder(book: Book, tick: string, centre: Decimal | null, count: number, all: boolean): LadderRow[] {
  const step = parse(tick);
  if (!step || step.units <= 0n || !centre) return [];
  const levels = [...book.bids, ...book.asks];
  const scale = Math.max(step.scale, centre.scale, ...levels.map((level) => parse(level[0])?.scale ?? 0));
  const bids = new Map(book.bids.map((level) => [key(parse(level[0]) ?? centre, scale), level]));
  const asks = new Map(book.asks.map((level) => [key(parse(level[0]) ?? centre, scale), level]));
  const last = book.last ? key(parse(book.last[0]) ?? centre, scale) : null;
  const largest = Math.max(1e-9, ...levels.map((level) => Number(level[1])));
  const bestBid = book.bids[0] ? key(parse(book.bids[0][0]) ?? centre, scale) : null;
  const bestAsk = book.asks[0] ? key(parse(book.asks[0][0]) ?? centre, scale) : null;
  const size = key(step, scale);
  const digits = written(tick);

  const prices: bigint[] = [];
  if (all) {
    const top = key(centre, scale) + size * BigInt(Math.floor(count / 2));
    for (let row = 0; row < count; row += 1) prices.push(top - size * BigInt(row));
  } else {
    const occupied = new Set([...bids.keys(), ...asks.keys(), ...(last === null ? [] : [last])]);
    const sorted = [...occupied].sort((one, other) => (one > other ? -1 : one < other ? 1 : 0));
    const at = sorted.findIndex((price) => price <= key(centre, scale));
    const from = Math.max(0, Math.min(sorted.length - count, (at < 0 ? sorted.length : at) - Math.floor(count / 2)));
    prices.push(...sorted.slice(from, from + count));
  }
  return prices.map((price) => {
    const bid = bids.get(price);
    const ask = asks.get(price);
    return {
      price: write(shown(price, scale, digits)),
      bid: bid?.[1] ?? "",
      ask: ask?.[1] ?? "",
      orders: (bid?.[2] ?? 0) + (ask?.[2] ?? 0),
      bidShare: bid ? Number(bid[1]) / largest : 0,
      askShare: ask ? Number(ask[1]) / largest : 0,
      isLast: price === last,
      inside: price === bestBid ? "bid" : price === bestAsk ? "ask" : "",
    };
  });
}

function shown(units: bigint, scale: number, digits: number): Decimal {
  let value = { units, scale };
  while (value.scale > digits && value.units % 10n === 0n) value = { units: value.units / 10n, scale: value.scale - 1 };
  return value;
}

/** Whether the market has moved so far from `centre` that the ladder should follow it. */
export function strays(book: Book, tick: string, centre: Decimal | null, count: number): boolean {
  const step = parse(tick);
  const now = middle(book, tick);
  if (!now || !step || step.units <= 0n) return false;
  if (!centre) return true;
  const ticks = quotient(add(now, times(centre, -1)), step);
  return (ticks < 0n ? -ticks : ticks) > BigInt(Math.floor(count / 4));
}
