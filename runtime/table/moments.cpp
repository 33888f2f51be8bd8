// SPDX-License-Identifier: Apache-2.0
// Rules `at` a time.
#include "interpreter.hpp"

namespace fixaccel {

void TableInterpreter::Impl::advance(std::int64_t /*now_ns*/, TableSink& /*sink*/) {}
std::optional<std::int64_t> TableInterpreter::Impl::next_moment() const { return std::nullopt; }

}  // namespace fixaccel
