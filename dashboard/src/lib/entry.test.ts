// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { problems, request, stepped, type Draft } from "./entry";
import { DEFAULTS, faultRequest, KINDS, wrong, type FaultKind } from "./faults";

const MSFT = { symbol: "MSFT", tick: "0.05", lot: "10", phase: "continuous" };
const draft = (more: Partial<Draft> = {}): Draft => ({
  symbol: "MSFT", side: "buy", type: "limit", tif: "day", qty: "20", price: "10.05", stopPrice: "", ...more,
});
const texts = (one: Draft): string[] => problems(one, MSFT).map((fault) => fault.text);

describe("order entry", () => {
  it("finds what is wrong before it is sent", () => {
    expect(texts(draft())).toEqual([]);
    expect(texts(draft({ qty: "15" }))).toEqual(["Quantity must be a multiple of the lot 10"]);
    expect(texts(draft({ qty: "0", price: "10.07" }))).toEqual([
      "Quantity must be above zero", "Price must be a multiple of the tick 0.05",
    ]);
    expect(texts(draft({ qty: "", price: "abc" }))).toEqual(["Quantity is missing", "Price is no number"]);
    expect(texts(draft({ price: "-37.60" }))).toEqual([]);
    expect(texts(draft({ type: "market", price: "nonsense" }))).toEqual([]);
    expect(texts(draft({ type: "stop" }))).toEqual(["Trigger is missing"]);
    expect(problems(draft(), undefined)).toEqual([{ field: "symbol", text: "Choose an instrument" }]);
  });

  it("sends the fields that a type has, and no other", () => {
    expect(request(draft({ qty: " 20 " }))).toEqual({
      do: "order", as: "house", symbol: "MSFT", side: "buy", qty: "20", type: "limit", tif: "day", price: "10.05",
    });
    expect(request(draft({ type: "market" }))).not.toHaveProperty("price");
    expect(request(draft({ type: "stop_limit", stopPrice: "10" }))).toMatchObject({ price: "10.05", stop_price: "10" });
  });

  it("steps by tick and lot, onto the grid, quantities never to zero", () => {
    expect(stepped("10.05", "0.05", 1)).toBe("10.10");
    expect(stepped("10.07", "0.05", 1)).toBe("10.10");
    expect(stepped("20", "10", -10, true)).toBe("10");
    expect(stepped("0.05", "0.05", -10)).toBe("-0.45");
    expect(stepped("", "10", 1)).toBe("10");
    expect(stepped("1000000000000000000.05", "0.05", -1)).toBe("1000000000000000000.00");
  });
});

describe("faults", () => {
  const kind = (name: string): FaultKind => {
    const found = KINDS.find((one) => one.kind === name);
    if (!found) throw new Error(name);
    return found;
  };

  it("are asked for by the words of the control socket, with their parameters alone", () => {
    const values = { ...DEFAULTS, time_ms: "250", count: "3", types: "8,9" };
    expect(faultRequest("C1", kind("delay"), values)).toEqual({
      do: "fault", client: "C1", kind: "delay", time_ms: 250, count: 3, types: "8 9",
    });
    expect(faultRequest("C1", kind("drop"), { ...values, types: " " })).toEqual({ do: "fault", client: "C1", kind: "drop", count: 3 });
    expect(faultRequest("C1", kind("reset"), values)).toEqual({ do: "fault", client: "C1", kind: "reset" });
    expect(faultRequest("C1", kind("resend-request"), values)).toEqual({
      do: "fault", client: "C1", kind: "resend-request", begin: 1, end: 0,
    });
    expect(faultRequest("C1", kind("logout"), { ...values, text: "bye" })).toEqual({ do: "logout", client: "C1", text: "bye" });
  });

  it("ask first where a client loses messages or its connection", () => {
    const asks = KINDS.filter((one) => one.destructive).map((one) => one.kind);
    expect(asks).toEqual(["drop", "garble", "sequence-jump", "logout", "disconnect", "reset"]);
  });

  it("have parameters that are checked", () => {
    expect(wrong("count", "3")).toBe("");
    expect(wrong("count", "-1")).not.toBe("");
    expect(wrong("time_ms", "99999999")).not.toBe("");
    expect(wrong("types", "8;9")).not.toBe("");
    expect(wrong("text", "anything; at all")).toBe("");
  });
});
