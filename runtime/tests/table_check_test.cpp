// SPDX-License-Identifier: Apache-2.0
#include "table_check.hpp"

#include <gtest/gtest.h>

#include <string>

#include "table_builder.hpp"

namespace fixaccel {
namespace {

using test::TableBuilder;

constexpr std::size_t kRules = 300;  // two whole pieces, and one more

class TableCheckTest : public ::testing::Test {
  protected:
    TableCheckTest() {
        for (std::uint32_t index = 0; index < kRules; ++index)
            bundle_.rules.push_back({.id = "r" + std::to_string(index),
                                     .index = index,
                                     .instrument = "MSFT",
                                     .form = "threshold",
                                     .source = "last",
                                     .direction = "<=",
                                     .threshold = "1",
                                     .order = {},
                                     .trigger = {},
                                     .hash = hash_text(index + 1)});
    }

    static std::string hash_text(std::uint32_t hash) {
        const std::string digits = std::to_string(hash);
        std::string text(32 - digits.size(), '0');
        return text + digits;
    }
    // The table has the hash in binary: of that text.
    static std::int64_t hash_of(std::uint32_t hash) { return std::stoll(hash_text(hash), nullptr, 16); }

    void look(TableCheck& check) {
        TableBuilder builder;
        std::vector<std::int64_t> hashes;
        for (const std::int64_t hash : hashes_) hashes.insert(hashes.end(), {hash, 0});
        builder.stops(std::vector<std::int64_t>(hashes_.size(), 5)).set("part.hash", hashes);
        const std::vector<std::byte> file = builder.file();
        bundle_.software = SharedText({reinterpret_cast<const char*>(file.data()), file.size()});
        check.check(bundle_, SoftwareTable::parse(bundle_.software), RulesOf::runtime);
    }
    std::size_t compared() {
        const std::size_t before = check_.compared();
        look(check_);
        return check_.compared() - before;
    }

    std::vector<std::int64_t> hashes_ = [] {
        std::vector<std::int64_t> all;
        for (std::uint32_t index = 0; index < kRules; ++index) all.push_back(hash_of(index + 1));
        return all;
    }();
    Bundle bundle_;
    TableCheck check_;
};

TEST_F(TableCheckTest, WhatBothHaveIsComparedOnce) {
    EXPECT_EQ(compared(), kRules);
    EXPECT_EQ(compared(), 0U);
    bundle_.rules.edit(200).hash = hash_text(7000);
    hashes_[200] = hash_of(7000);
    EXPECT_EQ(compared(), BundleRules::kPiece);
    bundle_.rules.pop_back();
    hashes_.pop_back();
    EXPECT_EQ(compared(), kRules - 1 - 2 * BundleRules::kPiece);
}

TEST_F(TableCheckTest, AnotherRowIsSeenWhereTheRulesAreTheSame) {
    look(check_);
    hashes_[200] = hash_of(7000);
    EXPECT_THROW(look(check_), BundleError);
    EXPECT_THROW(look(check_), BundleError) << "what was refused was not checked";
    hashes_[200] = hash_of(201);
    EXPECT_EQ(compared(), 0U);
    hashes_.pop_back();
    EXPECT_THROW(look(check_), BundleError) << "a rule too many";
    hashes_.push_back(hash_of(kRules));
    hashes_.push_back(hash_of(kRules + 1));
    EXPECT_THROW(look(check_), BundleError) << "a row too many";
}

// What stays is at the same place in another table only where as many go before it.
TEST_F(TableCheckTest, RowsThatMoveAreComparedAnew) {
    look(check_);
    bundle_.rules.edit(0).trigger = 0;
    EXPECT_THROW(look(check_), BundleError) << "the fabric has the first one, and the table too";
}

}  // namespace
}  // namespace fixaccel
