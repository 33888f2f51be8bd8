// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bundle_sha256.hpp"
#include "fake_board.hpp"
#include "fixaccel/bundle.hpp"
#include "temp_dir.hpp"

namespace fixaccel::test {
namespace {

using nlohmann::json;

// The smallest whole bundle: one record in every memory, each word telling its memory.
class BundleTest : public ::testing::Test {
  protected:
    BundleTest() {
        manifest =
            json{{"fixaccel", "0.1.0"},
                 {"bundle", 1},
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
                 {"board", {{"name", "pynq-z1"}, {"capacity", {{"instruments", 8}, {"triggers", 16}}}}},
                 {"used", {{"instruments", 1}}},
                 {"hash_seed", 0x9E3779B1},
                 {"instruments", {{{"symbol", "MSFT"}, {"index", 0}, {"unit", "0.01"}}}},
                 {"rules",
                  {{{"id", "stop"},
                    {"index", 0},
                    {"instrument", "MSFT"},
                    {"source", "last"},
                    {"direction", "<="},
                    {"threshold", "1180"},
                    {"order",
                     {{"side", "sell"}, {"qty", "2"}, {"type", "limit"}, {"price", "1100"}, {"tif", "day"}}},
                    {"trigger", 0},
                    {"hash", "abc"}}}},
                 {"inputs", json::object()},
                 {"files", json::object()},
                 {"memories", json::object()}};
        std::uint32_t mark = 0;
        for (const auto& memory : hwmap::memories) {
            if (!memory.writable || memory.name == "latch") continue;
            std::string bytes;
            for (std::uint32_t i = 0; i < memory.window.stride_bytes; i += 4)
                bytes += std::string{char(++mark), 0, 0, 0};
            add_memory(std::string(memory.name), 1, bytes);
        }
        save();
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

    TempDir directory;
    json manifest;
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
    EXPECT_EQ(bundle.capacity.at("triggers"), 16U);
    ASSERT_EQ(bundle.instruments.size(), 1U);
    EXPECT_EQ(bundle.instruments[0].unit, "0.01");
    ASSERT_EQ(bundle.rules.size(), 1U);
    EXPECT_EQ(bundle.rules[0].threshold, "1180");
    EXPECT_EQ(bundle.rules[0].order.price, "1100");
    EXPECT_EQ(bundle.rules[0].order.account, "");
    EXPECT_EQ(bundle.memories.size(), 8U);
    EXPECT_EQ(bundle.manifest_sha256, sha256_hex(manifest.dump()));
}

TEST_F(BundleTest, AChangedByteIsNamed) {
    directory.write("image/chain.bin", std::string(hwmap::memory::chain.stride_bytes, 'x'));
    EXPECT_REFUSED(refusal(), "image/chain.bin differs from its SHA-256");
}

TEST_F(BundleTest, AnotherLengthIsNamed) {
    directory.write("image/chain.bin", "x");
    EXPECT_REFUSED(refusal(), "image/chain.bin has 1 bytes, the manifest says 16");
}

TEST_F(BundleTest, FilesThatTheFabricDoesNotNeedAreCheckedToo) {
    add_file("client/quickfix.cfg", "[DEFAULT]");
    directory.write("client/quickfix.cfg", "[DEFAULX]");
    EXPECT_REFUSED(refusal(), "client/quickfix.cfg differs");
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
    manifest["bundle"] = 2;
    EXPECT_REFUSED(refusal(), "bundle version 2, this program reads version 1");
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
    const auto& window = hwmap::memory::directory;
    EXPECT_EQ(board.writes.back().first, window.base + window.stride_bytes - 4);
}

// What a former bundle left where this one has nothing: other slots, other chains, other buckets, other
// templates.
TEST_F(BundleTest, NothingOfAFormerBundleStaysReachable) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 16, 16, 4};
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            board.words[memory.window.base + i] = 0xDEADBEEF;
    load_bundle(board, read());
    for (const auto& memory : hwmap::memories) {
        if (memory.name != "directory" && memory.name != "displacement" && memory.name != "chain" &&
            memory.name != "template_header")
            continue;
        for (std::uint32_t i = memory.window.stride_bytes;
             i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            ASSERT_EQ(board.words[memory.window.base + i], 0U) << memory.name << " at " << i;
    }
    EXPECT_EQ(board.words[hwmap::memory::latch.base], 0xDEADBEEFU);
}

TEST_F(BundleTest, UnloadLeavesZeroesAndNoLatch) {
    FakeBoard board;
    const Bundle bundle = read();
    load_bundle(board, bundle);
    board.words[hwmap::memory::latch.base] = 3;
    unload_bundle(board, bundle);
    for (const auto& [addr, word] : board.words) {
        if (addr >= hwmap::memory::directory.base) {
            EXPECT_EQ(word, 0U) << std::hex << addr;
        }
    }
}

TEST_F(BundleTest, ClearTablesZeroesAllThatCanBeWritten) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 16, 16, 4};
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
    FakeBoard board({16, 16, 16, 4});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "with 8 instruments, this board has 16");
    }
    EXPECT_TRUE(board.writes.empty());
}

TEST_F(BundleTest, ABundleBiggerThanTheBoardNamesTheMemory) {
    add_memory("trigger", 3, std::string(3 * hwmap::memory::trigger.stride_bytes, 't'));
    save();
    FakeBoard board({8, 2, 16, 4});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "3 records of memory trigger, this board has 2");
    }
    EXPECT_TRUE(board.writes.empty());
}

}  // namespace
}  // namespace fixaccel::test
