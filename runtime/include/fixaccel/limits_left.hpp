// SPDX-License-Identifier: Apache-2.0
// What a bundle's limits still let leave: the fabric's counters after a load.
#pragma once

#include <cstdint>
#include <optional>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/sent_orders.hpp"

namespace fixaccel {

// Makes the limits of `bundle` those that it came with, and `changes` in their place: figures, registers and
// what is left of quantities. Its tables for the runtime are for whoever runs them to change. What is not
// limited in the fabric may be from then on.
void hold_limits(Bundle& bundle, const LimitValues& changes);

// Whether the fabric counts quantities of any instrument.
bool limits_quantities(const Bundle& bundle);

// Of which instruments what is left is set: of which something was sent, for the tables have the others as
// they are; or of all.
enum class Quantities { sent, all };

// Sets what is left of the quantities of `bundle` in a bank: its limits less what was sent. Throws
// BoardError.
void write_quantities_left(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank,
                           Quantities which = Quantities::sent);

// Sets how many orders may still leave a board that is disarmed: their limit less what was sent. Throws
// BoardError.
void write_orders_left(Board& board, const BundleLimits& limits, const SentOrders& sent);
// The same, and of all quantities in a bank. Throws BoardError.
void write_left(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank);

// Sets the collar of a board that is disarmed. Throws BoardError.
void write_collar(Board& board, const Bundle& bundle);

// Sets the counters of a board that is disarmed and has the tables of `bundle` in `bank`: the limits less
// what was sent; and when an order may begin to leave. Until then nothing leaves, for load_bundle has set
// them to zero. A bucket of orders that the board has keeps what it holds at `now_ns` (UTC), up to its new
// size; a new one is full. Throws BoardError.
void write_limits(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank,
                  std::uint64_t now_ns);

// An order that the board has not sent takes its place in the bucket of a board that is disarmed. Throws
// BoardError.
void take_from_bucket(Board& board, std::uint64_t now_ns);
// When the board's bucket of orders is full again, UTC; it may have been long ago. None: there is no bucket.
// Throws BoardError.
std::optional<std::int64_t> bucket_full(Board& board);
// Sets that of a board that is disarmed and has a bucket; none: it is full. Throws BoardError.
void set_bucket_full(Board& board, std::optional<std::int64_t> moment_ns);

}  // namespace fixaccel
