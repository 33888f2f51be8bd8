// SPDX-License-Identifier: Apache-2.0
// All open orders and the last of those that are over.

import type { Order } from "../protocol";

const CLOSED = 1000; // orders that are over and kept
const OVER = new Set(["filled", "canceled", "cancelled", "rejected", "expired", "replaced"]);

export const word = (text: string | undefined): string => (text ?? "").toLowerCase().replace(/[_ ]+/g, "-");

export function isOver(order: Order): boolean {
  return OVER.has(word(order.status));
}

export interface OrderFilter {
  client: string; // empty: all; "house": the house's
  state: "open" | "over" | "all";
  symbol: string; // empty: all
}

export interface Mark {
  house: number;
  client: number;
}

export class Orders {
  #all = new Map<string, Order>();
  #over: string[] = [];

  get(id: string): Order | undefined {
    return this.#all.get(id);
  }

  clear(): void {
    this.#all.clear();
    this.#over = [];
  }

  /** Takes orders in; one that is known stays in its place. */
  apply(orders: readonly Order[]): void {
    for (const order of orders) {
      const before = this.#all.get(order.order);
      this.#all.set(order.order, before ? { ...before, ...order } : order);
      if (isOver(order) && !(before && isOver(before))) this.#over.push(order.order);
    }
    if (this.#over.length > CLOSED) {
      for (const id of this.#over.splice(0, this.#over.length - CLOSED)) this.#all.delete(id);
    }
  }

  /** Newest first. */
  select(filter: OrderFilter): Order[] {
    const found: Order[] = [];
    for (const order of this.#all.values()) {
      if (filter.symbol && order.symbol !== filter.symbol) continue;
      if (filter.client === "house" ? !order.house : filter.client && order.client !== filter.client) continue;
      if (filter.state !== "all" && isOver(order) !== (filter.state === "over")) continue;
      found.push(order);
    }
    return found.reverse();
  }

  /** What rests of the house and of `client` by side and price, as `buy 1180.5` once zeros at the end are gone. */
  marks(symbol: string, client: string): Map<string, Mark> {
    const found = new Map<string, Mark>();
    for (const order of this.#all.values()) {
      if (order.symbol !== symbol || !order.price || isOver(order)) continue;
      const mine = order.house === true;
      if (!mine && (client === "" || order.client !== client)) continue;
      if (order.stop_price && word(order.status) === "new" && word(order.type).includes("stop")) continue;
      const key = markKey(order.side, order.price);
      const mark = found.get(key) ?? { house: 0, client: 0 };
      mark[mine ? "house" : "client"] += Number(order.leaves_qty);
      found.set(key, mark);
    }
    return found;
  }
}

export function markKey(side: string, price: string): string {
  return `${side} ${price.includes(".") ? price.replace(/\.?0+$/, "") : price}`;
}
