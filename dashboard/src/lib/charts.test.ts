// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { Rule } from "../protocol";
import { since, spread } from "./chart";
import { distance } from "./distance";
import { bins, outline, quantile, total } from "./histogram";
import { isLive, rangeWith } from "./rule_lines";
import { matching } from "./search";
import { Tape } from "./tape";

const rule = (threshold: string, more: Partial<Rule> = {}): Rule => ({
  rule: "r", instrument: "MSFT", source: "last", direction: "down", threshold, state: "armed", ...more,
});

it("counts a histogram whose last count is beyond all edges, in cycles or ns", () => {
  const fabric = { edges_cycles: [4, 8], cycle_ns: 8, counts: [1, 3, 0] };
  expect(bins(fabric).map((bin) => [bin.from, bin.to, bin.share])).toEqual([[0, 32, 25], [32, 64, 75], [64, 128, 0]]);
  expect(quantile(fabric, 0.5)).toBe(8);
  expect(quantile({ edges_cycles: [4, 8], counts: [1, 3, 0] }, 0.2)).toBe(4);
  expect(bins({ edges_cycles: [4, 8], counts: [1, 3, 0] })).toEqual([]); // nobody knows how long a cycle is
  expect(quantile({ edges_ns: [10], counts: [0, 2] }, 0.99)).toBe(20);
  expect(quantile(undefined, 0.5)).toBeNull();
  expect(total({ edges_ns: [], counts: [] })).toBe(0);
  expect(outline(bins(fabric), [])).toEqual([[32, 64, 128], [75, 0, 0], [null, null, null]]);
});

it("keeps labels apart and inside", () => {
  expect(spread([10, 12, 13], 14, 0, 100)).toEqual([10, 24, 38]);
  expect(spread([95, 96], 14, 0, 100)).toEqual([86, 100]);
});

it("finds the first time of a window", () => {
  expect(since([1, 2, 2, 5], 2)).toBe(1);
  expect(since([1, 2], 9)).toBe(2);
});

it("draws thresholds near the prices and leaves out what would flatten them", () => {
  const [low, high] = rangeWith([rule("98"), rule("101.5"), rule("500"), rule("")], 100, 101);
  expect(low).toBeLessThan(98);
  expect(low).toBeGreaterThan(97);
  expect(high).toBeLessThan(102);
});

it("knows which rules may fire", () => {
  expect(isLive(rule("1"))).toBe(true);
  expect(isLive(rule("1", { state: "fired" }))).toBe(false);
});

it("measures the way to a threshold in ticks, on the side the rule waits for", () => {
  const book = { bids: [["10.00", "1", 1]], asks: [["10.10", "1", 1]], last: ["10.05", "1"] } as never;
  expect(distance(rule("9.80"), book, "0.05")).toBe(5);
  expect(distance(rule("10.50"), book, "0.05")).toBe(0);
  expect(distance(rule("10.20", { source: "ask", direction: "up" }), book, "0.05")).toBe(2);
  expect(distance(rule(""), book, "0.05")).toBeNull();
  expect(distance(rule("9.80"), undefined, "0.05")).toBeNull();
});

it("finds instruments, those first that begin with the text", () => {
  const list = ["AMSF", "MSFT", "TSLA"].map((symbol) => ({ symbol, tick: "1", lot: "1", phase: "" }));
  expect(matching(list, "ms").map((one) => one.symbol)).toEqual(["MSFT", "AMSF"]);
  expect(matching(list, " ")).toHaveLength(3);
});

it("keeps a tape and a chart over a new connection", () => {
  const trade = (second: number, price: string) => ({ symbol: "A", price, qty: "2", time_ns: second * 1e9, side: "buy" as const });
  const tape = new Tape();
  tape.restart([trade(1, "10"), trade(2, "11")]);
  tape.quote("A", 3, { bids: [["9", "1", 1]], asks: [], last: ["11", "2"] });
  tape.add([trade(4, "12")], () => 4);
  expect(tape.series("A")).toEqual({ time: [1, 2, 3, 4], bid: [null, null, 9, 9], ask: [null, null, null, null], last: [10, 11, 11, 12] });
  tape.restart([trade(2, "11"), trade(4, "12")]);
  expect(tape.series("A").time).toEqual([1, 2, 3, 4]);
  expect(tape.latest("A", 9).map((one) => one.price)).toEqual(["12", "11"]);
  expect(tape.first("A")).toBe("11");
  expect(tape.volume("A")).toBe(4);
  tape.quote("A", 1, { bids: [], asks: [], last: null });
  expect(tape.series("A").time).toEqual([1, 2, 3, 4]);
  expect(tape.latest("", 1)).toHaveLength(1);
});
