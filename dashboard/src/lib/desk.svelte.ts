// SPDX-License-Identifier: Apache-2.0
// All that the page knows. Frames go in, panels read; large things change in place, and a count tells that they did.

import type { Accelerator, Answer, Book, Exchange, Fire, Frame, Instrument, Request, Session } from "../protocol";
import { Connection, type LinkState } from "./connection";
import { MessageLog } from "./message_log";
import { Orders } from "./orders";
import { Tape } from "./tape";

const FIRES = 500;
const SILENCE_MS = 5_000; // the server says something every second

const fireKey = (fire: Fire): string => [fire.time_ns, fire.rule, fire.cl_ord_id, fire.outcome].join(" ");

export class Desk {
  link = $state.raw<LinkState>({ state: "connecting" });
  venue = $state("");
  version = $state("");
  time = $state(0); // milliseconds, of the last frame
  silent = $state(false);
  exchange = $state.raw<Exchange>({ state: "unknown" });
  instruments = $state.raw<Instrument[]>([]);
  books = $state.raw<Record<string, Book>>({});
  sessions = $state.raw<Map<string, Session>>(new Map());
  accelerator = $state.raw<Accelerator | null>(null);
  fires = $state.raw<Fire[]>([]); // newest first
  lost = $state(0);

  tradeCount = $state(0);
  orderCount = $state(0);
  messageCount = $state(0);
  quoteCount = $state(0);

  readonly tape = new Tape();
  readonly orders = new Orders();
  readonly log = new MessageLog();

  symbol = $state("");
  session = $state(""); // whose orders and faults are looked at
  instrument = $derived(this.instruments.find((one) => one.symbol === this.symbol));
  book = $derived(this.books[this.symbol]);
  phase = $derived(this.book?.phase ?? this.instrument?.phase ?? "");
  /** Whether what is shown may be old. */
  stale = $derived(this.link.state !== "open" || this.exchange.state !== "connected" || this.silent);
  /** Likewise, of the accelerator's side. */
  staleDaemon = $derived(this.link.state !== "open" || this.accelerator?.state !== "connected" || this.silent);

  #connection: Connection | null = null;
  #heard = 0;

  connect(url: string): () => void {
    const connection = new Connection(url, {
      frame: (frame) => this.apply(frame),
      link: (state) => (this.link = state),
    });
    this.#connection = connection;
    connection.start();
    const timer = setInterval(() => {
      this.silent = this.link.state === "open" && performance.now() - this.#heard > SILENCE_MS;
    }, 1000);
    return () => {
      clearInterval(timer);
      connection.stop();
    };
  }

  retry(): void {
    this.#connection?.retry();
  }

  ask(request: Request): Promise<Answer> {
    return this.#connection?.ask(request) ?? Promise.resolve({ id: 0, ok: false, error: "not connected" });
  }

  apply(frame: Frame): void {
    this.#heard = performance.now();
    this.silent = false;
    if (frame.full) this.#forget();
    this.time = frame.t;
    if (frame.exchange) this.#venue(frame.exchange);
    if (frame.full) this.tape.restart(frame.trades ?? []);
    else if (frame.trades?.length) this.tape.add(frame.trades, () => frame.t / 1000);
    if (frame.full || frame.trades?.length) this.tradeCount += 1;
    if (frame.books) this.#quote(frame.books, frame.t / 1000);
    if (frame.orders?.length) {
      this.orders.apply(frame.orders);
      this.orderCount += 1;
    }
    if (frame.sessions?.length) {
      const sessions = new Map(this.sessions);
      for (const session of frame.sessions) sessions.set(session.client, { ...sessions.get(session.client), ...session });
      this.sessions = sessions;
    }
    if (frame.messages?.length) {
      if (frame.full) this.log.resume(frame.messages);
      else this.log.add(frame.messages);
      this.messageCount += 1;
    }
    if (frame.accelerator) this.#accelerate(frame.accelerator);
    if (frame.lost !== undefined) this.lost = frame.lost;
  }

  /** A full frame says everything anew; log and charts go on, for what they show has happened all the same. */
  #forget(): void {
    this.books = {};
    this.orders.clear();
    this.sessions = new Map();
    this.accelerator = null;
    this.fires = [];
    this.orderCount += 1;
    this.quoteCount += 1;
  }

  #venue(exchange: Exchange): void {
    this.exchange = exchange;
    this.venue = exchange.venue ?? this.venue;
    this.version = exchange.version ?? this.version;
    if (!exchange.instruments) return;
    this.instruments = exchange.instruments;
    if (!this.instrument) this.symbol = exchange.instruments[0]?.symbol ?? "";
  }

  #quote(books: Record<string, Book>, time: number): void {
    this.books = { ...this.books, ...books };
    for (const [symbol, book] of Object.entries(books)) this.tape.quote(symbol, time, book);
    if (this.symbol === "") this.symbol = Object.keys(books)[0] ?? "";
    this.quoteCount += 1;
  }

  #accelerate(told: Partial<Accelerator>): void {
    const { full, fires, ...parts } = told;
    this.accelerator = { state: "waiting", ...(full ? {} : this.accelerator), ...parts };
    if (full) this.fires = [];
    if (!fires?.length) return;
    const known = new Set(this.fires.map(fireKey));
    const fresh = fires.filter((fire) => !known.has(fireKey(fire)));
    this.fires = [...fresh.reverse(), ...this.fires].slice(0, FIRES);
  }
}

export const desk = new Desk();
