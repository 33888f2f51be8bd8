// SPDX-License-Identifier: Apache-2.0
// What a FIX session must make of right and wrong messages: the behaviours that QuickFIX's acceptance
// definitions of a FIX 4.4 server name, in words of our own, and those that are the venue's choice.
#include "tests/session_cases.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "session/raw_message.hpp"
#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

std::string with_times(const std::string& text) {
    return std::regex_replace(text, std::regex("<TIME>"), utc_text());
}

// Empty where the message has them all, else the first that it has not.
std::string first_difference(const IncomingMessage& message, const std::string& type,
                             const std::string& fields) {
    if (message.text(tag::kMsgType) != type) return "35=" + type;
    const std::regex each(R"((\d+)=([^|]*))");
    for (std::sregex_iterator field(fields.begin(), fields.end(), each), end; field != end; ++field) {
        const std::string* text = message.find(std::stoi((*field)[1]));
        if ((*field)[2] == "-") {
            if (text != nullptr) return (*field)[0];
            continue;
        }
        if (text == nullptr || ((*field)[2] != "*" && *text != (*field)[2])) return (*field)[0];
    }
    return "";
}

class SessionCases : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        SessionConfig config;
        config.comp_id = "SIMULATOR";
        config.clients = {"CLIENT1"};
        events = new EchoEvents;
        host = new SessionHost(config, *events);
        events->attach(host);
        host->start();
    }
    static void TearDownTestSuite() {
        delete host;
        delete events;
    }

    void play(const SessionCase& each) {
        SCOPED_TRACE(each.name);
        RawClient client(host->port());
        if (each.logs_on) {
            play_line(client, "> A 98=0|108=30|141=Y");
            play_line(client, "< A ");
        }
        for (const std::string& line : each.lines) {
            play_line(client, line);
            if (HasFatalFailure()) return;
        }
        if (!each.logs_out) return;
        for (const char* line : {"> 1 112=IN-STEP", "< 0 112=IN-STEP", "> 5 ", "< 5 ", "closed"}) {
            play_line(client, line);
            if (HasFatalFailure()) return;
        }
    }

    void play_line(RawClient& client, const std::string& line) {
        const std::string text = with_times(line);
        std::smatch part;
        if (text == "closed") {
            ASSERT_TRUE(client.closed()) << "the venue keeps the connection";
        } else if (std::regex_match(text, part, std::regex(R"(! \{(.*)\}(.*))"))) {
            client.send_bytes(framed(part[2], part[1]));
        } else if (text[0] == '!') {
            std::string bytes = text.substr(2);
            std::replace(bytes.begin(), bytes.end(), '|', kSoh);
            client.send_bytes(bytes);
        } else if (std::regex_match(text, part, std::regex(R"(>\+(\d+) (\S+) ?(.*))"))) {
            client.next_number += std::stoi(part[1]);
            client.send(part[2], part[3]);
        } else if (std::regex_match(text, part, std::regex(R"(>(-?\d+) (\S+) ?(.*))"))) {
            client.send_as(part[1], part[2], part[3]);
        } else if (std::regex_match(text, part, std::regex(R"(> (\S+) ?(.*))"))) {
            client.send(part[1], part[2]);
        } else if (std::regex_match(text, part, std::regex(R"(< (\S+) ?(.*))"))) {
            const auto message = client.next();
            ASSERT_TRUE(message.has_value()) << "nothing came for " << line;
            ASSERT_EQ(first_difference(*message, part[1], part[2]), "")
                << line << "\n  came: " << shown(client.bytes());
        } else {
            FAIL() << "no such line: " << line;
        }
    }

    static EchoEvents* events;
    static SessionHost* host;
};

EchoEvents* SessionCases::events = nullptr;
SessionHost* SessionCases::host = nullptr;

TEST_F(SessionCases, Logons) {
    for (const SessionCase& each : logon_cases()) play(each);
}

TEST_F(SessionCases, NumbersAndGarbledMessages) {
    for (const SessionCase& each : number_cases()) play(each);
}

TEST_F(SessionCases, Fields) {
    for (const SessionCase& each : field_cases()) play(each);
}

TEST_F(SessionCases, ASecondConnectionOfAClientIsRefused) {
    RawClient first(host->port());
    play_line(first, "> A 98=0|108=30|141=Y");
    play_line(first, "< A ");
    RawClient second(host->port());
    play_line(second, "> A 98=0|108=30|141=Y");
    play_line(second, "closed");
    for (const char* line : {"> 1 112=STILL-HERE", "< 0 112=STILL-HERE", "> 5 ", "< 5 ", "closed"})
        play_line(first, line);
}

// 4a and 6: by the clock, a second at a time.
TEST_F(SessionCases, HeartbeatsThenATestRequestThenTheEnd) {
    RawClient client(host->port());
    for (const char* line : {"> A 98=0|108=1|141=Y", "< A ", "< 0 ", "< 1 112=TEST"}) play_line(client, line);
    EXPECT_TRUE(client.closed());
    EXPECT_TRUE(events->wait_note("Timed out waiting for heartbeat"));
}

}  // namespace
}  // namespace fixaccel::exchange
