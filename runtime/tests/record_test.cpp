// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/record.hpp"

#include "fixaccel/journal.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace fixaccel {
namespace {

using nlohmann::json;

std::string written(const Record& record) {
    std::string out = "{";
    record.write_fields(out);
    return out + '}';
}

std::string dumped(const json& value) { return value.dump(-1, ' ', true); }

TEST(RecordText, IsThatOfItsJson) {
    const Record record{{"type", "fire"},
                        {"seq", 7},
                        {"least", std::numeric_limits<std::int64_t>::min()},
                        {"most", std::numeric_limits<std::uint64_t>::max()},
                        {"dry", true},
                        {"price", 0.25},
                        {"nothing", RecordValue()},
                        {"message",
                         "8=FIX.4.4\x01"
                         "35=D\x01"},
                        {"odd", "\"\\\n\x7f \xc3\xbc \xf0\x9f\x98\x80"},
                        {"empty", ""},
                        {"names", std::vector<std::string>{"a", "\x01"}},
                        {"parts", json{{"b", {1, 2.5, nullptr}}, {"a", "x"}}}};
    EXPECT_EQ(written(record), dumped(record.as_json()));
    EXPECT_EQ(Record::parse(written(record)), record);
    EXPECT_EQ(Record(json::parse(written(record))), record);
}

TEST(RecordText, OfAnyByteIsThatOfItsJson) {
    for (int byte = 0; byte < 256; ++byte) {
        const Record record{{"message", bytes_to_text("a" + std::string(1, static_cast<char>(byte)) + "b")}};
        EXPECT_EQ(written(record), dumped(record.as_json())) << byte;
    }
}

TEST(FieldWriter, WritesWhatTheRecordWould) {
    std::string text;
    FieldWriter write(text);
    write("a", "\x01\xc3\xbc\"");
    write("b", std::uint32_t{7});
    write("c", std::numeric_limits<std::int64_t>::min());
    write("d", true);
    write.json("e", "[[1,true]]");
    write("f", std::string());
    const Record record{{"a", "\x01\xc3\xbc\""},
                        {"b", 7},
                        {"c", std::numeric_limits<std::int64_t>::min()},
                        {"d", true},
                        {"e", json::parse("[[1,true]]")},
                        {"f", ""}};
    EXPECT_EQ("{" + text + "}", written(record));
}

TEST(RecordText, ThatIsNoUtf8IsRefusedAsJsonDoes) {
    EXPECT_THROW(written({{"text", "\xff"}}), json::exception);
    EXPECT_FALSE(Record::parse("{\"text\":\"\xff\"}"));
}

TEST(RecordText, ThatIsNoObjectIsNone) {
    for (const char* text :
         {"", "7", "\"a\"", "[{}]", "null", "{", "{\"a\":1", "{\"a\":1}}", "{\"a\":[1}", "{}{}"})
        EXPECT_FALSE(Record::parse(text)) << text;
    EXPECT_EQ(Record::parse("{}"), Record());
    EXPECT_THROW(Record(json(7)), JournalError);
}

TEST(RecordText, OfAKeyTheLastOneCounts) {
    EXPECT_EQ(Record::parse(R"({"b":1,"a":1,"b":{"c":1,"c":2},"a":[]})"),
              Record({{"a", json::array()}, {"b", json{{"c", 2}}}}));
}

TEST(RecordField, IsSetReplacedAndErased) {
    Record record;
    record["b"] = 2;
    record["a"] = "x";
    record["b"] = -2;
    EXPECT_EQ(record, Record({{"a", "x"}, {"b", -2}}));
    record.erase("a");
    record.erase("none");
    EXPECT_EQ(record, Record({{"b", -2}}));
    EXPECT_TRUE(record.contains("b"));
    EXPECT_EQ(record.value("a", 7), 7);
    EXPECT_EQ(record.value("b", 7), -2);
    EXPECT_EQ(record.value("a", ""), "");
}

// However it was made: a load's record is compared with one that was read.
TEST(RecordField, IsTheSameForTheSameNumber) {
    EXPECT_EQ(RecordValue(7), RecordValue(std::uint64_t{7}));
    EXPECT_EQ(RecordValue(7), RecordValue(json(7)));
    EXPECT_NE(RecordValue(7), RecordValue("7"));
    EXPECT_NE(RecordValue(1), RecordValue(true));
}

TEST(RecordField, OfAnotherKindIsRefusedByName) {
    const Record record{{"text", "x"}, {"number", 7}, {"list", json::array({1})}, {"yes", true}};
    EXPECT_THROW(record.at("text").get<int>(), JournalError);
    EXPECT_THROW(record.at("text").get<bool>(), JournalError);
    EXPECT_THROW(record.at("number").text(), JournalError);
    EXPECT_THROW(record.at("number").parts(), JournalError);
    EXPECT_THROW(record.at("yes").get<int>(), JournalError);
    EXPECT_EQ(record.at("list").get<std::vector<int>>(), std::vector<int>{1});
    try {
        record.at("none");
        FAIL();
    } catch (const JournalError& error) {
        EXPECT_NE(std::string(error.what()).find("none"), std::string::npos);
    }
}

class RandomJson {
  public:
    explicit RandomJson(unsigned seed) : random_(seed) {}

    json object(int depth) {
        json out = json::object();
        for (unsigned fields = below(9); fields > 0; --fields) out[text()] = value(depth);
        return out;
    }

  private:
    unsigned below(unsigned bound) { return word() % bound; }
    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
    std::string text() {
        static const std::string kPieces[] = {"a", "b|",   "\x01",     "\"",           "\\",
                                              "/", "\x7f", "\xc2\x80", "\xe2\x82\xac", " "};
        std::string out;
        for (unsigned pieces = below(6); pieces > 0; --pieces) out += kPieces[below(std::size(kPieces))];
        return out;
    }
    json value(int depth) {
        switch (below(depth > 0 ? 8 : 6)) {
            case 0:
                return nullptr;
            case 1:
                return below(2) == 0;
            case 2:
                return std::int64_t{word()} - (std::int64_t{1} << 31);
            case 3:
                return std::uint64_t{word()} << below(33);
            case 4:
                return below(1000) / 8.0;
            case 5:
                return text();
            case 6:
                return object(depth - 1);
            default: {
                json list = json::array();
                for (unsigned size = below(4); size > 0; --size) list.push_back(value(depth - 1));
                return list;
            }
        }
    }

    std::mt19937 random_;
};

TEST(RecordText, IsThatOfAnyJson) {
    RandomJson random(5);
    for (int i = 0; i < 3000; ++i) {
        const json object = random.object(3);
        const Record record(object);
        ASSERT_EQ(written(record), dumped(object));
        ASSERT_EQ(record.as_json(), object);
        ASSERT_EQ(Record::parse(dumped(object)), record) << dumped(object);
    }
}

}  // namespace
}  // namespace fixaccel
