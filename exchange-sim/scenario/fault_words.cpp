// SPDX-License-Identifier: Apache-2.0
#include "scenario/fault_words.hpp"

namespace fixaccel::exchange {
namespace {

KeySpec counted(std::string name, Form form, std::string doc, std::int64_t most = 1'000'000'000) {
    KeySpec spec{std::move(name), form, std::move(doc)};
    spec.least = 1;
    spec.most = most;
    return spec;
}

}  // namespace

const std::vector<FaultWord>& fault_words() {
    using Kind = Fault::Kind;
    static const std::vector<FaultWord> words = {
        {Kind::kDelay, "delay", true},
        {Kind::kDrop, "drop", true},
        {Kind::kDuplicate, "duplicate", true},
        {Kind::kGarble, "garble", true},
        {Kind::kHold, "hold", true},
        {Kind::kEarly, "early", true},
        {Kind::kSplit, "split", true},
        {Kind::kSequenceJump, "sequence_jump", false},
        {Kind::kWindowClose, "window_close", false},
        {Kind::kTestRequests, "test_requests", false},
        {Kind::kResendRequest, "resend_request", false},
        {Kind::kDisconnect, "disconnect", false},
        {Kind::kReset, "reset", false},
        {Kind::kNoHeartbeats, "no_heartbeats", false},
        {Kind::kClear, "clear", false},
    };
    return words;
}

KeySpec fault_spec() {
    KeySpec range{"resend_request", Form::kMap, "The venue asks for messages again."};
    range.keys = {counted("begin", Form::kWhole, "First MsgSeqNum."),
                  {"end", Form::kWhole, "Last one; 0 is up to now [0]."}};
    range.keys[0].required = true;
    KeySpec spec{"fault", Form::kMap,
                 "Something goes wrong on a client's session, behind the venue's FIX engine."};
    spec.keys = {
        {"client", Form::kClient, "The client, by its CompID.", true},
        {"delay", Form::kDuration, "Each message leaves that much later, in order."},
        counted("drop", Form::kCount, "So many messages do not leave; their MsgSeqNum is used up."),
        counted("duplicate", Form::kCount, "So many messages leave twice."),
        counted("garble", Form::kCount,
                "So many messages leave with a byte changed: their CheckSum is wrong."),
        {"hold", Form::kTrue, "Messages wait until `clear`: late reports."},
        counted("early", Form::kCount, "So many messages leave ahead of the one before them."),
        counted("split", Form::kCount, "So many messages leave byte by byte."),
        counted("sequence_jump", Form::kWhole, "The venue's next MsgSeqNum is so much higher.", 1'000'000),
        {"window_close", Form::kLasting, "The venue reads nothing for that long: the TCP window closes."},
        counted("test_requests", Form::kWhole, "So many TestRequests leave at once.", 10'000),
        std::move(range),
        {"disconnect", Form::kTrue, "The connection ends, without a Logout."},
        {"reset", Form::kTrue, "The same with a TCP reset."},
        {"no_heartbeats", Form::kLasting, "The venue sends no Heartbeat for that long."},
        {"clear", Form::kTrue, "Ends all faults of the client; what was held or delayed leaves at once."},
        {"types", Form::kTypes, "MsgTypes that are hit [all application messages]."},
        counted("count", Form::kCount, "Messages that `delay` or `hold` hits [all, until `clear`]."),
        {"seed", Form::kWhole, "Which byte `garble` changes [0]."},
    };
    for (const FaultWord& word : fault_words()) spec.one_of.push_back(word.name);
    return spec;
}

}  // namespace fixaccel::exchange
