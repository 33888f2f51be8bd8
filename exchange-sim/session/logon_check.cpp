// SPDX-License-Identifier: Apache-2.0
#include "session/logon_check.hpp"

#include <quickfix/Message.h>

#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {
namespace {

constexpr long kLongestHeartbeat = 3600;
// Of messages that a client says to have sent and that never came.
constexpr long kLargestGap = 1000000;
constexpr std::size_t kDigits = 18;
constexpr long kNoNumber = -1;

long whole_number(const std::string& text) {
    if (text.empty() || text.size() > kDigits || text.find_first_not_of("0123456789") != std::string::npos)
        return kNoNumber;
    return std::stol(text);
}

// As the dictionary sees it; the engine would reject it in a session that does not exist yet.
std::string dictionary_problem(const FIX::DataDictionary& dictionary, const std::string& raw) {
    try {
        const FIX::Message logon(raw, dictionary, true);
        dictionary.validate(logon);
    } catch (const FIX::InvalidMessage&) {
        return std::string();
    } catch (const FIX::RequiredTagMissing& error) {
        return "Required tag missing (" + std::to_string(error.field) + ")";
    } catch (const FIX::FieldNotFound& error) {
        return "Required tag missing (" + std::to_string(error.field) + ")";
    } catch (const FIX::TagNotDefinedForMessage& error) {
        return "Tag not defined for this message type (" + std::to_string(error.field) + ")";
    } catch (const FIX::InvalidTagNumber& error) {
        return "Invalid tag number (" + std::to_string(error.field) + ")";
    } catch (const FIX::IncorrectTagValue& error) {
        return "Value is incorrect (out of range) for this tag (" + std::to_string(error.field) + ")";
    } catch (const FIX::IncorrectDataFormat& error) {
        return "Incorrect data format for value (" + std::to_string(error.field) + ")";
    } catch (const FIX::UnsupportedVersion&) {
        return "Incorrect BeginString";
    } catch (const FIX::Exception& error) {
        return error.what();
    }
    return std::string();
}

}  // namespace

std::string logon_problem(const SessionConfig& config, const FIX::DataDictionaryProvider& dictionaries,
                          const std::string& raw, int next_target) {
    if (config.validate) {
        const std::string problem = dictionary_problem(
            dictionaries.getSessionDataDictionary(FIX::BeginString(config.begin_string)), raw);
        if (!problem.empty()) return problem;
    }
    const long number = whole_number(field_text(raw, tag::kMsgSeqNum));
    if (number < 1) return "MsgSeqNum(34) must be a whole number from 1";
    if (field_text(raw, tag::kEncryptMethod) != "0") return "EncryptMethod(98) must be 0";
    const long heartbeat = whole_number(field_text(raw, tag::kHeartBtInt));
    if (config.heartbeat_seconds != 0 && heartbeat != config.heartbeat_seconds)
        return "HeartBtInt(108) must be " + std::to_string(config.heartbeat_seconds);
    // 0, no heartbeats at all, is FIX, but the venue would never notice that its client is gone.
    if (heartbeat < 1 || heartbeat > kLongestHeartbeat)
        return "HeartBtInt(108) must be from 1 to " + std::to_string(kLongestHeartbeat);
    const bool reset = config.reset_on_logon || field_text(raw, tag::kResetSeqNumFlag) == "Y";
    if (reset && number != 1) return "MsgSeqNum(34) must be 1, as sequence numbers are reset";
    if (number - next_target > kLargestGap)
        return "MsgSeqNum(34) is too far ahead, expecting " + std::to_string(next_target);
    return std::string();
}

}  // namespace exchange
}  // namespace fixaccel
