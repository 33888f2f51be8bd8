// SPDX-License-Identifier: Apache-2.0
// Random bytes, right and wrong messages on many sockets: whatever comes, the venue lives, holds its bounds,
// and serves whoever behaves. The seed is printed with a failure; SESSION_FUZZ_SEED and SESSION_FUZZ_ROUNDS
// make it a campaign.
#include <gtest/gtest.h>

#include <cstdlib>
#include <list>
#include <random>

#include "session/raw_message.hpp"
#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

unsigned long setting(const char* name, unsigned long otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

class SessionFuzzTest : public SessionTest {
  protected:
    using Random = std::mt19937_64;

    static constexpr std::size_t kMostIdle = 300;

    static std::size_t below(Random& random, std::size_t end) { return random() % end; }

    static std::string number(Random& random) {
        static const std::vector<std::string> odd = {"0",          "1",          "2",  "-1",  "00007",
                                                     "2147483647", "2147483648", "+1", "1e9", "4294967296",
                                                     "99999",      "1000000000", "",   "x"};
        return below(random, 2) == 0 ? odd[below(random, odd.size())] : std::to_string(below(random, 50));
    }

    // A message of any type with fields of any kind, with its sums or with wrong ones.
    static std::string message(Random& random) {
        static const std::vector<std::string> types = {"A", "0", "1", "2", "3", "4", "5",  "D",
                                                       "V", "F", "G", "j", "8", "n", "XX", "\x80"};
        static const std::vector<int> tags = {
            7,  11, 16, 34, 36,  38,  40,  43,  44,  52,  54,  55,  58,  59,  60,  89,  90,   91,      93,
            95, 96, 97, 98, 108, 112, 122, 123, 141, 146, 212, 213, 262, 267, 269, 369, 5000, 99999999};
        std::string fields = "35=" + types[below(random, types.size())] + "|34=" + number(random) +
                             "|49=CLIENT1|52=" + utc_text() + "|56=SIMULATOR";
        for (std::size_t count = below(random, 12); count > 0; --count)
            fields += "|" + std::to_string(tags[below(random, tags.size())]) + "=" +
                      (below(random, 3) == 0 ? utc_text() : number(random));
        std::string bytes = framed(fields, below(random, 20) == 0 ? "FIX.4.2" : "FIX.4.4");
        switch (below(random, 8)) {
            case 0:  // a byte that is another
                bytes[below(random, bytes.size())] = static_cast<char>(random());
                break;
            case 1:  // bytes missing
                bytes.erase(below(random, bytes.size()), 1 + below(random, 20));
                break;
            case 2:  // bytes twice
                bytes.insert(below(random, bytes.size()), bytes.substr(below(random, bytes.size()), 30));
                break;
            case 3:  // no message at all
                for (char& each : bytes) each = static_cast<char>(random());
                break;
            default:
                break;
        }
        return bytes;
    }

    static void send_split(RawClient& client, const std::string& bytes, Random& random) {
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t size = 1 + below(random, bytes.size());
            if (!client.send_bytes(bytes.substr(at, size))) return;
            at += size;
        }
    }
};

TEST_F(SessionFuzzTest, LivesThroughAnything) {
    const unsigned long first = setting("SESSION_FUZZ_SEED", 1);
    const unsigned long rounds = setting("SESSION_FUZZ_ROUNDS", 60);
    RawClient good = logged_on("CLIENT2");
    std::list<RawClient> idle;
    for (unsigned long seed = first; seed < first + rounds; ++seed) {
        SCOPED_TRACE("SESSION_FUZZ_SEED=" + std::to_string(seed) + " SESSION_FUZZ_ROUNDS=1");
        Random random(seed);
        {
            RawClient wild = client();
            if (below(random, 8) != 0) wild.log_on();
            for (std::size_t count = 1 + below(random, 40); count > 0; --count)
                send_split(wild, message(random), random);
            if (below(random, 2) == 0) wild.next(std::chrono::milliseconds(below(random, 3)));
        }
        if (below(random, 4) == 0) idle.push_back(client());
        if (idle.size() > kMostIdle) idle.pop_front();
        good.send("1", "112=" + std::to_string(seed));
        const auto answer = good.next("0");
        ASSERT_TRUE(answer.has_value());
        ASSERT_EQ(answer->text(tag::kTestReqId), std::to_string(seed));
    }
    // Whoever was wild can come back and behave.
    ASSERT_TRUE(events.wait([&] { return !host->logged_on("CLIENT1"); }));
    RawClient tame = logged_on();
    tame.send("D", order_fields("A"));
    EXPECT_EQ(tame.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "A");
}

}  // namespace
}  // namespace fixaccel::exchange
