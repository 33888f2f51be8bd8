// SPDX-License-Identifier: Apache-2.0
// FIX messages on which no FIX engine would have acted.
#include <algorithm>

#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

Field& field(Fields& fields, unsigned tag) {
    return *std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.tag == tag; });
}

void refused(Stage& stage, const std::function<void(Fields&)>& edit) {
    stage.say(stage.stop_with(edit));
    stage.check_orders(0);
}

void nul_symbol(Stage& stage) {
    for (std::size_t size = 1; size < 12; ++size)
        refused(stage, [&](Fields& fields) { field(fields, 55).value += std::string(size, '\0'); });
}
void two_symbols(Stage& stage) {
    refused(stage, [](Fields& fields) { fields.insert(fields.begin() + 5, {55, "OTHER"}); });
}
void sender_comp_id(Stage& stage) {
    refused(stage, [](Fields& fields) { field(fields, 49).value = "STRANGER"; });
}
void target_comp_id(Stage& stage) {
    refused(stage, [](Fields& fields) { field(fields, 56).value = "STRANGER"; });
}
void begin_string(Stage& stage) {
    std::string message = stage.stop();
    message[8] = '2';
    const std::size_t digits = message.size() - 4;
    const std::string sum = std::to_string(fix_sum(std::string_view(message).substr(0, message.size() - 7)));
    message.replace(digits, 3, std::string(3 - sum.size(), '0') + sum);
    stage.say(message);
    stage.episode().idle(5000);
    if (stage.orders() != 0) throw Failure("wrong-fire", "on a message of FIX.4.2");
}
void seq_num_too_high(Stage& stage) {
    stage.say(stage.calm());
    stage.episode().venue().quotes().skip_numbers(5);
    stage.say(stage.stop());
    stage.episode().idle(5000);
    if (stage.orders() != 0) throw Failure("wrong-fire", "on a message behind a gap of MsgSeqNum");
}
void seq_num_too_low(Stage& stage) {
    stage.say(stage.calm());
    stage.episode().venue().quotes().skip_numbers(0U - 1U);
    stage.say(stage.stop());
    stage.episode().idle(5000);
    if (stage.orders() != 0) throw Failure("wrong-fire", "on a message with a MsgSeqNum that was used");
}
void behind_logout(Stage& stage) {
    stage.say(fix_message(stage.episode().venue().quotes().header("5")) + stage.stop());
    stage.episode().idle(5000);
    if (stage.orders() != 0) throw Failure("wrong-fire", "behind a Logout");
}
void poss_dup(Stage& stage) {
    refused(stage, [](Fields& fields) { fields.insert(fields.begin() + 4, {43, "Y"}); });
}
// A header field behind the body: the FIX engine refuses the message, so the parser may stop.
void late_poss_dup(Stage& stage) {
    stage.say(stage.stop_with([](Fields& fields) { fields.push_back({43, "Y"}); }));
    stage.episode().idle(5000);
    if (stage.orders() != 0) throw Failure("wrong-fire", "on a message with PossDupFlag behind its body");
}
void raw_data(Stage& stage) {
    const auto& instrument = stage.episode().rules().instruments()[0];
    const std::string fake = std::string("\x01") + "269=2\x01" +
                             "270=" + decimal_text(instrument.middle - 30 * instrument.tick) + "\x01";
    refused(stage, [&](Fields& fields) {
        fields.push_back({354, std::to_string(fake.size())});
        fields.push_back({355, fake});
    });
}
void bad_checksum(Stage& stage) {
    std::string message = stage.bait();
    message[message.size() - 2] = message[message.size() - 2] == '9' ? '0' : '9';
    stage.say(message);
    stage.check_orders(0);
    const std::string good = stage.stop();
    stage.say(good);
    stage.check_orders(stage.episode().rules().fires(good).size());
}
void short_body(Stage& stage) {
    std::string message = stage.stop();
    const std::size_t at = message.find(
                               "\x01"
                               "9=") +
                           3;
    message[at] = static_cast<char>(message[at] == '1' ? '0' : message[at] - 1);
    stage.say(message);
    stage.check_orders(0);
}
void best_level(Stage& stage) {
    const auto& instrument = stage.episode().rules().instruments()[0];
    // The worse level comes first, the best one is told by its position.
    Fields fields = stage.episode().venue().quotes().header("W");
    fields.push_back({55, instrument.symbol});
    fields.push_back({268, "2"});
    for (const auto& [ticks, position] : {std::pair{-30, "2"}, std::pair{0, "1"}}) {
        fields.push_back({269, "0"});
        fields.push_back({270, decimal_text(instrument.middle + ticks * instrument.tick)});
        fields.push_back({290, position});
    }
    stage.say(fix_message(fields));
    stage.check_orders(0);
}
void equal_prices(Stage& stage) {
    for (unsigned i = 0; i < 2; ++i) stage.say(stage.stop(4));
    stage.episode().audit();
}

constexpr Scenario kScenarios[]{
    {"nul-symbol", "a symbol with a NUL behind it is another symbol", nul_symbol},
    {"two-symbols", "Symbol(55) twice", two_symbols},
    {"sender-comp-id", "SenderCompID(49) of another", sender_comp_id},
    {"target-comp-id", "TargetCompID(56) of another", target_comp_id},
    {"begin-string", "BeginString(8) of another version", begin_string},
    {"seq-num-high", "a gap in MsgSeqNum(34)", seq_num_too_high},
    {"seq-num-low", "a used MsgSeqNum(34) without PossDupFlag", seq_num_too_low},
    {"behind-logout", "market data behind a Logout", behind_logout},
    {"poss-dup", "PossDupFlag=Y", poss_dup},
    {"late-poss-dup", "PossDupFlag=Y behind the prices", late_poss_dup},
    {"raw-data",
     "a data field that begins with SOH: for the FIX engine, which has no dictionary, one without a value",
     raw_data},
    {"bad-checksum", "a wrong CheckSum, then a right one", bad_checksum},
    {"short-body", "a BodyLength that is too small", short_body},
    {"best-level", "MDEntryPositionNo(290)=1 is the best level wherever it stands", best_level},
    {"many-at-once", "rules of one price fire in their order", equal_prices},
};

}  // namespace

std::span<const Scenario> fix_scenarios() { return kScenarios; }

}  // namespace fixaccel::hostile
