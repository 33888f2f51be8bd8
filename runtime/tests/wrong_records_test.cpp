// SPDX-License-Identifier: Apache-2.0
// Records that are whole and make no sense: a start refuses them, and says so.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "fixaccel/ledger.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr int kMost = std::numeric_limits<int>::max();

const json kLoad{{"type", "load"},
                 {"generation", 1},
                 {"bundle", "b"},
                 {"path", "p"},
                 {"strategy", "s"},
                 {"rules", {{{"id", "a"}, {"hash", "h"}}}},
                 {"links", {{{"senders", {{0, 0}}}, {"cancels", {{0, 0}}}, {"arms", json::array()}}}},
                 {"watches", json::array()}};

json fire(const char* key, const json& value) {
    json record{{"type", "fire"},   {"entry", 1},   {"generation", 1},      {"rule_index", 0},
                {"rule", "a"},      {"hash", "h"},  {"outcome", "sent"},    {"fires", 1},
                {"side", "buy"},    {"qty", "1"},   {"instrument", "MSFT"}, {"trigger_time_ns", 1},
                {"msg_seq_num", 1}, {"payload", ""}};
    record[key] = value;
    return record;
}

json links(const char* which, const json& ranges) {
    json load = kLoad;
    load["links"][0][which] = ranges;
    return load;
}

// Of a load that keeps the rule of kLoad.
json kept(const json& runs, std::uint32_t of = 1, const json& rules = json::array()) {
    json load = kLoad;
    load["generation"] = 2;
    load["rules"] = rules;
    load["kept"] = runs;
    load["kept_of"] = of;
    return load;
}

class WrongRecordsTest : public ::testing::Test {
  protected:
    void write(const std::vector<json>& records) const {
        std::ofstream out(segment_path(folder_.path(), 1), std::ios::binary | std::ios::trunc);
        for (const json& record : records) out << journal_line(record);
    }
    void start() const {
        Journal journal(folder_.path());
        const Ledger ledger(journal);
    }
    ScratchFolder folder_;
};

TEST_F(WrongRecordsTest, AreRefused) {
    const std::vector<std::vector<json>> wrong{
        {{{"kind", "out"}}},
        {{{"type", 7}}},
        {{{"type", "limit_set"}, {"limit", "collar"}, {"value", "5%"}, {"reason", "r"}}},
        {{{"type", "out"}, {"seq", kMost}, {"message", ""}}},
        {{{"type", "out"}, {"seq", 0}, {"message", ""}}},
        {{{"type", "out"}, {"seq", "1"}, {"message", ""}}},
        {{{"type", "out"}, {"seq", 1}, {"message", "\u20ac"}}},
        {links("cancels", {{0, 1}})},  // of rules that are not there
        {links("arms", {{1, 1}})},
        {links("senders", {{0, 0}, {0, 7}})},
        {kept({{0, 0, 1}})},  // there is no load before it
        {kLoad, kept({{0, 0, 1}}, 7)},
        {kLoad, kept({{0, 0, 2}})},
        {kLoad, kept({{0, 2, 0}})},
        {kLoad, kept({{0, 0, 1}, {0, 0, 1}})},
        {kLoad, kept({{1, 0, 1}})},
        {kLoad, kept({{0, 0, -1}})},
        {kLoad, kept({{0, 0}})},
        {kLoad, kept({})},  // its links are of rules that are gone
        {fire("msg_seq_num", kMost)},
        {fire("msg_seq_num", -1)},
        {{{"type", "note"}, {"text", ""}, {"time_ns", nullptr}}},
        {{{"type", "note"}, {"text", ""}, {"time_ns", true}}},
        {kLoad, {{"type", "trails"}, {"generation", 1}, {"trails", {{5, true, true, 1, 1}}}}},
    };
    for (const std::vector<json>& records : wrong) {
        write(records);
        EXPECT_THROW(start(), JournalError) << json(records).dump();
    }
}

// Was it the last word, the next start writes what became of it.
TEST_F(WrongRecordsTest, AnIntentHasAllThatItsFireIsMadeOf) {
    json intent = fire("type", "intent");
    intent["cl_ord_id"] = "X1";
    intent["where"] = "runtime";
    for (const char* key : {"entry", "outcome", "msg_seq_num", "payload"}) intent.erase(key);
    const json out{{"type", "out"},
                   {"seq", 1},
                   {"message",
                    "35=D\x01"
                    "11=X1\x01"}};
    write({kLoad, intent, out});
    EXPECT_NO_THROW(start());
    for (const auto& [key, value] : intent.items()) {
        json less = intent;
        less.erase(key);
        for (const auto& records : {std::vector<json>{kLoad, less, out}, {kLoad, less}}) {
            write(records);
            EXPECT_THROW(start(), JournalError) << "without " << key;
        }
    }
    for (const auto& [key, value] : {std::pair<const char*, json>{"where", "fabric"}, {"found", "2"}}) {
        json other = intent;
        other[key] = value;
        write({kLoad, other});
        EXPECT_THROW(start(), JournalError) << key;
    }
}

TEST_F(WrongRecordsTest, AnIntentByHandHasAllThatWhatBecomesOfItIsMadeOf) {
    const json intent{{"type", "by_hand_intent"}, {"number", 1},   {"request", "order"},
                      {"cl_ord_id", "X1"},        {"side", "buy"}, {"instrument", "MSFT"},
                      {"counts_qty", "1"},        {"by", "a desk"}};
    write({kLoad, intent});
    EXPECT_NO_THROW(start());
    for (const char* key : {"number", "cl_ord_id", "side", "instrument", "counts_qty"}) {
        json other = intent;
        other[key] = nullptr;
        write({kLoad, other});
        EXPECT_THROW(start(), JournalError) << key;
    }
}

TEST_F(WrongRecordsTest, QuantitiesDoNotWrapAround) {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    write({fire("qty", std::to_string(kAll)), fire("entry", 2)});
    Journal journal(folder_.path());
    const Ledger ledger(journal);
    EXPECT_EQ(ledger.sent_orders().quantities.at("MSFT").bought, kAll);
}

TEST_F(WrongRecordsTest, ASnapshotOfNoFormatIsOfAnotherVersion) {
    write({{{"type", "note"}, {"text", "a"}}, {{"type", "note"}, {"text", "b"}}});
    for (const json& snapshot : {json{{"format", "2"}, {"record", 1}, {"state", json::object()}},
                                 json{{"format", 2}, {"record", "1"}, {"state", json::object()}},
                                 json{{"format", 2}, {"record", 1}}}) {
        std::ofstream(folder_.path() / "snapshot-000000000001", std::ios::trunc) << journal_line(snapshot);
        EXPECT_EQ(read_journal(folder_.path()).records.size(), 2U) << snapshot.dump();
        EXPECT_EQ(read_journal(folder_.path()).problems.size(), 1U);
    }
}

}  // namespace
}  // namespace fixaccel
