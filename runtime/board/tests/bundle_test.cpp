// SPDX-License-Identifier: Apache-2.0
// Bundles that are read.
#include <algorithm>
#include <optional>
#include <tuple>

#include "bundle_fixture.hpp"

namespace fixaccel::test {
namespace {

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
    EXPECT_EQ(bundle.memories.size(), 15U);
    EXPECT_EQ(bundle.manifest_sha256, sha256_hex(manifest.dump()));
}

// Behind what the bundle has there may be something of another one on the board.
TEST_F(BundleTest, ARecordThatLeadsOutOfTheBundleIsRefused) {
    const auto record = [](auto fields) {
        std::string bytes;
        for (const std::uint32_t word : fields.words)
            for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((word >> shift) & 0xFFU);
        return bytes;
    };
    const auto refused = [&](const char* memory, const std::string& bytes) {
        add_memory(memory, 1, bytes);
        const std::string text = refusal();
        add_memory(memory, 1, std::string(bytes.size(), '\0'));
        return text;
    };
    hwmap::directory_record slot;
    slot.set_valid(1);
    slot.set_instrument(1);
    EXPECT_REFUSED(refused("directory", record(slot)),
                   "directory names record 1 of memory instrument, which has 1");
    slot.set_valid(0);
    EXPECT_EQ(refused("directory", record(slot)), "accepted") << "it leads nowhere";
    hwmap::chain_record chain;
    chain.set_valid(1);
    chain.set_last(1);
    EXPECT_REFUSED(refused("chain", record(chain)),
                   "record 0 of memory chain names record 1 of memory trigger");
    hwmap::trigger_record trigger;
    trigger.set_order(1);
    EXPECT_REFUSED(refused("trigger", record(trigger)), "trigger names record 1 of memory order");
    hwmap::order_record order;
    order.set_template_index(1);
    EXPECT_REFUSED(refused("order", record(order)), "order names record 1 of memory template_shape");
}

// Its rules would be armed and never see a price.
TEST_F(BundleTest, OneWhosePricesComeByAFeedIsRefused) {
    manifest["venue"]["market_data"] = "feed";
    EXPECT_REFUSED(refusal(), "its prices come by a feed");
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
    blocks[0]["form"] = "trail";
    manifest["placement"] = {{"fabric", 0}, {"runtime", 4}};
    columns.values["direction"][0] = 255;
    columns.values["placement"][0] = 10;
    for (const char* column : {"trigger", "order", "template"}) columns.values[column][0] = -1;
    add_file(kRules, columns.file());
    save();
    EXPECT_EQ(read().rules[0].threshold, "");
    EXPECT_EQ(read().rules[0].order.price, "1100");
    blocks[0]["ticks"] = -3;
    save();
    EXPECT_EQ(read().rules[0].order.price, "");
    EXPECT_EQ(read().rules[0].order.type, "limit");
}

TEST_F(BundleTest, BlocksMustHaveAllRulesInOrder) {
    const json whole = blocks;
    blocks[1]["first"] = 2;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    blocks = whole;
    blocks[1]["count"] = 4;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    blocks = whole;
    blocks[1]["count"] = -1;
    EXPECT_REFUSED(refusal(), "rule grid is out of order");
    blocks = whole;
    blocks.erase(2);
    EXPECT_REFUSED(refusal(), "do not have all of its rules");
    blocks = whole;
    blocks[0]["many"] = false;
    blocks[0]["count"] = 2;
    EXPECT_REFUSED(refusal(), "rule stop is out of order");
    blocks = whole;
    blocks[0]["instrument"] = "AAPL";
    EXPECT_REFUSED(refusal(), "AAPL, which is no instrument");
    blocks = whole;
    blocks[0]["form"] = "guess";
    EXPECT_REFUSED(refusal(), "no known form: guess");
    for (const char* row : {"2", "-1", "x", "99999999999"}) {
        blocks = whole;
        blocks[1]["names"] = {{row, "own"}};
        EXPECT_REFUSED(refusal(), "names a row that it has not");
    }
    blocks = whole;
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
    EXPECT_REFUSED(refusal_with_columns(), "the file of its rules has no hash");
    manifest["blocks"]["file"] = "image/none";
    EXPECT_REFUSED(refusal_with_columns(), "the file of its blocks has no hash");
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
    manifest["bundle"] = 4;
    EXPECT_REFUSED(refusal(), "bundle version 4, this program reads version 3");
}

TEST_F(BundleTest, PathsOutOfTheBundleAreRefused) {
    for (const char* name : {"../x", "/etc/hostname", "image/../../x"}) {
        json files = manifest["files"];
        manifest["files"][name] = {{"sha256", ""}, {"bytes", 0}};
        EXPECT_REFUSED(refusal(), "outside the bundle");
        manifest["files"] = files;
    }
}

TEST_F(BundleTest, FilesWithoutNamesAreRefused) {
    json unnamed = json::array();
    for (const auto& [name, entry] : manifest["files"].items()) unnamed.push_back(entry);
    json without = manifest;
    without["files"] = unnamed;
    directory.write("manifest.json", without.dump());
    try {
        read();
        FAIL() << "accepted";
    } catch (const BundleError& error) {
        EXPECT_NE(std::string(error.what()).find("the manifest's files are not named"), std::string::npos);
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

}  // namespace
}  // namespace fixaccel::test
