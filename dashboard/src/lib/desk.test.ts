// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import type { Frame } from "../protocol";
import { Desk } from "./desk.svelte";

const FIRST: Frame = {
  t: 1000,
  full: true,
  exchange: {
    state: "connected", venue: "SIM", version: "1",
    instruments: [{ symbol: "MSFT", tick: "0.05", lot: "1", phase: "continuous" }],
  },
  books: { MSFT: { bids: [["10", "1", 1]], asks: [["11", "2", 1]], last: null, phase: "continuous" } },
  sessions: [{ client: "C1", logged_on: true, next_sender: 5, next_target: 6 }],
  messages: [{ client: "C1", direction: "in", time_ns: 5, raw: "35=0|" }],
  lost: 0,
  accelerator: {
    full: true, state: "connected", armed: true, killed: false,
    fires: [{ time_ns: 1, rule: "a", cl_ord_id: "x", outcome: "sent" }],
  },
};
let desk: Desk;

beforeEach(() => {
  desk = new Desk();
  desk.link = { state: "open" };
  desk.apply(FIRST);
});

describe("the desk", () => {
  it("takes a first frame and chooses an instrument", () => {
    expect([desk.venue, desk.symbol, desk.phase, desk.stale, desk.staleDaemon]).toEqual(["SIM", "MSFT", "continuous", false, false]);
    expect(desk.instrument?.tick).toBe("0.05");
    expect(desk.log.end).toBe(1);
  });

  it("changes what a frame names and keeps the rest", () => {
    desk.apply({
      t: 1050, sessions: [{ client: "C1", logged_on: false, next_sender: 7, next_target: 6 }], lost: 3,
      accelerator: { armed: false, fires: [{ time_ns: 2, rule: "b", cl_ord_id: "y", outcome: "sent" }] },
    });
    expect(desk.sessions.get("C1")).toMatchObject({ logged_on: false, next_sender: 7 });
    expect(desk.accelerator).toMatchObject({ armed: false, killed: false, state: "connected" });
    expect(desk.fires.map((fire) => fire.rule)).toEqual(["b", "a"]);
    expect(desk.book?.bids).toHaveLength(1);
    expect(desk.lost).toBe(3);
  });

  it("forgets all with a full frame, but the log and what was chosen", () => {
    desk.apply({ ...FIRST, t: 2000, books: {}, sessions: [], messages: [], accelerator: { full: true, state: "waiting", fires: [] } });
    expect(desk.sessions.size).toBe(0);
    expect(desk.fires).toEqual([]);
    expect(desk.accelerator?.armed).toBeUndefined();
    expect([desk.log.end, desk.symbol]).toEqual([1, "MSFT"]);
  });

  it("says that what it shows may be old", () => {
    desk.apply({ t: 1100, exchange: { state: "waiting", why: "gone" } });
    expect(desk.stale).toBe(true);
    expect(desk.venue).toBe("SIM");
    desk.apply({ t: 1150, exchange: { state: "connected" } });
    expect(desk.stale).toBe(false);
    desk.link = { state: "waiting", tries: 1, nextMs: 250 };
    expect([desk.stale, desk.staleDaemon]).toEqual([true, true]);
  });

  it("has no accelerator where no daemon was named", () => {
    const other = new Desk();
    other.apply({ ...FIRST, accelerator: undefined });
    expect(other.accelerator).toBeNull();
  });
});
