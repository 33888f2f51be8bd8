// SPDX-License-Identifier: Apache-2.0
// Requests about sessions, and what goes wrong with them on purpose.
#include <chrono>

#include "control/requests.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::int64_t kMostNumber = 2'000'000'000;
constexpr std::int64_t kMostMs = 86'400'000;
constexpr std::int64_t kMostCount = 1'000'000;
constexpr std::int64_t kMostTestRequests = 10'000;
constexpr std::size_t kMostText = 200;

// FIX texts are printable; what is none would end the field, or the message.
std::string printable(const std::string& key, const std::string& text) {
    for (const char each : text) {
        if (static_cast<unsigned char>(each) < ' ' || each == '\x7f')
            throw RequestError("\"" + key + "\" must be printable");
    }
    if (text.size() > kMostText)
        throw RequestError("\"" + key + "\" is longer than " + std::to_string(kMostText) + " characters");
    return text;
}

Fault::Kind kind_of(const std::string& name) {
    Fault::Kind kind{};
    if (parse_fault_kind(name, kind)) return kind;
    std::vector<std::string> known;
    for (int each = 0; *fault_name(static_cast<Fault::Kind>(each)) != '\0'; ++each)
        known.emplace_back(fault_name(static_cast<Fault::Kind>(each)));
    throw RequestError("unknown fault '" + name.substr(0, 40) + "'", "there is " + listed(known));
}

// Their "count" says how much, not how often: none of it would be nothing.
bool counts_much(Fault::Kind kind) {
    return kind == Fault::Kind::kSequenceJump || kind == Fault::Kind::kTestRequests;
}

int number(Asked& asked, const std::string& key, std::int64_t otherwise, std::int64_t least) {
    return static_cast<int>(asked.whole(key, otherwise, least, kMostNumber));
}

}  // namespace

ControlJson ControlRequests::logout(Asked& asked) {
    const std::string& name = client(asked).name;
    const std::string text = printable("text", asked.text("text", "the venue logs out"));
    asked.end();
    venue_.log_out(name, text);
    return ControlJson::object();
}

ControlJson ControlRequests::resend(Asked& asked) {
    const std::string& name = client(asked).name;
    const int begin = number(asked, "begin", 1, 1);
    const int end = number(asked, "end", 0, 0);
    asked.end();
    venue_.send(
        name, {"2", {{tag::kBeginSeqNo, std::to_string(begin)}, {tag::kEndSeqNo, std::to_string(end)}}, {}});
    return ControlJson::object();
}

ControlJson ControlRequests::test_request(Asked& asked) {
    const std::string& name = client(asked).name;
    asked.end();
    venue_.send(name, {"1", {{tag::kTestReqId, "CONTROL"}}, {}});
    return ControlJson::object();
}

ControlJson ControlRequests::fault(Asked& asked) {
    const std::string& name = client(asked).name;
    Fault fault;
    fault.kind = kind_of(asked.text("kind"));
    fault.time = std::chrono::milliseconds(asked.whole("time_ms", 0, 0, kMostMs));
    const bool much = counts_much(fault.kind);
    fault.count = static_cast<unsigned>(
        asked.whole("count", much ? 1 : 0, much ? 1 : 0,
                    fault.kind == Fault::Kind::kTestRequests ? kMostTestRequests : kMostCount));
    fault.types = printable("types", asked.text("types", ""));
    fault.begin = number(asked, "begin", 1, 1);
    fault.end = number(asked, "end", 0, 0);
    fault.seed = static_cast<std::uint64_t>(asked.whole("seed", 1, 0, INT64_MAX));
    asked.end();
    venue_.fault(name, fault);
    return ControlJson::object();
}

}  // namespace fixaccel::exchange
