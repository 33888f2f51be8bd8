// SPDX-License-Identifier: Apache-2.0
// The store of a venue: what a program that ended in the middle of anything leaves behind.
#include "venue/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "matching/decimal.hpp"
#include "tests/descriptors.hpp"
#include "tests/eventually.hpp"

namespace fixaccel::exchange {
namespace {

std::vector<Instrument> one_instrument() {
    return {Instrument({.symbol = "AAA",
                        .ticks = {{0, parse_decimal("1").value()}},
                        .lot = 1,
                        .lowest = parse_decimal("1").value(),
                        .highest = parse_decimal("1000").value()})};
}

OrderTicket gtc(const std::string& id, const char* side, const char* price) {
    return {.owner = "ONE",
            .cl_ord_id = id,
            .symbol = "AAA",
            .side = side,
            .ord_type = "2",
            .tif = "1",
            .quantity = "5",
            .price = price,
            .account = ""};
}

class JournalTest : public testing::Test {
  protected:
    ~JournalTest() override { std::filesystem::remove_all(folder); }

    // One run of a venue on the store.
    struct Run {
        explicit Run(const JournalTest& test, std::size_t log_bytes = 1 << 20)
            : journal(test.folder, "it", log_bytes) {
            journal.recover(exchange, {[this](const ExchangeCall&, const CallResult& result, const auto*) {
                                           replayed += result.executions.size();
                                       },
                                       [this](const std::string&, std::uint64_t id) { marked = id; }});
        }
        void enter(const std::string& id, const char* side, const char* price) {
            last = exchange.enter(gtc(id, side, price));
            journal.flush();
        }
        Exchange exchange{one_instrument()};
        Journal journal;
        std::size_t replayed = 0;
        std::uint64_t marked = 0;
        std::vector<Execution> last;
    };

    // The state is written meanwhile.
    static void settle(Run& run) {
        ASSERT_TRUE(eventually([&] {
            run.journal.settle();
            return !run.journal.pending();
        }));
    }
    // What the venue says of its store as it begins.
    std::string refusal() const {
        try {
            Run run(*this);
            return "";
        } catch (const JournalError& error) {
            return error.what();
        }
    }

    // No file gets longer than that, as on a disk that is full.
    class FullDisk {
      public:
        explicit FullDisk(std::uintmax_t bytes) {
            std::signal(SIGXFSZ, SIG_IGN);
            EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
            const rlimit full{bytes, before_.rlim_max};
            EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
        }
        ~FullDisk() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0); }
        FullDisk(const FullDisk&) = delete;
        FullDisk& operator=(const FullDisk&) = delete;

      private:
        rlimit before_{};
    };

    std::vector<std::string> files(const std::string& ending) const {
        std::vector<std::string> result;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ending) result.push_back(entry.path().string());
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    // What a kill leaves now; files of the state before go meanwhile, one may be gone before it is copied.
    void copy_as_it_is(const std::string& to) const {
        std::filesystem::create_directory(to);
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::error_code gone;
            std::filesystem::copy_file(entry.path(), to / entry.path().filename(), gone);
            ASSERT_TRUE(!gone || gone == std::errc::no_such_file_or_directory) << gone.message();
        }
    }

    const std::string folder =
        (std::filesystem::temp_directory_path() / ("fixaccel-journal-" + std::to_string(getpid()))).string();
};

TEST_F(JournalTest, TheNextRunGoesOnWhereTheLastOneEnded) {
    {
        Run run(*this);
        run.enter("b1", "1", "90");
        run.enter("b2", "1", "90");
        run.journal.sent("ONE", 2);
        run.enter("s1", "2", "100");
    }
    Run run(*this);
    EXPECT_EQ(run.replayed, 3U);
    EXPECT_EQ(run.marked, 2U);
    EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{90, 10, 2}}));
    run.enter("b1", "1", "90");
    EXPECT_EQ(run.last.front().reject_reason, 6) << "its ClOrdID is used";
    EXPECT_EQ(run.last.front().order, 4U) << "an OrderID that was never given";
    run.enter("s2", "2", "90");
    EXPECT_EQ(run.last[1].order, 1U) << "the oldest first, as before";
}

TEST_F(JournalTest, ATornEndIsNoHarm) {
    {
        Run run(*this);
        run.enter("b1", "1", "90");
        run.enter("b2", "1", "91");
    }
    const std::string log = files(".log").back();
    const auto whole = std::filesystem::file_size(log);
    for (std::uintmax_t cut = 1; cut < 40; cut += 7) {
        std::filesystem::resize_file(log, whole - cut);
        Run run(*this);
        EXPECT_EQ(run.replayed, 1U) << cut;
        EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{90, 5, 1}}));
        for (const std::string& later : files(".log")) {
            if (later != log) std::filesystem::remove(later);
        }
    }
}

TEST_F(JournalTest, WhatIsDamagedOrAnothersIsNotOpened) {
    {
        Run run(*this);
        run.enter("b1", "1", "90");
        run.enter("b2", "1", "91");
    }
    Exchange exchange(one_instrument());
    const Journal::Listener nobody{[](const ExchangeCall&, const CallResult&, const Journal::Request*) {},
                                   [](const std::string&, std::uint64_t) {}};
    Journal other(folder, "another", 1 << 20);
    EXPECT_THROW(other.recover(exchange, nobody), JournalError);
    const std::string log = files(".log").back();
    std::fstream(log, std::ios::in | std::ios::out | std::ios::binary).seekp(20).put('X');
    EXPECT_EQ(refusal(),
              log +
                  " is damaged at byte 0: there is no record, and behind it are some; put back a copy "
                  "of the store, or name another folder to begin anew");
    EXPECT_THROW(Journal("/proc/nothing/here", "it", 1), JournalError);
}

// A length that is wrong looks like a record that ends behind the file, but other records follow.
TEST_F(JournalTest, ADamagedLengthIsNoTornEnd) {
    {
        Run run(*this);
        run.enter("b1", "1", "90");
        run.enter("b2", "1", "91");
        run.enter("b3", "1", "92");
    }
    const std::string log = files(".log").back();
    for (const char damage : {'\xff', '\0'}) {
        std::fstream(log, std::ios::in | std::ios::out | std::ios::binary)
            .seekp(0)
            .put(damage)
            .seekp(2)
            .put(damage);
        EXPECT_NE(refusal().find(log + " is damaged at byte 0"), std::string::npos) << refusal();
    }
}

TEST_F(JournalTest, ADamagedStateIsNamedWithThePlace) {
    { Run run(*this); }
    const std::string state = files(".state").back();
    const auto size = std::filesystem::file_size(state);
    std::filesystem::resize_file(state, size - 1);
    EXPECT_NE(refusal().find(state + " is damaged at byte "), std::string::npos) << refusal();
    std::filesystem::resize_file(state, size);
    std::fstream(state, std::ios::in | std::ios::out | std::ios::binary).seekp(-3, std::ios::end).put('?');
    EXPECT_NE(refusal().find("its checksum is another"), std::string::npos) << refusal();
    std::filesystem::resize_file(state, 0);
    EXPECT_NE(refusal().find("it does not say of which venue it is"), std::string::npos) << refusal();
}

// A disk that is full takes half a record; what is tried behind it is not there either.
TEST_F(JournalTest, HalfARecordOfAFailedWriteIsTakenBack) {
    {
        Run run(*this);
        run.enter("b1", "1", "90");
        const std::string log = files(".log").back();
        const auto whole = std::filesystem::file_size(log);
        {
            const FullDisk full(whole + 20);
            EXPECT_THROW(run.enter("b2", "1", "91"), JournalError);
        }
        EXPECT_EQ(std::filesystem::file_size(log), whole);
        run.journal.sent("ONE", 1);
    }
    Run run(*this);
    EXPECT_EQ(run.replayed, 1U);
    EXPECT_EQ(run.marked, 0U);
    EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{90, 5, 1}}));
}

// A venue whose disk is full tries again, log by log.
TEST_F(JournalTest, AStateThatCannotBeWrittenLeavesNothingBehind) {
    const auto before = descriptors();
    {
        const FullDisk full(1);
        EXPECT_EQ(refusal(), "cannot write " + folder + "/venue-1.fresh.new: File too large");
    }
    EXPECT_EQ(descriptors(), before);
    EXPECT_TRUE(files(".new").empty()) << "it would take what room there is";
}

TEST_F(JournalTest, WhatIsReceivedIsThereAsSoonAsItsStateCounts) {
    const std::string copy = folder + "-killed";
    {
        Run run(*this, 10);
        run.journal.begin_request("ONE", {7, 2});
        run.enter("b1", "1", "90");
        run.journal.end_request();
        ASSERT_TRUE(run.journal.tidy());
        settle(run);
        // A kill here.
        copy_as_it_is(copy);
    }
    std::filesystem::remove_all(folder);
    std::filesystem::rename(copy, folder);
    Run run(*this, 10);
    EXPECT_EQ(run.journal.received().at("ONE").up_to(), 2);
    EXPECT_EQ(run.journal.received().at("ONE").generation(), 7U);
}

TEST_F(JournalTest, StaysAsLongAsItsStateIs) {
    {
        Run run(*this, 2'000);
        for (int number = 0; number < 500; ++number) {
            run.enter("b" + std::to_string(number), "1", "90");
            run.exchange.cancel(
                {"ONE", "c" + std::to_string(number), "b" + std::to_string(number), "AAA", ""});
            run.journal.flush();
            if (run.journal.tidy()) settle(run);
        }
        run.enter("last", "1", "91");
    }
    std::uintmax_t bytes = 0;
    for (const std::string& log : files(".log")) bytes += std::filesystem::file_size(log);
    EXPECT_LT(bytes, 8'000U);
    EXPECT_LE(files(".state").size(), 2U);
    Run run(*this);
    EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{91, 5, 1}}));
    run.enter("b0", "1", "90");
    EXPECT_EQ(run.last.front().reject_reason, 6);
    EXPECT_EQ(run.last.front().order, 502U);
}

TEST_F(JournalTest, ARequestIsThereWithWhatItAskedForOrNotAtAll) {
    {
        Run run(*this);
        run.journal.begin_request("ONE", {7, 2});
        run.enter("b1", "1", "90");
        run.journal.end_request();
        run.enter("house", "1", "91");
        run.journal.begin_request("ONE", {7, 3});
        run.enter("b2", "1", "92");
        run.journal.end_request();
        run.journal.begin_request("TWO", {9, 5});  // changes nothing
        run.journal.end_request();
    }
    std::vector<std::string> heard;
    const auto read = [&] {
        heard.clear();
        Exchange exchange(one_instrument());
        Journal journal(folder, "it", 1 << 20);
        journal.recover(exchange, {[&](const ExchangeCall&, const CallResult&, const Journal::Request* of) {
                                       heard.push_back(of == nullptr
                                                           ? "nobody"
                                                           : of->client + std::to_string(of->as.number));
                                   },
                                   [](const std::string&, std::uint64_t) {}});
        return journal.received();
    };
    const std::string log = files(".log").back();
    EXPECT_EQ(read().at("ONE").ahead(), (std::vector<int>{2, 3}));
    EXPECT_EQ(read().at("ONE").generation(), 7U);
    EXPECT_EQ(read().count("TWO"), 0U) << "it may be asked again";
    EXPECT_EQ(heard, (std::vector<std::string>{"ONE2", "nobody", "ONE3"}));
    std::filesystem::resize_file(log, std::filesystem::file_size(log) - 1);
    EXPECT_EQ(read().at("ONE").ahead(), std::vector<int>{2}) << "what it asked for is not there";
    EXPECT_EQ(heard, (std::vector<std::string>{"ONE2", "nobody"}));
}

TEST_F(JournalTest, AStateCountsOnlyOnceAllBeforeItIsSent) {
    const auto enter = [](Run& run, int from, int to) {
        for (int number = from; number < to; ++number) run.enter("b" + std::to_string(number), "1", "90");
    };
    {
        Run run(*this, 1'000);
        run.journal.begin_request("ONE", {7, 2});
        enter(run, 0, 1);
        run.journal.end_request();
        enter(run, 1, 50);
        ASSERT_TRUE(run.journal.tidy());
        EXPECT_FALSE(run.journal.tidy()) << "one at a time";
        enter(run, 50, 60);
        EXPECT_TRUE(run.journal.pending());
    }
    {
        Run run(*this, 1'000);
        EXPECT_EQ(run.replayed, 60U) << "reports of before may have to be sent again";
        EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{90, 300, 60}}));
        ASSERT_TRUE(run.journal.tidy());
        settle(run);
        enter(run, 60, 61);
    }
    Run run(*this, 1'000);
    EXPECT_EQ(run.replayed, 1U);
    EXPECT_EQ(run.journal.received().at("ONE").ahead(), std::vector<int>{2})
        << "it is known, though its log is gone";
    EXPECT_EQ(run.exchange.snapshot("AAA").bids, (std::vector<Level>{{90, 305, 61}}));
}

TEST_F(JournalTest, AFirstRunThatEndedBeforeItsStoreWasThereIsNoHarm) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/venue-1.log");
    std::ofstream(folder + "/venue-1.fresh.new") << "half";
    Run run(*this);
    run.enter("b1", "1", "90");
    EXPECT_EQ(run.last.front().type, ExecType::kNew);
    std::ofstream(folder + "/venue-9.log") << "something";
    std::filesystem::remove(files(".state").back());
    EXPECT_THROW(Run{*this}, JournalError);
}

}  // namespace
}  // namespace fixaccel::exchange
