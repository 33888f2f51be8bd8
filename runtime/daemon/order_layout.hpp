// SPDX-License-Identifier: Apache-2.0
// Orders of a rule as text, laid out ahead of the first one.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

// The body of NewOrderSingle(D) with the fields sorted as the FIX engine sorts them, by tag.
class OrderLayout {
  public:
    // What differs from order to order.
    enum Value : std::size_t { cl_ord_id, qty, type, price, side, symbol };
    using Values = std::array<std::string_view, symbol + 1>;

    // `fields`: of a tag the last one counts. Those of the values above stand for their places, unless
    // `fixed` has them too.
    OrderLayout(const FixFields& fields, const FixFields& fixed);

    // Into `out`, whose room is kept.
    void write(const Values& values, OrderText& out) const;

  private:
    struct Piece {
        std::string text;   // of fields that are always the same, and the tag of the next
        std::size_t value;  // index of it; npos: TransactTime, or nothing more
    };

    std::vector<Piece> pieces_;
    std::size_t time_behind_ = 0;  // so many pieces
};

}  // namespace fixaccel
