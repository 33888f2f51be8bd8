// SPDX-License-Identifier: Apache-2.0
#include "order_layout.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fixaccel {
namespace {

constexpr char kEnd = '\x01';  // of a field
constexpr int kTransactTime = 60;
constexpr std::size_t kNoValue = std::string::npos;

std::size_t value_of(int tag) {
    // ClOrdID, OrderQty, OrdType, Price, Side, Symbol: as OrderLayout::Value has them.
    static constexpr std::array kTags{11, 38, 40, 44, 54, 55};
    static_assert(kTags.size() == std::tuple_size_v<OrderLayout::Values>);
    const auto found = std::find(kTags.begin(), kTags.end(), tag);
    return found == kTags.end() ? kNoValue : static_cast<std::size_t>(found - kTags.begin());
}

}  // namespace

OrderLayout::OrderLayout(const FixFields& fields, const FixFields& fixed) {
    std::map<int, std::optional<std::string>> by_tag;  // none: a value
    for (const auto& [tag, text] : fields)
        by_tag[tag] = value_of(tag) == kNoValue ? std::optional(text) : std::nullopt;
    for (const auto& [tag, text] : fixed) by_tag[tag] = text;
    by_tag[kTransactTime] = std::nullopt;  // the engine's
    std::string text;
    for (const auto& [tag, always] : by_tag) {
        if (tag == kTransactTime) {
            pieces_.push_back({std::exchange(text, {}), kNoValue});
            time_behind_ = pieces_.size();
            continue;
        }
        text += std::to_string(tag) + '=';
        if (always)
            text += *always;
        else
            pieces_.push_back({std::exchange(text, {}), value_of(tag)});
        text += kEnd;
    }
    pieces_.push_back({text, kNoValue});
}

void OrderLayout::write(const Values& values, OrderText& out) const {
    out.body.clear();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (i == time_behind_) out.time_at = out.body.size();
        out.body += pieces_[i].text;
        if (pieces_[i].value != kNoValue) out.body += values[pieces_[i].value];
    }
}

}  // namespace fixaccel
