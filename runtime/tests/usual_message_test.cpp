// SPDX-License-Identifier: Apache-2.0
// Market data that come in their turn do not go through the engine; what it then believes, and what it does,
// is what it would be if they had.
#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "fix_session_fixture.hpp"

namespace fixaccel {
namespace {

using test::FixSessionTest;
using test::framed;
using test::Texts;

// What a venue may say next, as text between header and trailer, with `%` for a field that makes the engine
// look at market data by itself, and says nothing.
struct Said {
    std::string type, body;
    int number;
    std::string sender = "VENUE";
    int seconds_late = 0;
    bool dup = false;
};

class UsualMessageTest : public FixSessionTest {
  protected:
    static std::string text(const Said& said, bool odd) {
        char time[32];
        const std::time_t when = ::time(nullptr) - said.seconds_late;
        std::strftime(time, sizeof time, "%Y%m%d-%H:%M:%S", std::gmtime(&when));
        return framed("35=" + said.type +
                      "\x01"
                      "34=" +
                      std::to_string(said.number) + "\x01" + (said.dup ? "43=Y\x01" : "") +
                      "49=" + said.sender + "\x01" + (odd ? "50=X\x01" : "") + "52=" + time +
                      "\x01"
                      "56=US\x01" +
                      (said.dup ? "122=" + std::string(time) + "\x01" : "") + said.body);
    }

    // What comes of it, in words.
    std::string live(const std::vector<Said>& script, bool odd) {
        store_.reset();
        transport_.received.clear();
        transport_.disconnected = false;
        log_on();
        std::string all;
        for (const Said& said : script) {
            const bool quotes = said.type == "W" || said.type == "X";
            session_->receive(text(said, quotes && odd));
            session_->tick();
            all += std::to_string(store_.target) + (session_->logged_on() ? " " : " out ") +
                   (transport_.disconnected ? "gone " : "");
        }
        for (const std::string& type : transport_.received) all += type;
        for (const std::string& one : sent()) all += ", " + one;
        session_.reset();
        return all;
    }

    Said next(int& due) {
        const auto below = [this](unsigned limit) { return static_cast<int>(random_() % limit); };
        const std::string entries =
            "55=A\x01"
            "268=1\x01"
            "269=2\x01"
            "270=1\x01";
        Said said{below(2) == 0 ? "W" : "X", entries, due};
        switch (below(14)) {
            case 0:
                said.number += 1 + below(3);
                return said;
            case 1:
                said.number = std::max(1, said.number - 1 - below(3));
                said.dup = below(2) == 0;
                return said;
            case 2:
                said.type = "0", said.body = "";
                break;
            case 3:
                said.type = "1", said.body = "112=T\x01";
                break;
            case 4:
                said.type = "4", said.body =
                                     "123=Y\x01"
                                     "36=" +
                                     std::to_string(due + 3) + "\x01";
                due += 3;
                return said;
            case 5:
                said.seconds_late = below(3) == 0 ? 1000 : 1;
                break;
            case 6:
                if (below(4) == 0) said.sender = "OTHER";
                break;
            default:
                break;
        }
        ++due;
        return said;
    }

    std::mt19937 random_{20261127};
};

TEST_F(UsualMessageTest, TheEngineBelievesWhatItWouldHaveBelieved) {
    for (int run = 0; run < 150; ++run) {
        std::vector<Said> script;
        int due = 2;
        while (script.size() < 16) script.push_back(next(due));
        EXPECT_EQ(live(script, false), live(script, true)) << "run " << run;
        if (HasFailure()) return;
    }
}

TEST_F(UsualMessageTest, AFieldThatMakesItLookDoesNotChangeWhatIsSaid) {
    EXPECT_EQ(live({{"W", "55=A\x01", 2}, {"1", "112=T\x01", 3}}, false), "3 4 AW1, 0 2");
}

// An order that comes of the message is ahead of whatever they have to say.
TEST_F(UsualMessageTest, TimersAreLookedAtOnceItHasBeenEvaluated) {
    log_on(ResendPolicy::resend, 1);
    transport_.sent.clear();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    session_->receive(text({.type = "W", .body = "55=A\x01", .number = store_.next_target()}, false));
    EXPECT_EQ(sent(), Texts{});
    session_->look_at_timers();
    ASSERT_EQ(sent().size(), 1U);
    EXPECT_EQ(sent()[0].substr(0, 1), "0");
    session_->look_at_timers();
    EXPECT_EQ(sent().size(), 1U) << "once";
}

}  // namespace
}  // namespace fixaccel
