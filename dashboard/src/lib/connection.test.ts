// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame } from "../protocol";
import { Connection, pause, type LinkState } from "./connection";

class Socket {
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  says(what: object): void {
    this.onmessage?.({ data: JSON.stringify(what) });
  }
}

let sockets: Socket[];
let frames: Frame[];
let links: LinkState[];
let connection: Connection;
const socket = (): Socket => sockets.at(-1) as Socket;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  frames = [];
  links = [];
  connection = new Connection("ws://test", { frame: (frame) => frames.push(frame), link: (link) => links.push(link) }, () => {
    sockets.push(new Socket());
    return socket() as unknown as WebSocket;
  });
  connection.start();
});
afterEach(() => vi.useRealTimers());

describe("the connection", () => {
  it("tells frames and answers apart", async () => {
    socket().opens();
    const answer = connection.ask({ do: "order", symbol: "MSFT" });
    expect(JSON.parse(socket().sent[0] ?? "")).toEqual({ do: "order", symbol: "MSFT", id: 1 });
    socket().says({ t: 1, full: true });
    socket().says({ id: 1, ok: false, error: "no", help: "yes" });
    expect(await answer).toMatchObject({ ok: false, error: "no" });
    expect(frames).toEqual([{ t: 1, full: true }]);
  });

  it("comes back with pauses that grow, and at once if asked", () => {
    for (let tries = 1; tries <= 4; tries += 1) {
      socket().close();
      expect(links.at(-1)).toMatchObject({ state: "waiting", tries });
      vi.advanceTimersByTime(10_000);
      expect(sockets).toHaveLength(tries + 1);
    }
    socket().close();
    connection.retry();
    expect(sockets).toHaveLength(6);
    socket().opens();
    socket().close();
    expect(links.at(-1)).toMatchObject({ state: "waiting", tries: 1 });
  });

  it("spreads its pauses, up to a longest", () => {
    expect(pause(1, () => 0.5)).toBe(250);
    expect(pause(3, () => 0)).toBe(800);
    expect(pause(30, () => 1)).toBe(9600);
  });

  it("answers every request: not sent, lost, or not answered", async () => {
    expect(await connection.ask({ do: "kill" })).toMatchObject({ ok: false, error: "not connected" });
    socket().opens();
    const lost = connection.ask({ do: "kill" });
    socket().close();
    expect(await lost).toMatchObject({ ok: false, error: "connection lost" });
    vi.advanceTimersByTime(10_000);
    socket().opens();
    const silent = connection.ask({ do: "kill" });
    vi.advanceTimersByTime(10_000);
    expect(await silent).toMatchObject({ ok: false, error: "no answer" });
  });

  it("stays away once it was stopped", () => {
    connection.stop();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});
