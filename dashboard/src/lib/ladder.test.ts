// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Book } from "../protocol";
import { parse, write } from "./decimal";
import { depth, imbalance } from "./depth";
import { ladder, middle, strays } from "./ladder";

const BOOK: Book = {
  bids: [["10.00", "100", 2], ["9.90", "50", 1]],
  asks: [["10.10", "40", 1], ["10.5", "200", 3]],
  last: ["10.10", "5"],
};

describe("the ladder", () => {
  it("has a row for each tick around the middle, highest first", () => {
    const rows = ladder(BOOK, "0.05", middle(BOOK, "0.05"), 7, true);
    expect(rows.map((row) => row.price)).toEqual(["10.20", "10.15", "10.10", "10.05", "10.00", "9.95", "9.90"]);
    expect(rows[2]).toMatchObject({ ask: "40", bid: "", isLast: true, inside: "ask", askShare: 0.2 });
    expect(rows[4]).toMatchObject({ bid: "100", ask: "", isLast: false, inside: "bid", bidShare: 0.5, orders: 2 });
    expect(rows[3]).toMatchObject({ bid: "", ask: "", inside: "" });
  });

  it("has only occupied prices if asked to, with the last trade", () => {
    const rows = ladder({ ...BOOK, last: ["10.30", "1"] }, "0.05", middle(BOOK, "0.05"), 7, false);
    expect(rows.map((row) => row.price)).toEqual(["10.50", "10.30", "10.10", "10.00", "9.90"]);
    expect(rows[1]).toMatchObject({ isLast: true, bid: "", ask: "" });
  });

  it("stands on what there is", () => {
    const at = (book: Book): string | null => {
      const found = middle(book, "0.05");
      return found && write(found);
    };
    expect(at(BOOK)).toBe("10.05");
    expect(at({ ...BOOK, asks: [] })).toBe("10.00");
    expect(at({ bids: [], asks: [], last: ["9.95", "1"] })).toBe("9.95");
    expect(at({ bids: [], asks: [], last: null })).toBeNull();
    expect(ladder(BOOK, "0", middle(BOOK, "0"), 7, true)).toEqual([]);
  });

  it("follows the market once it has gone a quarter away", () => {
    expect(strays(BOOK, "0.05", parse("10.05"), 20)).toBe(false);
    expect(strays(BOOK, "0.05", parse("10.30"), 20)).toBe(false);
    expect(strays(BOOK, "0.05", parse("10.35"), 20)).toBe(true);
    expect(strays(BOOK, "0.05", null, 20)).toBe(true);
  });
});

describe("depth", () => {
  it("adds up from the best price outwards over a rising axis", () => {
    expect(depth(BOOK.bids, BOOK.asks)).toEqual({
      price: [9.9, 10, 10.1, 10.5], bid: [150, 100, null, null], ask: [null, null, 40, 240],
    });
    expect(imbalance(BOOK.bids, BOOK.asks)).toBe(38);
    expect(imbalance([], [])).toBeNull();
  });

  it("leaves out what crosses", () => {
    expect(depth([["10", "1", 1]], [["9", "1", 1], ["11", "1", 1]]).price).toEqual([10, 11]);
  });
});
