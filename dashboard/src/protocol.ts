// SPDX-License-Identifier: Apache-2.0
// What the server and the page say to each other over /ws. Prices and quantities are strings: exact decimals.
// Times in nanoseconds since 1970 come as JSON numbers: good to some 256 ns, so the page shows microseconds.

export type Side = "buy" | "sell";

export interface Instrument {
  symbol: string;
  tick: string;
  lot: string;
  phase: string;
}

/** Price, quantity, number of orders. */
export type Level = [price: string, qty: string, orders: number];

export interface Book {
  bids: Level[]; // best first
  asks: Level[]; // best first
  last: [price: string, qty: string] | null;
  phase?: string;
  time_ns?: number;
}

export interface Trade {
  symbol: string;
  price: string;
  qty: string;
  time_ns: number;
  side?: Side | null; // the aggressor's
  buyer?: string;
  seller?: string;
}

export interface Order {
  order: string;
  client: string;
  cl_ord_id?: string;
  symbol: string;
  side: string;
  type: string;
  tif: string;
  qty: string;
  price?: string | null;
  stop_price?: string | null; // empty like null
  status: string;
  cum_qty: string;
  leaves_qty: string;
  avg_px?: string | null;
  house?: boolean;
  exec_type?: string;
  last_qty?: string;
  last_px?: string;
  text?: string;
}

export interface Session {
  client: string;
  logged_on: boolean;
  market_data?: boolean;
  next_sender: number;
  next_target: number;
  peer?: string;
  messages_in?: number;
  messages_out?: number;
  bytes_in?: number;
  bytes_out?: number;
  outbox?: number;
  outbox_high?: number;
  dropped?: number;
  connects?: number;
  disconnects?: number;
  resends?: number;
}

/** Tag, name, value, meaning of the value where it is one of a list. */
export type Field = [tag: number | string, name: string, value: string, meaning: string];

export interface Message {
  client: string;
  direction: "in" | "out"; // as the exchange sees it
  time_ns: number;
  raw?: string; // | for SOH
  type?: string; // MsgType(35)
  name?: string; // of the type
  fields?: Field[];
}

export interface Rule {
  rule: string;
  instrument: string;
  when?: string;
  source?: string;
  direction?: string;
  threshold?: string | null;
  side?: string;
  order?: { side: string; qty: string; type: string; price?: string | null };
  state: string;
  placement?: string;
  uses?: number | string | null;
}

export interface Fire {
  time_ns: number;
  rule: string;
  symbol?: string;
  side?: string;
  price?: string; // that was seen
  qty?: string | null;
  cycles?: number | null; // in the fabric, from the last byte of the price to the first of the order
  took_ns?: number | null; // in the runtime, from recv to send
  where?: string; // fabric or runtime
  outcome?: string; // sent, dry, rejected:LIMIT
  cl_ord_id?: string;
}

/** `counts[i]` lie at or below `edges[i]` and above the edge before it; the last count is of what is beyond all. */
export interface Histogram {
  edges_ns?: number[];
  edges_cycles?: number[];
  cycle_ns?: number; // of a cycle of the fabric
  counts: number[];
}

export interface Limit {
  name: string;
  used?: number | string | null; // null where nothing is counted
  limit: number | string;
}

/** What a frame leaves out is as it was; fires are new ones, all of them where `full`. */
export interface Accelerator {
  full?: boolean;
  state: string; // connected or waiting
  why?: string;
  phase?: string;
  armed?: boolean;
  dry_run?: boolean;
  killed?: boolean;
  logged_on?: boolean;
  problem?: string;
  strategy?: string;
  rules?: Rule[];
  fires?: Fire[];
  latency?: { fabric?: Histogram; software?: Histogram };
  limits?: Limit[];
}

export interface Exchange {
  state: string; // connected or waiting
  why?: string;
  venue?: string;
  version?: string;
  instruments?: Instrument[];
}

/** The first of a connection is full; a later one that is means: forget all and take this. */
export interface Frame {
  t: number; // milliseconds since 1970
  full?: boolean;
  exchange?: Exchange;
  books?: Record<string, Book>; // whole
  trades?: Trade[]; // new ones
  orders?: Order[]; // those that changed, by `order`
  sessions?: Session[]; // those that changed, by `client`
  messages?: Message[]; // new ones
  accelerator?: Partial<Accelerator> | null; // null: no daemon was named
  lost?: number; // so far, of trades and messages for which there was no room
}

export interface Answer {
  id: number;
  ok: boolean;
  error?: string;
  help?: string;
  order?: string;
  [more: string]: unknown;
}

export interface Request {
  do: string;
  [argument: string]: unknown;
}
