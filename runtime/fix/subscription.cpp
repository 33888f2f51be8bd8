// SPDX-License-Identifier: Apache-2.0
#include "subscription.hpp"

#include <quickfix/FixFields.h>
#include <quickfix/Group.h>

#include <string>
#include <vector>

namespace fixaccel {
namespace {

// Values of all fields `tag` in the body, which are taken out of it.
std::vector<std::string> take_all(FIX::Message& message, int tag) {
    std::vector<std::string> values;
    while (message.isSetField(tag)) {
        values.push_back(message.getField(tag));
        message.removeField(tag);
    }
    return values;
}

void add_group(FIX::Message& message, int count_tag, int tag, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        FIX::Group entry(count_tag, tag);
        entry.setField(tag, value);
        message.addGroup(entry);
    }
}

}  // namespace

FIX::Message subscription(const MarketDataRequest& request, char type) {
    FIX::Message message;
    message.getHeader().setField(FIX::MsgType(FIX::MsgType_MarketDataRequest));
    message.setField(FIX::MDReqID(request.id));
    message.setField(FIX::SubscriptionRequestType(type));
    message.setField(FIX::MarketDepth(request.full_book ? 0 : 1));
    message.setField(FIX::MDUpdateType(request.increments ? FIX::MDUpdateType_INCREMENTAL_REFRESH
                                                          : FIX::MDUpdateType_FULL_REFRESH));
    add_group(message, FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType,
              {"0", "1", "2"});  // bid, offer, trade
    add_group(message, FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol, request.symbols);
    return message;
}

void restore_groups(FIX::Message& message) {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != FIX::MsgType_MarketDataRequest) return;
    const std::vector<std::string> types = take_all(message, FIX::FIELD::MDEntryType);
    const std::vector<std::string> symbols = take_all(message, FIX::FIELD::Symbol);
    take_all(message, FIX::FIELD::NoMDEntryTypes);
    take_all(message, FIX::FIELD::NoRelatedSym);
    add_group(message, FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType, types);
    add_group(message, FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol, symbols);
}

}  // namespace fixaccel
