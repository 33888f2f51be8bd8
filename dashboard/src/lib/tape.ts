// SPDX-License-Identifier: Apache-2.0
// The last trades, all together and of each instrument, and quotes as they moved, for charts.

import type { Book, Trade } from "../protocol";

const LAST = 500; // trades of the tape
const POINTS = 4000; // of a chart

/** What a chart of one instrument is drawn from: times in seconds, prices as numbers, null where there is none. */
export interface Series {
  time: number[];
  bid: (number | null)[];
  ask: (number | null)[];
  last: (number | null)[];
}

export class Tape {
  #trades: Trade[] = [];
  #first = new Map<string, string>(); // price of the first trade seen, by symbol
  #volume = new Map<string, number>();
  #series = new Map<string, Series>();

  /** What a new connection tells first: the tape begins anew, a chart that has begun goes on. */
  restart(trades: readonly Trade[]): void {
    this.#trades = [];
    this.#first.clear();
    this.#volume.clear();
    const begun = new Set(this.#series.keys());
    this.add(trades, (trade) => (begun.has(trade.symbol) ? null : trade.time_ns / 1e9));
  }

  /** `at`: where in time a trade stands in the chart, in seconds; null: nowhere. */
  add(trades: readonly Trade[], at: (trade: Trade) => number | null): void {
    for (const trade of trades) {
      this.#trades.push(trade);
      if (!this.#first.has(trade.symbol)) this.#first.set(trade.symbol, trade.price);
      this.#volume.set(trade.symbol, (this.#volume.get(trade.symbol) ?? 0) + Number(trade.qty));
      const time = at(trade);
      if (time !== null) this.#point(trade.symbol, time, { last: Number(trade.price) });
    }
    if (this.#trades.length > 2 * LAST) this.#trades = this.#trades.slice(-LAST);
  }

  /** A book as it is at `time` (seconds). */
  quote(symbol: string, time: number, book: Book): void {
    const bid = book.bids[0] ? Number(book.bids[0][0]) : null;
    const ask = book.asks[0] ? Number(book.asks[0][0]) : null;
    const last = book.last ? Number(book.last[0]) : undefined;
    this.#point(symbol, time, last === undefined ? { bid, ask } : { bid, ask, last });
  }

  #point(symbol: string, time: number, change: { bid?: number | null; ask?: number | null; last?: number }): void {
    const series = this.series(symbol);
    const end = series.time.length - 1;
    const before = series.time[end];
    // A chart wants times that rise.
    const at = before === undefined ? time : Math.max(before, time);
    const values = {
      bid: change.bid === undefined ? (series.bid[end] ?? null) : change.bid,
      ask: change.ask === undefined ? (series.ask[end] ?? null) : change.ask,
      last: change.last === undefined ? (series.last[end] ?? null) : change.last,
    };
    const index = at === before ? end : end + 1;
    series.time[index] = at;
    series.bid[index] = values.bid;
    series.ask[index] = values.ask;
    series.last[index] = values.last;
    if (series.time.length > 2 * POINTS) {
      for (const list of [series.time, series.bid, series.ask, series.last]) list.splice(0, list.length - POINTS);
    }
  }

  series(symbol: string): Series {
    let series = this.#series.get(symbol);
    if (!series) this.#series.set(symbol, (series = { time: [], bid: [], ask: [], last: [] }));
    return series;
  }

  /** Newest first, at most `most`; of one instrument, or of all where `symbol` is empty. */
  latest(symbol: string, most: number): Trade[] {
    const found: Trade[] = [];
    for (let index = this.#trades.length - 1; index >= 0 && found.length < most; index -= 1) {
      const trade = this.#trades[index];
      if (trade && (symbol === "" || trade.symbol === symbol)) found.push(trade);
    }
    return found;
  }

  /** What was traded since the page has been open. */
  volume(symbol: string): number {
    return this.#volume.get(symbol) ?? 0;
  }

  /** Price of the first trade that the page has seen. */
  first(symbol: string): string | undefined {
    return this.#first.get(symbol);
  }
}
