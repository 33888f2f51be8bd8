// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "bundle_sha256.hpp"
#include "fake_board.hpp"
#include "fixaccel/bundle.hpp"
#include "temp_dir.hpp"

namespace fixaccel::test {
namespace {

using nlohmann::json;

// The columns of four rules: one that the fabric runs, two rows of a table on mid, a decision.
struct RuleColumns {
    std::map<std::string, std::vector<std::int64_t>> values{{"hash", {10, 0xABC, 20, 0, 30, 0, 40, 0}},
                                                            {"threshold", {118000, 235001, -50, 0}},
                                                            {"qty", {2, 10, 20, 0}},
                                                            {"price", {110000, 0, -5, 0}},
                                                            {"envelope", {0, 1, 1, -1}},
                                                            {"trigger", {0, -1, -1, -1}},
                                                            {"order", {0, -1, -1, -1}},
                                                            {"template", {0, -1, -1, -1}},
                                                            {"placement", {0, 1, 1, 9}},
                                                            {"source", {2, 3, 3, 0}},
                                                            {"direction", {0, 1, 0, 255}},
                                                            {"side", {1, 0, 0, 255}},
                                                            {"type", {1, 0, 1, 255}}};
    std::map<std::string, std::string> types{{"hash", "U64"},  {"threshold", "I64"}, {"qty", "I64"},
                                             {"price", "I64"}, {"envelope", "I32"},  {"trigger", "I32"},
                                             {"order", "I32"}, {"template", "I32"},  {"placement", "U8"},
                                             {"source", "U8"}, {"direction", "U8"},  {"side", "U8"},
                                             {"type", "U8"}};

    [[nodiscard]] std::string file() const {
        json header = {{"__metadata__", {{"note", "skipped"}}}};
        std::string data;
        for (const auto& [name, column] : values) {
            const std::string& type = types.at(name);
            const std::size_t width = type == "U8" ? 1 : type == "I32" ? 4 : 8;
            const std::size_t begin = data.size();
            for (const std::int64_t value : column)
                for (std::size_t i = 0; i < width; ++i)
                    data += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU);
            json shape = {column.size()};
            if (name == "hash") shape = {column.size() / 2, 2};
            header[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, data.size()}}};
        }
        return framed(header.dump(), data);
    }
    static std::string framed(const std::string& header, const std::string& data) {
        std::string length;
        for (std::size_t i = 0; i < 8; ++i) length += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
        return length + header + data;
    }
};

// The smallest whole bundle: one record in every memory, each word telling its memory, without links.
class BundleTest : public ::testing::Test {
  protected:
    BundleTest() {
        manifest = json{
            {"fixaccel", "0.1.0"},
            {"bundle", 2},
            {"hwmap", std::string(hwmap::kHwmapDigest)},
            {"strategy", "test"},
            {"venue",
             {{"name", "simulator"},
              {"session",
               {{"begin_string", "FIX.4.4"},
                {"sender_comp_id", "CLIENT1"},
                {"target_comp_id", "SIMULATOR"},
                {"connect_host", "10.77.0.1"},
                {"connect_port", 9878},
                {"heartbeat_s", 30}}},
              {"market_data", "snapshot"}}},
            {"board", {{"name", "pynq-z1"}, {"capacity", {{"instruments", 8}, {"triggers", 64}}}}},
            {"used", {{"instruments", 1}}},
            {"hash_seed", 0x9E3779B1},
            {"banked", false},
            {"collar", 0x1234567'89ABCDEF},
            {"limits", {{"orders_per_second", 7}, {"total_orders", nullptr}, {"unlimited_orders", false}}},
            {"windows", json::array()},
            {"instruments", {{{"symbol", "MSFT"}, {"index", 0}, {"unit", "0.01"}}}},
            {"rules", {{"file", kRules}, {"count", 4}}},
            {"placement", {{"fabric", 1}, {"runtime", 3}}},
            {"blocks",
             {block("stop", "threshold", 0, 1), block("grid", "threshold", 1, 2),
              block("fair", "decide", 3, 1)}},
            {"envelopes", {{{"tif", "day"}}, {{"tif", "ioc"}, {"account", "DESK"}}}},
            {"inputs", json::object()},
            {"files", json::object()},
            {"memories", json::object()}};
        std::uint32_t mark = 0;
        for (const auto& memory : hwmap::memories) {
            if (!memory.writable || memory.name == "fire_count") continue;
            std::string bytes;
            for (std::uint32_t i = 0; i < memory.window.stride_bytes; i += 4)
                bytes += std::string{char(mark += 2), 0, 0, 0};
            add_memory(std::string(memory.name), 1, bytes);
        }
        manifest["blocks"][1]["many"] = true;
        manifest["blocks"][1]["names"] = {{"1", "own"}};
        add_file(kRules, columns.file());
        save();
    }

    static json block(const char* id, const char* form, int first, int count) {
        return {{"id", id},       {"rule", id},     {"instrument", "MSFT"}, {"form", form},
                {"first", first}, {"count", count}, {"many", false}};
    }
    std::string refusal_with_columns() {
        add_file(kRules, columns.file());
        return refusal();
    }

    void add_file(const std::string& name, const std::string& bytes) {
        directory.write(name, bytes);
        manifest["files"][name] = {{"sha256", sha256_hex(bytes)}, {"bytes", bytes.size()}};
    }
    void add_memory(const std::string& name, int records, const std::string& bytes) {
        add_file("image/" + name + ".bin", bytes);
        manifest["memories"][name] = {{"file", "image/" + name + ".bin"}, {"records", records}};
    }
    void save() { directory.write("manifest.json", manifest.dump()); }
    Bundle read() { return read_bundle(directory.path()); }
    std::string refusal() {
        save();
        try {
            read();
        } catch (const BundleError& error) {
            return error.what();
        }
        return "accepted";
    }

    static constexpr const char* kRules = "image/rules.safetensors";
    TempDir directory;
    json manifest;
    RuleColumns columns;
};

#define EXPECT_REFUSED(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Sha256, KnownAnswers) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(BundleTest, IsReadWhole) {
    const Bundle bundle = read();
    EXPECT_EQ(bundle.strategy, "test");
    EXPECT_EQ(bundle.venue, "simulator");
    EXPECT_EQ(bundle.market_data, "snapshot");
    EXPECT_EQ(bundle.session.connect_port, 9878);
    EXPECT_EQ(bundle.session.target_comp_id, "SIMULATOR");
    EXPECT_EQ(bundle.hash_seed, 0x9E3779B1U);
    EXPECT_EQ(bundle.collar, 0x1234567'89ABCDEFU);
    EXPECT_EQ(bundle.limits.orders_per_second, 7U);
    EXPECT_FALSE(bundle.limits.total_orders || bundle.limits.unlimited_orders);
    EXPECT_EQ(bundle.capacity.at("triggers"), 64U);
    ASSERT_EQ(bundle.instruments.size(), 1U);
    EXPECT_EQ(bundle.instruments[0].unit, "0.01");
    EXPECT_EQ(bundle.memories.size(), 13U);
    EXPECT_EQ(bundle.manifest_sha256, sha256_hex(manifest.dump()));
}

TEST_F(BundleTest, RulesComeFromBlocksAndColumns) {
    const Bundle bundle = read();
    ASSERT_EQ(bundle.rules.size(), 4U);
    const BundleRule& stop = bundle.rules[0];
    EXPECT_EQ(stop.id, "stop");
    EXPECT_EQ(stop.threshold, "1180");
    EXPECT_EQ(stop.order.price, "1100");
    EXPECT_EQ(stop.order.side, "sell");
    EXPECT_EQ(stop.order.account, "");
    EXPECT_EQ(stop.trigger, std::optional<std::uint32_t>(0));
    EXPECT_EQ(stop.hash, "0000000000000abc000000000000000a");
    const BundleRule& first = bundle.rules[1];
    EXPECT_EQ(first.id, "grid[1]");
    EXPECT_EQ(first.source + first.direction + first.threshold, "mid>=1175.005");  // in half units
    EXPECT_EQ(first.order.type + first.order.price + first.order.tif, "marketioc");
    EXPECT_EQ(first.order.account, "DESK");
    EXPECT_FALSE(first.trigger.has_value());
    EXPECT_EQ(bundle.rules[2].id, "own");
    EXPECT_EQ(bundle.rules[2].rule, "grid");
    EXPECT_EQ(bundle.rules[2].index, 2U);
    EXPECT_EQ(bundle.rules[2].threshold, "-0.25");
    EXPECT_EQ(bundle.rules[2].order.price, "-0.05");
    EXPECT_EQ(bundle.rules[3].form, "decide");
    EXPECT_EQ(bundle.rules[3].threshold + bundle.rules[3].direction + bundle.rules[3].order.side, "");
}

TEST_F(BundleTest, ATrailHasNoThresholdAndPerhapsNoPrice) {
    manifest["blocks"][0]["form"] = "trail";
    manifest["placement"] = {{"fabric", 0}, {"runtime", 4}};
    columns.values["direction"][0] = 255;
    columns.values["placement"][0] = 10;
    for (const char* column : {"trigger", "order", "template"}) columns.values[column][0] = -1;
    add_file(kRules, columns.file());
    save();
    EXPECT_EQ(read().rules[0].threshold, "");
    EXPECT_EQ(read().rules[0].order.price, "1100");
    manifest["blocks"][0]["ticks"] = -3;
    save();
    EXPECT_EQ(read().rules[0].order.price, "");
    EXPECT_EQ(read().rules[0].order.type, "limit");
}

TEST_F(BundleTest, BlocksMustHaveAllRulesInOrder) {
    const json whole = manifest;
    manifest["blocks"][1]["first"] = 2;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    manifest = whole;
    manifest["blocks"][1]["count"] = 4;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    manifest = whole;
    manifest["blocks"][1]["count"] = -1;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    manifest = whole;
    manifest["blocks"].erase(2);
    EXPECT_REFUSED(refusal(), "do not have all of its rules");
    manifest = whole;
    manifest["blocks"][0]["many"] = false;
    manifest["blocks"][0]["count"] = 2;
    EXPECT_REFUSED(refusal(), "rule stop is out of order");
    manifest = whole;
    manifest["blocks"][0]["instrument"] = "AAPL";
    EXPECT_REFUSED(refusal(), "AAPL, which is no instrument");
    manifest = whole;
    manifest["blocks"][0]["form"] = "guess";
    EXPECT_REFUSED(refusal(), "no known form: guess");
    for (const char* row : {"2", "-1", "x", "99999999999"}) {
        manifest = whole;
        manifest["blocks"][1]["names"] = {{row, "own"}};
        EXPECT_REFUSED(refusal(), "names a row that it has not");
    }
    manifest = whole;
    manifest["placement"]["fabric"] = 2;
    EXPECT_REFUSED(refusal(), "placement is not that of its rules");
}

TEST_F(BundleTest, ColumnsThatContradictThemselvesAreRefused) {
    const std::vector<std::tuple<const char*, std::size_t, std::int64_t, const char*>> cases{
        {"source", 0, 4, "the source of rule stop"},
        {"direction", 0, 2, "the direction of rule stop"},
        {"direction", 3, 0, "the direction of rule fair"},
        {"side", 1, 2, "the side of rule grid[1]"},
        {"type", 1, 255, "the type of rule grid[1]"},
        {"qty", 0, 0, "the qty of rule stop"},
        {"envelope", 0, 2, "the envelope of rule stop"},
        {"envelope", 0, -1, "the envelope of rule stop"},
        {"trigger", 0, 1, "the trigger of rule stop"},
        {"trigger", 0, -1, "the trigger of rule stop"},
        {"trigger", 1, 0, "the trigger of rule grid[1]"},
        {"order", 0, 9, "the order of rule stop"},
        {"template", 0, 1, "the template of rule stop"},
        {"placement", 0, 1, "the trigger of rule stop"},
        {"placement", 3, 0, "the trigger of rule fair"},
        {"threshold", 0, INT64_MIN, "the threshold of rule stop"},
    };
    const RuleColumns whole = columns;
    for (const auto& [name, row, value, message] : cases) {
        columns = whole;
        columns.values[name][row] = value;
        EXPECT_REFUSED(refusal_with_columns(), message);
    }
}

TEST_F(BundleTest, EveryColumnMustBeThereInItsForm) {
    const RuleColumns whole = columns;
    columns.values.erase("qty");
    EXPECT_REFUSED(refusal_with_columns(), "no column qty of 4 rows");
    columns = whole;
    columns.types["qty"] = "U64";
    EXPECT_REFUSED(refusal_with_columns(), "no column qty of 4 rows");
    columns = whole;
    columns.values["qty"].pop_back();
    EXPECT_REFUSED(refusal_with_columns(), "no column qty of 4 rows");
    columns = whole;
    columns.values["colour"] = {1};
    columns.types["colour"] = "U8";
    EXPECT_REFUSED(refusal_with_columns(), "a column that is not known");
    columns = whole;
    manifest["rules"]["count"] = 5;
    EXPECT_REFUSED(refusal_with_columns(), "of 5 rows");
    manifest["rules"]["file"] = "image/other";
    EXPECT_REFUSED(refusal_with_columns(), "its rules have no hash");
}

TEST_F(BundleTest, ADamagedFileOfRulesIsNoCrash) {
    const std::string huge = R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,1]}})";
    for (const std::string& file :
         {std::string(), std::string("short"), RuleColumns::framed("{}", "left over"),
          RuleColumns::framed("[", ""), RuleColumns::framed("[1]", ""), RuleColumns::framed(huge, "x"),
          RuleColumns::framed(
              R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],)"
              R"("data_offsets":[1,2]}})",
              "ab"),
          RuleColumns::framed(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", "ab"),
          RuleColumns::framed(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "ab"),
          std::string(8, '\xff') + "{}"}) {
        add_file(kRules, file);
        EXPECT_REFUSED(refusal(), "the file of its rules is damaged");
    }
}

TEST_F(BundleTest, AChangedByteIsNamed) {
    directory.write("image/chain.bin", std::string(hwmap::memory::chain.stride_bytes, 'x'));
    EXPECT_REFUSED(refusal(), "image/chain.bin differs from its SHA-256");
}

TEST_F(BundleTest, AnotherLengthIsNamed) {
    directory.write("image/chain.bin", "x");
    EXPECT_REFUSED(refusal(), "image/chain.bin has 1 bytes, the manifest says 8");
}

TEST_F(BundleTest, FilesThatTheFabricDoesNotNeedAreCheckedToo) {
    add_file("client/quickfix.cfg", "[DEFAULT]");
    directory.write("client/quickfix.cfg", "[DEFAULX]");
    EXPECT_REFUSED(refusal(), "client/quickfix.cfg differs");
}

TEST_F(BundleTest, LinksThatLeadNowhereAreRefused) {
    hwmap::order_record order;
    order.set_link(1);
    std::string bytes;
    for (const std::uint32_t word : order.words)
        for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((word >> shift) & 0xFFU);
    add_memory("order", 1, bytes);
    EXPECT_REFUSED(refusal(), "order 0 has links that are not there");
}

TEST_F(BundleTest, AMissingFileIsNamed) {
    std::filesystem::remove(directory.path() / "image/order.bin");
    EXPECT_REFUSED(refusal(), "image/order.bin cannot be read");
}

TEST_F(BundleTest, AnotherHwmapIsRefusedByName) {
    manifest["hwmap"] = std::string(64, '0');
    EXPECT_REFUSED(refusal(), "hwmap mismatch");
}

TEST_F(BundleTest, AnotherBundleVersionIsRefused) {
    manifest["bundle"] = 3;
    EXPECT_REFUSED(refusal(), "bundle version 3, this program reads version 2");
}

TEST_F(BundleTest, PathsOutOfTheBundleAreRefused) {
    for (const char* name : {"../x", "/etc/hostname", "image/../../x"}) {
        json files = manifest["files"];
        manifest["files"][name] = {{"sha256", ""}, {"bytes", 0}};
        EXPECT_REFUSED(refusal(), "outside the bundle");
        manifest["files"] = files;
    }
}

TEST_F(BundleTest, MemoriesMustBeAllThereAndHashed) {
    const json whole = manifest;
    manifest["memories"].erase("trigger");
    EXPECT_REFUSED(refusal(), "not understood");
    manifest = whole;
    manifest["memories"]["cache"] = whole["memories"]["order"];
    EXPECT_REFUSED(refusal(), "a memory that no board has");
    manifest = whole;
    manifest["memories"]["order"]["records"] = 2;
    EXPECT_REFUSED(refusal(), "memory order: 2 records do not match the 32 bytes");
    manifest = whole;
    manifest["files"].erase("image/order.bin");
    EXPECT_REFUSED(refusal(), "image/order.bin has no hash in the manifest");
}

TEST_F(BundleTest, ARateThatIsNoneIsRefused) {
    for (const auto rate : {0, 1'000'001}) {
        manifest["limits"]["orders_per_second"] = rate;
        EXPECT_NE(refusal().find("orders a second"), std::string::npos) << rate;
    }
    manifest.erase("limits");
    EXPECT_NE(refusal().find("not understood"), std::string::npos);
}

TEST_F(BundleTest, GarbageIsABundleErrorNotACrash) {
    for (const char* text : {"", "{", "[]", "{\"bundle\": 1}", "null"}) {
        directory.write("manifest.json", text);
        EXPECT_THROW(read(), BundleError) << text;
    }
    EXPECT_THROW(read_bundle(directory.path() / "nowhere"), BundleError);
}

TEST_F(BundleTest, LoadWritesEveryTableAndTheSeedDirectoryLast) {
    FakeBoard board;
    const Bundle bundle = read();
    load_bundle(board, bundle);
    for (const auto& memory : bundle.memories)
        for (std::size_t i = 0; i < memory.words.size(); ++i)
            EXPECT_EQ(board.words[memory.base + 4 * static_cast<std::uint32_t>(i)], memory.words[i])
                << memory.name;
    EXPECT_EQ(board.words[hwmap::reg::hash_seed], bundle.hash_seed);
    EXPECT_EQ(board.words.count(hwmap::reg::known_forget), 1U) << "instruments may have other numbers";
    EXPECT_EQ(board.words[hwmap::reg::collar_lo], 0x89ABCDEFU);
    EXPECT_EQ(board.words[hwmap::reg::collar_hi], 0x1234567U);
    EXPECT_EQ(board.writes[1], (std::pair<std::uint32_t, std::uint32_t>{hwmap::reg::orders_left, 0}))
        << "nothing may leave until limits are written";
    EXPECT_EQ(board.writes[2], (std::pair<std::uint32_t, std::uint32_t>{hwmap::memory::live.base, 0}))
        << "nothing is live while the tables change";
    EXPECT_EQ(board.writes[4], (std::pair<std::uint32_t, std::uint32_t>{hwmap::memory::dormant.base, 0}))
        << "and no link makes it so";
    const auto& window = hwmap::memory::directory;
    EXPECT_EQ(board.writes.back().first, hwmap::memory::live.base);
    EXPECT_EQ((board.writes.end() - 2)->first, hwmap::memory::dormant.base);
    EXPECT_EQ((board.writes.end() - 3)->first, window.base + window.stride_bytes - 4);
}

// What a former bundle left where this one has nothing: other slots, other chains, other buckets, other
// orders.
TEST_F(BundleTest, NothingOfAFormerBundleStaysReachable) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            board.words[memory.window.base + i] = 0xDEADBEEF;
    load_bundle(board, read());
    for (const auto& memory : hwmap::memories) {
        if (memory.name != "directory" && memory.name != "displacement" && memory.name != "chain" &&
            memory.name != "order" && memory.name != "live" && memory.name != "dormant" &&
            memory.name != "quantity_left")
            continue;
        for (std::uint32_t i = memory.window.stride_bytes;
             i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            ASSERT_EQ(board.words[memory.window.base + i], 0U) << memory.name << " at " << i;
    }
    EXPECT_EQ(board.words[hwmap::memory::fire_count.base], 0xDEADBEEFU);
}

TEST_F(BundleTest, UnloadLeavesZeroesAndNoCount) {
    FakeBoard board;
    const Bundle bundle = read();
    load_bundle(board, bundle);
    board.words[hwmap::memory::fire_count.base] = 3;
    unload_bundle(board, bundle);
    for (const auto& [addr, word] : board.words) {
        if (addr >= hwmap::memory::directory.base) {
            EXPECT_EQ(word, 0U) << std::hex << addr;
        }
    }
}

TEST_F(BundleTest, ClearTablesZeroesAllThatCanBeWritten) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            board.words[memory.window.base + i] = 1;
    clear_tables(board);
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            ASSERT_EQ(board.words[memory.window.base + i], memory.writable ? 0U : 1U) << memory.name;
}

TEST_F(BundleTest, AnArmedBoardIsLeftAlone) {
    FakeBoard board;
    board.words[hwmap::reg::status] = 1U << hwmap::status_bits::armed;
    EXPECT_THROW(load_bundle(board, read()), BoardError);
    EXPECT_THROW(unload_bundle(board, read()), BoardError);
    EXPECT_THROW(clear_tables(board), BoardError);
    EXPECT_TRUE(board.writes.empty());
}

TEST_F(BundleTest, LoadDisarmsWhatIsBlockedButEnabled) {
    FakeBoard board;
    load_bundle(board, read());
    EXPECT_EQ(board.writes.front(), (std::pair<std::uint32_t, std::uint32_t>{hwmap::reg::arm, 0}));
}

TEST_F(BundleTest, ABundleForAnotherNumberOfInstrumentsIsRefused) {
    FakeBoard board({16, 64, 16, 4, 2});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "with 8 instruments, this board has 16");
    }
    EXPECT_TRUE(board.writes.empty());
}

TEST_F(BundleTest, MoreLinksThanTheGroupsOfTheBoardHave) {
    add_memory("link", 9, std::string(9 * hwmap::memory::link.stride_bytes, '\0'));
    save();
    FakeBoard board;
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "9 records of memory link, this board has 8");
    }
}

TEST_F(BundleTest, ABundleBiggerThanTheBoardNamesTheMemory) {
    add_memory("trigger", 65, std::string(65 * hwmap::memory::trigger.stride_bytes, '\0'));
    save();
    FakeBoard board({8, 64, 16, 4, 2});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "65 records of memory trigger, this board has 64");
    }
    EXPECT_TRUE(board.writes.empty());
}

// Of two banks the image is the lower one's, or goes into the one that is not evaluated.
TEST_F(BundleTest, ABankIsAHalfOfEveryTable) {
    manifest["banked"] = true;
    save();
    const Bundle bundle = read();
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    FakeBoard board;
    load_bundle(board, bundle);
    EXPECT_EQ(board.words[hwmap::reg::banked], 1U);
    for (const unsigned bank : {0U, 1U}) {
        FakeBoard other;
        for (const auto& memory : hwmap::memories)
            for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
                other.words[memory.window.base + i] = 0xDEADBEEF;
        for (const TableWrite& write : bank_writes(other, bundle, bank, 3)) {
            EXPECT_LE(write.words.size(), hwmap::memory::ring.stride_bytes / 4)
                << "a record, where it is longer";
            other.write(write.address, write.words);
        }
        EXPECT_EQ(other.words[bank != 0 ? hwmap::reg::hash_seed_upper : hwmap::reg::hash_seed],
                  bundle.hash_seed);
        for (const auto& memory : hwmap::memories) {
            const std::uint32_t half = memory.depth(capacity) / 2 * memory.window.stride_bytes;
            const auto in = std::find_if(bundle.memories.begin(), bundle.memories.end(),
                                         [&](const auto& m) { return m.base == memory.window.base; });
            const bool state = memory.name == "live" || memory.name == "dormant";
            const bool cleared = state || memory.name == "directory" || memory.name == "displacement" ||
                                 memory.name == "chain" || memory.name == "order" ||
                                 memory.name == "quantity_left";
            for (std::uint32_t i = 0; i < 2 * half; i += 4) {
                const bool here = (i >= half) == (bank == 1) && in != bundle.memories.end();
                const std::uint32_t at = (i % half) / 4;
                const std::uint32_t told = here && !state && at < in->words.size() ? in->words[at]
                                           : here && cleared                       ? 0U
                                                                                   : 0xDEADBEEF;
                ASSERT_EQ(other.words[memory.window.base + i], told) << memory.name << " at " << i;
            }
        }
    }
}

TEST_F(BundleTest, WhatTakesMoreThanABankIsNoBanks) {
    FakeBoard board;
    EXPECT_THROW(bank_writes(board, read(), 1, 64), BundleError);
    manifest["banked"] = true;
    add_memory("order", 9, std::string(9 * hwmap::memory::order.stride_bytes, '\0'));
    save();
    try {
        bank_writes(board, read(), 1, 64);
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "9 records of memory order, this board has 8 in a bank");
    }
}

}  // namespace
}  // namespace fixaccel::test
