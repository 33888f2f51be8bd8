// SPDX-License-Identifier: Apache-2.0
// An order as it is being written, and what is wrong with it before it is sent.

import type { Instrument, Request, Side } from "../protocol";
import { add, isMultiple, padded, parse, times, write, written } from "./decimal";

export interface Draft {
  symbol: string;
  side: Side;
  type: string;
  tif: string;
  qty: string;
  price: string;
  stopPrice: string;
}

export type Fault = { field: "qty" | "price" | "stopPrice" | "symbol"; text: string };

export const TYPES = ["limit", "market", "stop", "stop_limit", "market_if_touched"] as const;
export const TIFS = ["day", "gtc", "ioc", "fok", "at_the_open", "at_the_close"] as const;

export const hasPrice = (type: string): boolean => type === "limit" || type === "stop_limit";
export const hasStop = (type: string): boolean => type.startsWith("stop") || type === "market_if_touched";

function checkStep(field: Fault["field"], name: string, text: string, step: string, unit: string): Fault | null {
  const value = parse(text);
  if (text.trim() === "") return { field, text: `${name} is missing` };
  if (!value) return { field, text: `${name} is no number` };
  // Prices of some instruments go below zero.
  if (field === "qty" && value.units <= 0n) return { field, text: `${name} must be above zero` };
  const size = parse(step);
  if (size && size.units > 0n && !isMultiple(value, size)) {
    return { field, text: `${name} must be a multiple of the ${unit} ${step}` };
  }
  return null;
}

/** All that is wrong, in the order of the fields. */
export function problems(draft: Draft, instrument: Instrument | undefined): Fault[] {
  if (!instrument) return [{ field: "symbol", text: "Choose an instrument" }];
  const found = [checkStep("qty", "Quantity", draft.qty, instrument.lot, "lot")];
  if (hasPrice(draft.type)) found.push(checkStep("price", "Price", draft.price, instrument.tick, "tick"));
  if (hasStop(draft.type)) found.push(checkStep("stopPrice", "Trigger", draft.stopPrice, instrument.tick, "tick"));
  return found.filter((fault) => fault !== null);
}

export function request(draft: Draft): Request {
  const wanted: Request = {
    do: "order",
    as: "house",
    symbol: draft.symbol,
    side: draft.side,
    qty: draft.qty.trim(),
    type: draft.type,
    tif: draft.tif,
  };
  if (hasPrice(draft.type)) wanted.price = draft.price.trim();
  if (hasStop(draft.type)) wanted.stop_price = draft.stopPrice.trim();
  return wanted;
}

/** `text` moved by `steps` steps, onto the grid where it was off it; `positive`: never below one step. */
export function stepped(text: string, step: string, steps: number, positive = false): string {
  const size = parse(step);
  if (!size || size.units <= 0n) return text;
  const value = parse(text) ?? { units: 0n, scale: 0 };
  let next = add(value, times(size, steps));
  if (!isMultiple(next, size)) {
    const scale = Math.max(next.scale, size.scale);
    const unit = size.units * 10n ** BigInt(scale - size.scale);
    const units = next.units * 10n ** BigInt(scale - next.scale);
    next = { units: (units / unit) * unit, scale };
  }
  return padded(write(positive && next.units < 1n ? size : next), written(step));
}
