// SPDX-License-Identifier: Apache-2.0
#include "market_text.hpp"

#include <cstdint>
#include <utility>

#include "fixaccel/message_scan.hpp"

namespace fixaccel {
namespace {

enum Tag : std::uint32_t {
    kMsgType = 35,
    kPossDupFlag = 43,
    kSymbol = 55,
    kMDEntryType = 269,
    kMDEntryPx = 270,
    kMDEntrySize = 271,
    kMDUpdateAction = 279,
    kMDEntryPositionNo = 290,
};

void put(MarketEntry& entry, const FixField& field) {
    switch (field.tag) {
        case kSymbol:
            if (!field.value.empty()) entry.symbol = field.value;
            break;
        case kMDEntryType:
            entry.type = field.value;
            break;
        case kMDUpdateAction:
            entry.action = field.value;
            break;
        case kMDEntryPx:
            entry.price = field.value;
            break;
        case kMDEntrySize:
            entry.size = field.value;
            break;
        case kMDEntryPositionNo:
            entry.position = field.value;
            break;
        default:
            break;
    }
}

}  // namespace

// An entry of an update begins with its MDUpdateAction, one of a snapshot with its MDEntryType.
void MarketText::read(std::string_view message) {
    text_ = message;
    type_ = symbol_ = {};
    again_ = false;
    entries_.clear();
    // Of what occurs twice in the header the FIX engine has the first.
    bool flagged = false;
    MessageScan scan(message, header_);
    for (FixField field; scan.next(field);) {
        if (field.tag == kMsgType && type_.empty()) type_ = field.value;
        if (field.tag == kPossDupFlag && !std::exchange(flagged, true)) again_ = field.value == "Y";
        if (!quotes()) continue;
        if (field.tag == (update() ? kMDUpdateAction : kMDEntryType)) {
            const std::string_view symbol = entries_.empty() ? symbol_ : entries_.back().symbol;
            entries_.emplace_back().symbol = symbol;
        }
        if (!entries_.empty())
            put(entries_.back(), field);
        else if (field.tag == kSymbol)
            symbol_ = field.value;
    }
}

}  // namespace fixaccel
