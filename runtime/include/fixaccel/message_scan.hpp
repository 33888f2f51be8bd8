// SPDX-License-Identifier: Apache-2.0
// Goes over a FIX message once, byte by byte: its fields for whoever reads what it says, and on the way what
// the FIX session has to know of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fixaccel/market_header.hpp"

namespace fixaccel {

struct FixField {
    std::uint32_t tag = 0;  // 0: it is no number
    std::string_view value;
};

class MessageScan {
  public:
    // `message` must stay as it is: views into it are given out. `header` is known once next() has said that
    // there are no more fields.
    MessageScan(std::string_view message, MarketHeader& header);
    bool next(FixField& field);

  private:
    void look(std::size_t start, const FixField& field, bool ended);
    void look_at_length(std::string_view value);
    void look_at_body(std::size_t start, const FixField& field, bool ended);
    void note(std::size_t start, const FixField& field);
    void finish();
    MessagePart part(std::string_view value) const {
        return {static_cast<std::size_t>(value.data() - message_.data()), value.size()};
    }

    std::string_view message_;
    MarketHeader& header_;
    std::size_t at_ = 0;
    std::size_t trailer_at_;   // where CheckSum has to begin
    std::uint32_t sum_ = 0;    // of the bytes ahead of it
    std::size_t fields_ = 0;   // so far
    std::uint32_t seen_ = 0;   // fields of the header, a bit each
    std::size_t headers_ = 0;  // so many are those
    std::size_t usual_ = 0;    // and so many of them are of the usual ones
    bool odd_;                 // it is not plain
};

}  // namespace fixaccel
