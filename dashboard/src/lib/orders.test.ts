// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { Order } from "../protocol";
import { isOver, markKey, Orders } from "./orders";

const order = (id: string, more: Partial<Order> = {}): Order => ({
  order: id, client: "C1", symbol: "MSFT", side: "buy", type: "limit", tif: "day", qty: "10", price: "10.50",
  status: "new", cum_qty: "0", leaves_qty: "10", ...more,
});

it("keeps an order's place, and what an update does not say", () => {
  const orders = new Orders();
  orders.apply([order("1", { text: "hello" }), order("2")]);
  orders.apply([order("1", { status: "partially_filled", cum_qty: "4", leaves_qty: "6" })]);
  const all = orders.select({ client: "", state: "all", symbol: "" });
  expect(all.map((one) => one.order)).toEqual(["2", "1"]);
  expect(all[1]).toMatchObject({ cum_qty: "4", text: "hello" });
});

it("filters by session, house, state and instrument", () => {
  const orders = new Orders();
  orders.apply([
    order("1"), order("2", { client: "house", house: true }), order("3", { status: "filled" }), order("4", { symbol: "ABC" }),
  ]);
  const ids = (client: string, state: "open" | "over" | "all", symbol = ""): string[] =>
    orders.select({ client, state, symbol }).map((one) => one.order);
  expect(ids("", "open")).toEqual(["4", "2", "1"]);
  expect(ids("", "over")).toEqual(["3"]);
  expect(ids("house", "all")).toEqual(["2"]);
  expect(ids("C1", "all", "MSFT")).toEqual(["3", "1"]);
});

it("forgets the oldest of those that are over, and none that is open", () => {
  const orders = new Orders();
  orders.apply([order("open")]);
  orders.apply(Array.from({ length: 1500 }, (_, index) => order(`o${index}`, { status: "canceled" })));
  expect(orders.select({ client: "", state: "over", symbol: "" })).toHaveLength(1000);
  expect(orders.get("o499")).toBeUndefined();
  expect(orders.get("open")).toBeDefined();
});

it("knows which orders are over, however the word is written", () => {
  expect(isOver(order("1", { status: "Canceled" }))).toBe(true);
  expect(isOver(order("1", { status: "partially_filled" }))).toBe(false);
});

it("adds up what the house and the chosen session have resting at a price", () => {
  const orders = new Orders();
  orders.apply([
    order("1", { house: true, client: "house" }), order("2", { house: true, client: "house", leaves_qty: "5", price: "10.5" }),
    order("3", { leaves_qty: "7" }), order("4", { client: "C2" }), order("5", { house: true, status: "filled" }),
    order("6", { house: true, type: "stop_limit", stop_price: "11" }),
  ]);
  expect(orders.marks("MSFT", "C1").get(markKey("buy", "10.50"))).toEqual({ house: 15, client: 7 });
  expect(orders.marks("MSFT", "").get(markKey("buy", "10.5"))).toEqual({ house: 15, client: 0 });
  expect(orders.marks("ABC", "").size).toBe(0);
});
