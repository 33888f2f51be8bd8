// SPDX-License-Identifier: Apache-2.0
// The WebSocket: comes back by itself with growing pauses, and gives each request its answer.

import type { Answer, Frame, Request } from "../protocol";

export type LinkState =
  | { state: "connecting" }
  | { state: "open" }
  | { state: "waiting"; tries: number; nextMs: number };

export interface Handlers {
  frame(frame: Frame): void;
  link(state: LinkState): void;
}

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
const PATIENCE_MS = 10_000;

/** The pause before try `tries` (from 1 on): twice the one before, spread by a fifth so that pages do not come together. */
export function pause(tries: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(whole * (0.8 + 0.4 * random()));
}

interface Waiting {
  settle(answer: Answer): void;
  timer: ReturnType<typeof setTimeout>;
}

export class Connection {
  #socket: WebSocket | null = null;
  #tries = 0;
  #nextId = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<number, Waiting>();
  #closed = false;

  constructor(
    readonly url: string,
    readonly handlers: Handlers,
    readonly open: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {}

  start(): void {
    this.handlers.link({ state: "connecting" });
    const socket = this.open(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.handlers.link({ state: "open" });
    };
    socket.onmessage = (event: MessageEvent<unknown>) => this.#take(String(event.data));
    socket.onclose = () => this.#lost();
  }

  /** At once, without waiting for the pause to end. */
  retry(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.start();
  }

  stop(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** Always answers: where nothing can be known, with `ok: false` and what is to be done. */
  ask(request: Request): Promise<Answer> {
    const id = this.#nextId++;
    const socket = this.#socket;
    if (socket?.readyState !== 1) {
      return Promise.resolve({ id, ok: false, error: "not connected", help: "nothing was sent; try again once connected" });
    }
    return new Promise((settle) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        settle({ id, ok: false, error: "no answer", help: "it may have been done: look at orders and sessions" });
      }, PATIENCE_MS);
      this.#waiting.set(id, { settle, timer });
      socket.send(JSON.stringify({ ...request, id }));
    });
  }

  #take(text: string): void {
    const said = JSON.parse(text) as Frame & Partial<Answer>;
    if (said.id === undefined || said.ok === undefined) {
      this.handlers.frame(said);
      return;
    }
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    clearTimeout(waiting?.timer);
    waiting?.settle(said as Answer);
  }

  #lost(): void {
    for (const [id, waiting] of this.#waiting) {
      clearTimeout(waiting.timer);
      waiting.settle({ id, ok: false, error: "connection lost", help: "it may have been done: look at orders and sessions" });
    }
    this.#waiting.clear();
    if (this.#closed) return;
    this.#tries += 1;
    const nextMs = pause(this.#tries);
    this.handlers.link({ state: "waiting", tries: this.#tries, nextMs });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.start();
    }, nextMs);
  }
}
