// SPDX-License-Identifier: Apache-2.0
// One bundle after another: what they have in common is looked at, and not made anew.
#include <random>

#include "bundle_fixture.hpp"

namespace fixaccel::test {
namespace {

constexpr std::size_t kRows = 300;  // of the table: two whole pieces, and one more

class BundleReaderTest : public BundleTest {
  protected:
    BundleReaderTest() {
        blocks = {block("stop", "threshold", 0, 1), block("grid", "threshold", 1, kRows),
                  block("fair", "decide", kRows + 1, 1)};
        blocks[1]["many"] = true;
        manifest["rules"]["count"] = kRows + 2;
        manifest["placement"] = {{"fabric", 1}, {"runtime", kRows + 1}};
        for (auto& [name, values] : columns.values) {
            const std::size_t width = name == "hash" ? 2 : 1;
            const std::vector<std::int64_t> before = values;
            std::vector<std::int64_t> made(before.begin(),
                                           before.begin() + static_cast<std::ptrdiff_t>(width));
            for (std::size_t row = 0; row < kRows; ++row)
                for (std::size_t word = 0; word < width; ++word) made.push_back(before[width + word]);
            made.insert(made.end(), before.end() - static_cast<std::ptrdiff_t>(width), before.end());
            values = made;
        }
        write();
        first_ = reader_.read(directory.path());
    }

    void write() {
        const std::string file = columns.file();
        add_file(kRules, file);
        manifest["files"][kRules]["pieces"] = pieces_of(file);
        save();
    }
    static json pieces_of(std::string_view file) {
        json hashes = json::array();
        for (std::size_t at = 0; at < file.size(); at += kPieceBytes)
            hashes.push_back(sha256_hex(file.substr(at, kPieceBytes)));
        return {{"bytes", kPieceBytes}, {"sha256", hashes}};
    }
    // Bytes that are hashed for what lies there now.
    std::size_t hashed(Looks looks) {
        const std::size_t before = reader_.hashed();
        reader_.read(directory.path(), looks);
        return reader_.hashed() - before;
    }
    std::string refusal(Looks looks = Looks::all) {
        try {
            reader_.read(directory.path(), looks);
        } catch (const BundleError& error) {
            return error.what();
        }
        return "accepted";
    }

    static constexpr std::size_t kPieceBytes = 512;
    BundleReader reader_;
    Bundle first_;
};

TEST_F(BundleReaderTest, RulesThatStayAreShared) {
    columns.values["threshold"][200] += 100;
    write();
    const Bundle next = reader_.read(directory.path());
    EXPECT_TRUE(next.rules.shares_piece(first_.rules, 0));
    EXPECT_FALSE(next.rules.shares_piece(first_.rules, 1));
    EXPECT_TRUE(next.rules.shares_piece(first_.rules, 2));
    EXPECT_NE(next.rules[200].threshold, first_.rules[200].threshold);
    EXPECT_EQ(next.rules, read().rules) << "as if it were the first one";
}

TEST_F(BundleReaderTest, WhatTheyAreMadeOfCounts) {
    manifest["envelopes"][1]["account"] = "OTHER";
    write();
    EXPECT_EQ(reader_.read(directory.path()).rules[2].order.account, "OTHER");
    manifest["instruments"][0]["unit"] = "0.05";
    write();
    EXPECT_EQ(reader_.read(directory.path()).rules, read().rules);
    blocks[1]["names"] = {{"7", "own"}};
    write();
    EXPECT_EQ(reader_.read(directory.path()).rules[8].id, "own");
}

TEST_F(BundleReaderTest, AFileThatWasSoundIsLookedAtAgain) {
    std::string damaged = columns.file();
    damaged[damaged.size() - 1] ^= 1;
    directory.write(kRules, damaged);
    EXPECT_REFUSED(refusal(), "image/rules.safetensors differs from its SHA-256");
    directory.write(kRules, columns.file() + '\0');
    EXPECT_REFUSED(refusal(), "bytes, the manifest says");
    std::filesystem::remove(directory.path() / kRules);
    EXPECT_REFUSED(refusal(), "image/rules.safetensors cannot be read");
    write();
    EXPECT_EQ(reader_.read(directory.path()).rules, first_.rules);
}

TEST_F(BundleReaderTest, WhatNobodyRunsIsLookedAt) {
    add_file("report.md", "a report");
    save();
    EXPECT_EQ(reader_.read(directory.path()).rules, first_.rules);
    directory.write("report.md", "another");
    EXPECT_REFUSED(refusal(), "report.md has 7 bytes, the manifest says 8");
}

TEST_F(BundleReaderTest, OnlyThePiecesThatHaveChangedAreHashed) {
    EXPECT_EQ(hashed(Looks::ahead), 0U) << "nothing has";
    columns.values["threshold"][200] += 100;
    write();
    EXPECT_EQ(hashed(Looks::ahead), kPieceBytes);
    columns.values["threshold"][201] += 100;
    columns.values["qty"][5] += 1;
    write();
    EXPECT_EQ(hashed(Looks::ahead), 2 * kPieceBytes);
    manifest["files"][kRules].erase("pieces");
    columns.values["threshold"][200] += 100;
    add_file(kRules, columns.file());
    save();
    EXPECT_EQ(hashed(Looks::ahead), columns.file().size()) << "a compiler that did not say them";
    write();
    EXPECT_EQ(hashed(Looks::ahead), 0U) << "by its hash it is known";
}

TEST_F(BundleReaderTest, NoPieceIsBelieved) {
    const auto tampered = [&](auto change) {
        columns.values["threshold"][200] += 100;
        write();
        change(manifest["files"][kRules]);
        save();
        return refusal(Looks::ahead);
    };
    const std::string last = sha256_hex("another");
    EXPECT_REFUSED(tampered([&](json& file) { file["pieces"]["sha256"].back() = last; }),
                   "image/rules.safetensors differs from its SHA-256");
    EXPECT_REFUSED(tampered([](json& file) { file["pieces"]["sha256"].erase(0); }), "are not all of it");
    EXPECT_REFUSED(tampered([](json& file) { file["pieces"]["bytes"] = 0; }), "are not all of it");
    EXPECT_REFUSED(tampered([](json& file) { file["pieces"] = 5; }), "not understood");
    EXPECT_REFUSED(tampered([](json& file) { file["bytes"] = 5; }), "bytes, the manifest says 5");
    columns.values["threshold"][200] += 100;
    write();
    std::string damaged = columns.file();
    damaged[0] ^= 1;
    directory.write(kRules, damaged);
    EXPECT_REFUSED(refusal(Looks::ahead), "image/rules.safetensors differs from its SHA-256");
    directory.write(kRules, columns.file());
    EXPECT_EQ(reader_.read(directory.path(), Looks::ahead).rules, read().rules);
}

TEST_F(BundleReaderTest, WhatIsLeftUnreadIsLookedAtBehind) {
    add_file("report.md", "a report");
    save();
    EXPECT_TRUE(reader_.read(directory.path()).unread.files.empty());
    const Bundle next = reader_.read(directory.path(), Looks::ahead);
    EXPECT_EQ(next.unread.files.size(), manifest["files"].size()) << "all of it is known";
    EXPECT_EQ(check_unread(next.unread), "");
    directory.write("report.md", "another!");
    EXPECT_REFUSED(check_unread(next.unread), "report.md differs from its SHA-256");
    std::filesystem::remove(directory.path() / "report.md");
    EXPECT_REFUSED(check_unread(next.unread), "report.md cannot be read");
    directory.write("report.md", "a report");
    std::string damaged = columns.file();
    damaged[0] ^= 1;
    directory.write(kRules, damaged);
    EXPECT_REFUSED(check_unread(next.unread), "image/rules.safetensors differs from its SHA-256");
    manifest["strategy"] = "another";
    save();
    EXPECT_EQ(check_unread(next.unread), "") << "another bundle was compiled into the folder";
    std::filesystem::remove(directory.path() / "manifest.json");
    EXPECT_EQ(check_unread(next.unread), "") << "or it was removed";
}

// Whatever changes, it is read as if it were the first.
TEST_F(BundleReaderTest, SaysWhatAFreshReaderSays) {
    std::mt19937 source(5);
    const auto below = [&](std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(source);
    };
    for (int i = 0; i < 40; ++i) {
        for (std::size_t change = below(3); change > 0; --change) {
            auto& column = columns.values[below(2) == 0 ? "threshold" : "qty"];
            column[1 + below(kRows)] = static_cast<std::int64_t>(1 + below(1000));
        }
        if (below(5) == 0) blocks[1]["rule"] = "grid" + std::to_string(below(3));
        write();
        const Looks looks = below(2) == 0 ? Looks::all : Looks::ahead;
        ASSERT_EQ(reader_.read(directory.path(), looks).rules, read().rules) << "round " << i;
    }
}

}  // namespace
}  // namespace fixaccel::test
