// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Message } from "../protocol";
import { ANY, FilteredLog, MessageLog } from "./message_log";

const message = (number: number, type = "8", client = "C1"): Message => ({
  client,
  direction: "out",
  time_ns: number,
  raw: `35=${type}|11=order-${number}|`,
  fields: [["35", "MsgType", type, type === "8" ? "ExecutionReport" : "Heartbeat"], ["11", "ClOrdID", `order-${number}`, ""]],
});
const some = (from: number, to: number, type?: string): Message[] =>
  Array.from({ length: to - from }, (_, index) => message(from + index, type));

describe("the log", () => {
  it("keeps the last ones, by their numbers", () => {
    const log = new MessageLog(10);
    log.add(some(0, 25));
    expect([log.begin, log.end]).toEqual([15, 25]);
    expect(log.at(14)).toBeUndefined();
    expect(log.at(15)?.message.time_ns).toBe(15);
    expect(log.at(24)?.name).toBe("ExecutionReport");
    expect(log.at(25)).toBeUndefined();
  });

  it("takes what a new connection tells again only once", () => {
    const log = new MessageLog();
    log.add(some(1, 6));
    log.resume(some(3, 9));
    expect(Array.from({ length: log.end }, (_, index) => log.at(index)?.message.time_ns)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("reads the type out of a message that nobody has decoded", () => {
    const log = new MessageLog();
    log.add([{ client: "C", direction: "in", time_ns: 1, raw: "8=FIX.4.4|9=5|35=D|11=x|" }]);
    expect(log.at(0)).toMatchObject({ type: "D", name: "D", summary: "8=FIX.4.4|9=5|35=D|11=x|" });
  });
});

it("says first what a trader looks for", () => {
  const log = new MessageLog();
  const fields: Message["fields"] = [
    ["35", "MsgType", "8", "ExecutionReport"], ["11", "ClOrdID", "x", ""], ["150", "ExecType", "F", "Trade"], ["55", "Symbol", "MSFT", ""],
    ["54", "Side", "1", "Buy"], ["38", "OrderQty", "100", ""], ["44", "Price", "412.30", ""], ["10", "CheckSum", "074", ""],
  ];
  log.add([{ client: "C", direction: "out", time_ns: 1, fields }]);
  expect(log.at(0)?.summary).toBe("MSFT  Buy 100 @ 412.30  Trade  ClOrdID=x");
});

describe("a filter", () => {
  it("finds by words, session and type, in names, values and raw text", () => {
    const log = new MessageLog();
    log.add([message(1), message(2, "0"), message(3, "8", "C2")]);
    const view = new FilteredLog(log);
    const found = (filter: Partial<typeof ANY>): (number | undefined)[] => {
      view.filter({ ...ANY, ...filter });
      return Array.from({ length: view.length }, (_, index) => view.at(index)?.message.time_ns);
    };
    expect(found({})).toEqual([1, 2, 3]);
    expect(found({ text: "heartBEAT" })).toEqual([2]);
    expect(found({ text: "execution order-3" })).toEqual([3]);
    expect(found({ text: "11=order-1" })).toEqual([1]);
    expect(found({ client: "C2" })).toEqual([3]);
    expect(found({ type: "8" })).toEqual([1, 3]);
    expect(found({ type: "8", client: "C1", text: "nothing" })).toEqual([]);
  });

  it("follows the log while that forgets", () => {
    const log = new MessageLog(100);
    const view = new FilteredLog(log);
    view.filter({ ...ANY, type: "0" });
    for (let round = 0; round < 50; round += 1) {
      log.add([...some(round * 10, round * 10 + 9), message(round * 10 + 9, "0")]);
      view.update();
    }
    expect(view.length).toBe(10);
    expect(view.at(0)?.message.time_ns).toBe(409);
    expect(view.at(9)?.message.time_ns).toBe(499);
    expect(view.at(10)).toBeUndefined();
    expect(view.forgotten).toBe(40);
    expect(view.find(view.at(3)?.number ?? -1)).toBe(3);
    expect(view.find(400)).toBe(-1);
  });

  it("skips what came and went between two looks", () => {
    const log = new MessageLog(10);
    const view = new FilteredLog(log);
    view.filter(ANY);
    log.add(some(0, 1000));
    view.update();
    expect(view.length).toBe(10);
    expect(view.at(0)?.message.time_ns).toBe(990);
  });
});
