// SPDX-License-Identifier: Apache-2.0
// The ring between daemon and relay: nothing torn, losses counted, and writing costs the daemon neither
// memory nor a call of the system, whoever reads or does not.
#include "bus/ring.hpp"

#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <random>
#include <thread>

namespace {

thread_local std::size_t allocations = 0;

void* counted(std::size_t bytes) {
    ++allocations;
    if (void* const room = std::malloc(bytes == 0 ? 1 : bytes)) return room;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* room) noexcept { std::free(room); }
void operator delete[](void* room) noexcept { std::free(room); }
void operator delete(void* room, std::size_t /*bytes*/) noexcept { std::free(room); }
void operator delete[](void* room, std::size_t /*bytes*/) noexcept { std::free(room); }

namespace fixaccel::bus {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kSmall = 4096;
const std::string kMessage(200, 'q');
const ObservedState kArmedState{.phase = "armed",
                                .durable = 7,
                                .fires = 2,
                                .reports = 3,
                                .armed = true,
                                .dry = false,
                                .killed = true,
                                .connected = true};

class Ring : public ::testing::Test {
  protected:
    Ring() : path_("/dev/shm/fixaccel-ring-test-" + std::to_string(::getpid())) {}
    ~Ring() override {
        std::filesystem::remove(path_);
        std::filesystem::remove(path_.string() + ".new");
    }

    std::filesystem::path path_;
    RingRecord record_;
};

TEST_F(Ring, HandsOverWhatIsWrittenInOrder) {
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);
    for (int i = 1; i <= 300; ++i) {
        const std::string message =
            "message " + std::to_string(i) + std::string(static_cast<std::size_t>(i), 'x');
        writer.quotes(message, i);
        ASSERT_TRUE(reader.next(record_));
        EXPECT_EQ(record_.kind, RecordKind::quotes);
        EXPECT_EQ(record_.number, static_cast<std::uint64_t>(i));
        EXPECT_EQ(record_.time_ns, i);
        EXPECT_EQ(record_.bytes, message);
    }
    writer.market_unknown(9);
    ASSERT_TRUE(reader.next(record_));
    EXPECT_EQ(record_.kind, RecordKind::unknown);
    EXPECT_FALSE(reader.next(record_));
    EXPECT_EQ(reader.lost(), 0U);
}

TEST_F(Ring, TellsTheStateOfTheDaemon) {
    RingWriter writer(path_, kSmall);
    writer.quotes(kMessage, 1);
    writer.turn(kArmedState, 42, false);
    const RingState state = RingReader(path_).state();
    EXPECT_STREQ(state.phase.data(), "armed");
    EXPECT_EQ(state.observed.durable, 7U);
    EXPECT_EQ(state.observed.fires, 2U);
    EXPECT_EQ(state.observed.reports, 3U);
    EXPECT_TRUE(state.observed.armed && state.observed.killed && state.observed.connected);
    EXPECT_FALSE(state.observed.dry);
    EXPECT_EQ(state.records, 1U);
    EXPECT_EQ(state.quotes, 1U);
    EXPECT_EQ(state.beat_ns, 42);
}

TEST_F(Ring, CountsWhatWasOverwrittenUnread) {
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);
    for (int i = 0; i < 100; ++i) writer.quotes(kMessage, i);
    EXPECT_FALSE(reader.next(record_));  // nothing is known of where the others begin
    EXPECT_EQ(reader.lost(), 100U) << "it is known at once, not with the next one";
    writer.quotes(kMessage, 100);
    ASSERT_TRUE(reader.next(record_));
    EXPECT_EQ(record_.number, 101U);
    EXPECT_EQ(reader.lost(), 100U);
}

TEST_F(Ring, AMessageThatHasNoRoomIsCountedAsLost) {
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);
    writer.quotes(std::string(kSmall, 'x'), 1);
    writer.quotes(kMessage, 2);
    ASSERT_TRUE(reader.next(record_));
    EXPECT_EQ(record_.number, 2U);
    EXPECT_EQ(reader.lost(), 1U);
}

// Each message says its number and fills itself with it: a torn one would differ somewhere.
TEST_F(Ring, NothingThatIsReadIsTorn) {
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);
    constexpr std::uint64_t kCount = 200'000;
    std::thread daemon([&writer] {
        std::mt19937 random(7);
        std::array<char, 512> message{};
        for (std::uint64_t number = 1; number <= kCount; ++number) {
            const std::size_t size = random() % message.size();
            message.fill(static_cast<char>(number));
            writer.quotes({message.data(), size}, static_cast<std::int64_t>(number * size));
        }
    });
    std::uint64_t read = 0, last = 0;
    while (last < kCount) {
        if (!reader.next(record_)) {
            if (reader.state().records == kCount && !reader.next(record_)) break;
            continue;
        }
        ++read;
        ASSERT_GT(record_.number, last);
        last = record_.number;
        ASSERT_EQ(record_.time_ns, static_cast<std::int64_t>(last * record_.bytes.size()));
        ASSERT_EQ(record_.bytes, std::string(record_.bytes.size(), static_cast<char>(last)));
    }
    daemon.join();
    EXPECT_EQ(read + reader.lost(), kCount) << "each was read, or is told as lost";
}

TEST_F(Ring, WritingMakesNoMemory) {
    RingWriter writer(path_, kSmall);
    const std::size_t before = allocations;
    for (int i = 0; i < 1000; ++i) {
        writer.quotes(kMessage, i);
        writer.market_unknown(i);
        writer.turn(kArmedState, i, false);
    }
    EXPECT_EQ(allocations - before, 0U);
}

// In a process that the kernel kills at its first call but read, write and exit.
int exit_of(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        work();
        ::syscall(SYS_exit, 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_F(Ring, WritingAsksTheSystemForNothing) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the sanitizer itself asks it for something";
#endif
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);  // that never reads
    const auto write_all = [&] {
        for (int i = 0; i < 100'000; ++i) {
            writer.quotes(kMessage, i);
            writer.market_unknown(i);
        }
        writer.turn(kArmedState, 1, true);   // another message is about to be taken
        writer.turn(kArmedState, 1, false);  // nobody sleeps
    };
    EXPECT_EQ(exit_of(write_all), 0);
    // What would be caught.
    EXPECT_EQ(exit_of([] { ::syscall(SYS_getppid); }), -SIGKILL);
}

// A relay that was killed in its sleep costs one call, once.
TEST_F(Ring, ADeadSleeperIsWokenOnce) {
    RingWriter writer(path_, kSmall);
    const pid_t relay = ::fork();
    if (relay == 0) {
        RingReader reader(path_);
        reader.wait(kArmedState.durable, milliseconds(60'000));
        ::_exit(1);
    }
    std::this_thread::sleep_for(milliseconds(100));
    ::kill(relay, SIGKILL);
    ::waitpid(relay, nullptr, 0);
    for (int i = 0; i < 10; ++i) {
        writer.quotes(kMessage, i);
        writer.turn(kArmedState, i, true);
    }
    EXPECT_EQ(writer.wakes(), 0U);
    for (int i = 0; i < 10; ++i) {
        writer.quotes(kMessage, i);
        writer.turn(kArmedState, i, false);
    }
    EXPECT_EQ(writer.wakes(), 1U);
}

TEST_F(Ring, WakesWhoSleepsAtNewsOnly) {
    RingWriter writer(path_, kSmall);
    RingReader reader(path_);
    reader.wait(0, milliseconds(1));  // nothing comes
    std::atomic<bool> awake = false;
    std::thread relay([&] {
        reader.wait(0, milliseconds(60'000));
        awake = true;
    });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_FALSE(awake);
    writer.turn(kArmedState, 1, false);  // the durable end has moved
    relay.join();
    EXPECT_EQ(writer.wakes(), 1U);
    writer.turn(kArmedState, 2, false);
    EXPECT_EQ(writer.wakes(), 1U);
}

TEST_F(Ring, AReaderSeesThatTheDaemonHasBegunAnew) {
    auto writer = std::make_unique<RingWriter>(path_, kSmall);
    RingReader reader(path_);
    EXPECT_FALSE(reader.replaced());
    writer = std::make_unique<RingWriter>(path_, kSmall);
    EXPECT_TRUE(reader.replaced());
    EXPECT_FALSE(reader.next(record_));
}

TEST_F(Ring, IsRefusedOnADisk) {
    char folder[] = "ring-test-XXXXXX";
    ASSERT_NE(::mkdtemp(folder), nullptr);
    try {
        RingWriter writer(std::filesystem::path(folder) / "ring", kSmall);
        GTEST_SKIP() << "the tests run on a tmpfs";
    } catch (const RingError& error) {
        EXPECT_NE(std::string(error.what()).find("/dev/shm"), std::string::npos);
    }
    std::filesystem::remove_all(folder);
}

TEST_F(Ring, IsRefusedWhereNothingElseCanBeMade) {
    EXPECT_THROW(RingWriter(path_, 5000), RingError);
    EXPECT_THROW(RingReader{path_}, RingError);
    EXPECT_THROW(RingWriter("/nowhere/ring", kSmall), RingError);
}

}  // namespace
}  // namespace fixaccel::bus
