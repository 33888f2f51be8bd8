// SPDX-License-Identifier: Apache-2.0
// The last messages, and those of them that a filter lets through: neither grows with the day.

import type { Field, Message } from "../protocol";

export const CAPACITY = 100_000;

export interface Row {
  number: number; // counts all messages since the page was opened
  message: Message;
  type: string;
  name: string;
  summary: string;
  text: string; // what a filter searches, in lower case
}

export interface Filter {
  text: string;
  client: string; // empty: all
  type: string; // MsgType or empty
}

export const ANY: Filter = { text: "", client: "", type: "" };

// Of the header and the trailer: each message has them, and they say little.
const FRAME = new Set(["8", "9", "10", "34", "35", "49", "52", "56"]);
const SAID = new Set(["55", "54", "38", "44", "150", "39", "58"]);
const SUMMARY_FIELDS = 7; // besides those

function shown(field: Field): string {
  return `${field[1] || field[0]}=${field[3] || field[2]}`;
}

/** What a trader looks for first, in few words: `MSFT  Buy 100 @ 412.30  Trade  Filled`; then the other fields. */
function summarize(body: readonly Field[]): string {
  const of = (tag: string): Field | undefined => body.find((field) => String(field[0]) === tag);
  const said = (tag: string): string => of(tag)?.[3] || of(tag)?.[2] || "";
  const terms = [said("54"), said("38"), of("44") ? `@ ${said("44")}` : ""].filter(Boolean).join(" ");
  const first = [said("55"), terms, said("150"), said("39"), said("58")].filter(Boolean);
  const rest = body.filter((field) => !SAID.has(String(field[0])));
  const more = rest.length > SUMMARY_FIELDS ? ["…"] : [];
  return [...first, ...rest.slice(0, SUMMARY_FIELDS).map(shown), ...more].join("  ");
}

export function row(number: number, message: Message): Row {
  const fields = message.fields ?? [];
  const first = fields.find((field) => String(field[0]) === "35");
  const type = message.type ?? first?.[2] ?? /(?:^|\|)35=([^|]*)/.exec(message.raw ?? "")?.[1] ?? "";
  const name = message.name || first?.[3] || type;
  const body = fields.filter((field) => !FRAME.has(String(field[0])));
  const summary = fields.length ? summarize(body) : (message.raw ?? "");
  const raw = message.raw ?? fields.map((field) => `${field[0]}=${field[2]}`).join("|");
  const text = `${message.client} ${name} ${raw} ${body.map(shown).join(" ")}`.toLowerCase();
  return { number, message, type, name, summary, text };
}

export function passes(one: Row, filter: Filter): boolean {
  if (filter.client && one.message.client !== filter.client) return false;
  if (filter.type && one.type !== filter.type) return false;
  return filter.text === "" || filter.text.toLowerCase().split(/\s+/).every((word) => one.text.includes(word));
}

/** A ring of the last messages. */
export class MessageLog {
  #rows: Row[] = [];
  #next = 0; // number of the next message
  readonly types = new Map<string, string>(); // names of the types seen

  constructor(readonly capacity = CAPACITY) {}

  get end(): number {
    return this.#next;
  }

  /** Number of the oldest message that is kept. */
  get begin(): number {
    return Math.max(0, this.#next - this.capacity);
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      const made = row(this.#next, message);
      this.#rows[this.#next % this.capacity] = made;
      this.#next += 1;
      if (!this.types.has(made.type)) this.types.set(made.type, made.name);
    }
  }

  at(number: number): Row | undefined {
    return number >= this.begin && number < this.#next ? this.#rows[number % this.capacity] : undefined;
  }

  /** Those of `messages` that are newer than all that is here: a new connection tells the last ones again. */
  resume(messages: readonly Message[]): void {
    const last = this.at(this.#next - 1)?.message.time_ns ?? 0;
    this.add(messages.filter((message) => message.time_ns > last));
  }
}

/** The rows of a log that pass a filter, kept up to date at the cost of what is new. */
export class FilteredLog {
  #numbers: number[] = [];
  #skipped = 0; // of the front, which the log has forgotten
  #seen = 0;
  #filter: Filter = ANY;

  constructor(readonly log: MessageLog) {}

  get length(): number {
    return this.#numbers.length - this.#skipped;
  }

  /** How many rows have gone from the front for good since the filter was set. */
  forgotten = 0;

  filter(filter: Filter): void {
    this.#filter = filter;
    this.#numbers = [];
    this.#skipped = this.forgotten = 0;
    this.#seen = this.log.begin;
    this.update();
  }

  /** Takes in what the log has got since. */
  update(): void {
    for (let number = Math.max(this.#seen, this.log.begin); number < this.log.end; number += 1) {
      const one = this.log.at(number);
      if (one && passes(one, this.#filter)) this.#numbers.push(number);
    }
    this.#seen = this.log.end;
    const before = this.#skipped;
    while (this.#skipped < this.#numbers.length && (this.#numbers[this.#skipped] ?? 0) < this.log.begin) {
      this.#skipped += 1;
    }
    this.forgotten += this.#skipped - before;
    if (this.#skipped > this.log.capacity) {
      this.#numbers = this.#numbers.slice(this.#skipped);
      this.#skipped = 0;
    }
  }

  at(index: number): Row | undefined {
    const number = this.#numbers[this.#skipped + index];
    return number === undefined ? undefined : this.log.at(number);
  }

  /** Index of the row with this number, or -1. */
  find(number: number): number {
    let low = this.#skipped;
    let high = this.#numbers.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const value = this.#numbers[middle] ?? 0;
      if (value === number) return middle - this.#skipped;
      if (value < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
