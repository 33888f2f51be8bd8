// SPDX-License-Identifier: Apache-2.0
// A FIX message as tags and texts, free of any engine's types. This header is read as C++14 and as C++20.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// Tags that the simulator reads or writes.
namespace tag {
constexpr int kAccount = 1;
constexpr int kAvgPx = 6;
constexpr int kBeginSeqNo = 7;
constexpr int kBeginString = 8;
constexpr int kBodyLength = 9;
constexpr int kCheckSum = 10;
constexpr int kClOrdId = 11;
constexpr int kCumQty = 14;
constexpr int kEndSeqNo = 16;
constexpr int kExecId = 17;
constexpr int kLastPx = 31;
constexpr int kLastQty = 32;
constexpr int kMsgSeqNum = 34;
constexpr int kMsgType = 35;
constexpr int kNewSeqNo = 36;
constexpr int kOrderId = 37;
constexpr int kOrderQty = 38;
constexpr int kOrdStatus = 39;
constexpr int kOrdType = 40;
constexpr int kOrigClOrdId = 41;
constexpr int kPossDupFlag = 43;
constexpr int kPrice = 44;
constexpr int kRefSeqNum = 45;
constexpr int kSenderCompId = 49;
constexpr int kSendingTime = 52;
constexpr int kSide = 54;
constexpr int kSymbol = 55;
constexpr int kTargetCompId = 56;
constexpr int kText = 58;
constexpr int kTimeInForce = 59;
constexpr int kTransactTime = 60;
constexpr int kPossResend = 97;
constexpr int kEncryptMethod = 98;
constexpr int kStopPx = 99;
constexpr int kCxlRejReason = 102;
constexpr int kOrdRejReason = 103;
constexpr int kHeartBtInt = 108;
constexpr int kMinQty = 110;
constexpr int kMaxFloor = 111;
constexpr int kTestReqId = 112;
constexpr int kOrigSendingTime = 122;
constexpr int kGapFillFlag = 123;
constexpr int kDeliverToCompId = 128;
constexpr int kResetSeqNumFlag = 141;
constexpr int kNoRelatedSym = 146;
constexpr int kExecType = 150;
constexpr int kLeavesQty = 151;
constexpr int kMdReqId = 262;
constexpr int kSubscriptionRequestType = 263;
constexpr int kMarketDepth = 264;
constexpr int kMdUpdateType = 265;
constexpr int kNoMdEntryTypes = 267;
constexpr int kNoMdEntries = 268;
constexpr int kMdEntryType = 269;
constexpr int kMdEntryPx = 270;
constexpr int kMdEntrySize = 271;
constexpr int kMdUpdateAction = 279;
constexpr int kMdReqRejReason = 281;
constexpr int kMdEntryPositionNo = 290;
constexpr int kRefTagId = 371;
constexpr int kRefMsgType = 372;
constexpr int kSessionRejectReason = 373;
constexpr int kBusinessRejectRefId = 379;
constexpr int kBusinessRejectReason = 380;
constexpr int kCxlRejResponseTo = 434;
constexpr int kOrdStatusReqId = 790;
}  // namespace tag

struct Field {
    int tag;
    std::string text;
};

using Fields = std::vector<Field>;

// A repeating group: its counter tag and one list of fields per entry, in the order they go out.
struct EntryGroup {
    int counter = 0;
    std::vector<Fields> entries;
};

// A message to send. The engine adds the header and sorts `fields` by tag; groups follow in their order.
struct OutgoingMessage {
    std::string type;
    Fields fields;
    std::vector<EntryGroup> groups;
};

// Where a message stands among those of its client: numbers begin anew with each generation.
struct ReceivedAs {
    std::uint32_t generation = 0;
    int number = 0;  // MsgSeqNum(34); 0: none
};

// A message as received: header, body and group fields in the order of the wire, texts untouched, a tag as
// often as it came.
struct IncomingMessage {
    std::string client;
    Fields fields;
    ReceivedAs as{};

    const std::string* find(int wanted) const {
        for (const Field& field : fields) {
            if (field.tag == wanted) return &field.text;
        }
        return nullptr;
    }
    // The text of a tag, empty if it is not there.
    std::string text(int wanted) const {
        const std::string* found = find(wanted);
        return found == nullptr ? std::string() : *found;
    }
    std::vector<std::string> all(int wanted) const {
        std::vector<std::string> result;
        for (const Field& field : fields) {
            if (field.tag == wanted) result.push_back(field.text);
        }
        return result;
    }
};

}  // namespace exchange
}  // namespace fixaccel
