// SPDX-License-Identifier: Apache-2.0
// The order that is being written; the ladder writes into it too.

import type { Side } from "../protocol";
import type { Draft } from "./entry";
import { hasPrice, hasStop } from "./entry";

class Ticket {
  draft = $state<Draft>({ symbol: "", side: "buy", type: "limit", tif: "day", qty: "", price: "", stopPrice: "" });

  /** Another instrument: its prices mean nothing here. */
  begin(symbol: string, qty: string): void {
    this.draft.symbol = symbol;
    this.draft.qty = qty;
    this.draft.price = this.draft.stopPrice = "";
  }

  take(side: Side, price: string): void {
    this.draft.side = side;
    if (hasStop(this.draft.type) && !hasPrice(this.draft.type)) this.draft.stopPrice = price;
    else {
      if (!hasPrice(this.draft.type)) this.draft.type = "limit";
      this.draft.price = price;
    }
  }
}

export const ticket = new Ticket();
