// SPDX-License-Identifier: Apache-2.0
#include "bus/ring.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>

#include "fixaccel/utc_clock.hpp"

namespace fixaccel::bus {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kKindBits = 8;
constexpr auto kRelaxed = std::memory_order_relaxed;

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
    throw RingError(path.string() + ": " + what);
}

[[noreturn]] void refuse_errno(const std::filesystem::path& path, const std::string& what) {
    refuse(path, what + ": " + std::strerror(errno));
}

std::uint64_t padded(std::uint64_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes * kWordBytes; }

long futex(std::uint64_t* word, int operation, std::uint32_t value, const timespec* timeout) {
    // The lower half of the word, which is all that is ever used of it.
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), operation, value, timeout, nullptr,
                     0);
}

}  // namespace

RingFile::~RingFile() {
    if (words_ != nullptr) ::munmap(words_, bytes_);
}

void RingFile::map(int fd, std::size_t bytes, const std::filesystem::path& path) {
    void* const found = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    const int problem = errno;
    ::close(fd);
    errno = problem;
    if (found == MAP_FAILED) refuse_errno(path, "cannot be mapped");
    words_ = static_cast<std::uint64_t*>(found);
    bytes_ = bytes;
    capacity_ = bytes - kHeaderBytes;
}

RingWriter::RingWriter(const std::filesystem::path& path, std::uint64_t capacity) {
    if (!std::has_single_bit(capacity) || capacity < kHeaderBytes)
        refuse(path, "a ring has a power of two of bytes, at least " + std::to_string(kHeaderBytes));
    struct statfs where {};
    const std::filesystem::path folder = path.parent_path();
    if (::statfs(folder.empty() ? "." : folder.c_str(), &where) != 0) refuse_errno(path, "no such folder");
    if (where.f_type != TMPFS_MAGIC)
        refuse(path,
               "a ring has to lie in memory, on a tmpfs such as /dev/shm or /run: a write to a disk's "
               "file may wait for the disk");
    // Made aside: what a relay opens is whole.
    const std::filesystem::path aside = path.string() + ".new";
    ::unlink(aside.c_str());
    const int fd = ::open(aside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0660);
    if (fd < 0) refuse_errno(aside, "cannot be made");
    const auto bytes = static_cast<off_t>(kHeaderBytes + capacity);
    // All of it now: a page that memory has no room for later would end the daemon.
    if (const int error = ::posix_fallocate(fd, 0, bytes); error != 0) {
        ::close(fd);
        ::unlink(aside.c_str());
        errno = error;
        refuse_errno(aside, "there is no room for " + std::to_string(bytes) + " bytes");
    }
    map(fd, static_cast<std::size_t>(bytes), aside);
    ::mlock(words_, bytes_);  // where that is not allowed it is memory all the same
    word(Word::capacity).store(capacity, kRelaxed);
    word(Word::run).store(static_cast<std::uint64_t>(utc_ns()), kRelaxed);
    word(Word::process).store(static_cast<std::uint64_t>(::getpid()), kRelaxed);
    word(Word::magic).store(kMagic, std::memory_order_release);
    if (::rename(aside.c_str(), path.c_str()) != 0) refuse_errno(path, "cannot be put in its place");
}

void RingWriter::quotes(std::string_view message, std::int64_t time_ns) noexcept {
    ++quotes_;
    write(RecordKind::quotes, message, time_ns);
    word(Word::quotes).store(quotes_, kRelaxed);
}

void RingWriter::market_unknown(std::int64_t time_ns) noexcept { write(RecordKind::unknown, {}, time_ns); }

void RingWriter::write(RecordKind kind, std::string_view bytes, std::int64_t time_ns) noexcept {
    ++records_;
    const std::uint64_t whole = kRecordWords * kWordBytes + padded(bytes.size());
    // As large as half the ring: nobody could read it whole. Its number is missing, so it is told as lost.
    if (whole > capacity_ / 2) {
        word(Word::records).store(records_, std::memory_order_release);
        return;
    }
    const std::uint64_t end = position_ + whole;
    word(Word::reserved).store(end, kRelaxed);
    std::atomic_thread_fence(std::memory_order_release);
    std::array<std::uint64_t, kRecordWords> head{};
    head[kRecordWhat] = static_cast<std::uint64_t>(kind) | std::uint64_t{bytes.size()} << kKindBits;
    head[kRecordNumber] = records_;
    head[kRecordTime] = static_cast<std::uint64_t>(time_ns);
    std::uint64_t at = position_;
    for (const std::uint64_t value : head) {
        data(at).store(value, kRelaxed);
        at += kWordBytes;
    }
    for (std::size_t i = 0; i < bytes.size(); i += kWordBytes, at += kWordBytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + i, std::min(kWordBytes, bytes.size() - i));
        data(at).store(value, kRelaxed);
    }
    position_ = end;
    word(Word::records).store(records_, kRelaxed);
    word(Word::committed).store(end, std::memory_order_release);
}

void RingWriter::turn(const ObservedState& state, std::int64_t time_ns, bool more) noexcept {
    word(Word::beat_ns).store(static_cast<std::uint64_t>(time_ns), kRelaxed);
    word(Word::fires).store(state.fires, kRelaxed);
    word(Word::reports).store(state.reports, kRelaxed);
    word(Word::flags)
        .store((state.armed ? kArmed : 0) | (state.dry ? kDry : 0) | (state.killed ? kKilled : 0) |
                   (state.connected ? kConnected : 0),
               kRelaxed);
    std::array<std::uint64_t, kPhaseBytes / kWordBytes> phase{};
    std::memcpy(phase.data(), state.phase, std::min(kPhaseBytes, std::strlen(state.phase)));
    for (std::size_t i = 0; i < phase.size(); ++i)
        std::atomic_ref(words_[static_cast<std::size_t>(Word::phase) + i]).store(phase[i], kRelaxed);
    word(Word::durable).store(state.durable, std::memory_order_release);
    if (more || (told_ == records_ && durable_ == state.durable)) return;
    told_ = records_;
    durable_ = state.durable;
    // Ahead of the look at the sleeper, who looks at the news behind the word that he sleeps.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (word(Word::sleeping).load(kRelaxed) == 0) return;
    word(Word::sleeping).store(0, kRelaxed);
    ++wakes_;
    futex(&words_[static_cast<std::size_t>(Word::sleeping)], FUTEX_WAKE, INT_MAX, nullptr);
}

RingReader::RingReader(const std::filesystem::path& path) : path_(path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) refuse_errno(path, "cannot be opened; a daemon with [bus] in its settings makes it");
    struct stat is {};
    if (::fstat(fd, &is) != 0 || !S_ISREG(is.st_mode) ||
        static_cast<std::size_t>(is.st_size) < kHeaderBytes * 2) {
        ::close(fd);
        refuse(path, "is no ring");
    }
    device_ = is.st_dev;
    inode_ = is.st_ino;
    map(fd, static_cast<std::size_t>(is.st_size), path);
    if (word(Word::magic).load(std::memory_order_acquire) != kMagic ||
        word(Word::capacity).load(kRelaxed) != capacity_ || !std::has_single_bit(capacity_))
        refuse(path, "is no ring of this version");
    if (word(Word::reserved).load(std::memory_order_acquire) <= capacity_) return;
    position_ = word(Word::committed).load(std::memory_order_acquire);
    due_ = 0;  // what was before is not missing
}

bool RingReader::next(RingRecord& record) {
    while (word(Word::committed).load(std::memory_order_acquire) > position_) {
        std::array<std::uint64_t, kRecordWords> head{};
        for (std::size_t i = 0; i < head.size(); ++i)
            head[i] = data(position_ + i * kWordBytes).load(kRelaxed);
        const std::uint64_t bytes = head[kRecordWhat] >> kKindBits;
        const std::uint64_t begin = position_ + kRecordWords * kWordBytes;
        if (bytes < capacity_) {  // else it is being overwritten
            record.bytes.resize(padded(bytes));
            for (std::uint64_t i = 0; i < record.bytes.size(); i += kWordBytes) {
                const std::uint64_t value = data(begin + i).load(kRelaxed);
                std::memcpy(record.bytes.data() + i, &value, kWordBytes);
            }
            record.bytes.resize(bytes);
        }
        std::atomic_thread_fence(std::memory_order_acquire);
        if (word(Word::reserved).load(kRelaxed) > position_ + capacity_) {
            // Overwritten meanwhile: where a record begins is known of the newest end alone.
            position_ = word(Word::committed).load(std::memory_order_acquire);
            // One that is being written may be among these; it is taken back when it is read.
            const std::uint64_t last = word(Word::records).load(kRelaxed);
            if (due_ != 0) lost_ += last + 1 - due_;
            due_ = last + 1;
            continue;
        }
        position_ = begin + padded(bytes);
        record.kind = static_cast<RecordKind>(head[kRecordWhat] & 0xFF);
        record.number = head[kRecordNumber];
        record.time_ns = static_cast<std::int64_t>(head[kRecordTime]);
        if (due_ != 0) lost_ += record.number - due_;
        due_ = record.number + 1;
        return true;
    }
    return false;
}

bool RingReader::news(std::uint64_t durable) const {
    return word(Word::committed).load(kRelaxed) > position_ || word(Word::durable).load(kRelaxed) > durable;
}

void RingReader::wait(std::uint64_t durable, std::chrono::milliseconds most) {
    if (news(durable)) return;
    word(Word::sleeping).store(1, kRelaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!news(durable)) {
        const timespec timeout{static_cast<std::time_t>(most.count() / 1000),
                               most.count() % 1000 * 1'000'000};
        futex(&words_[static_cast<std::size_t>(Word::sleeping)], FUTEX_WAIT, 1, &timeout);
    }
    word(Word::sleeping).store(0, kRelaxed);
}

RingState RingReader::state() const {
    RingState state;
    state.observed.durable = word(Word::durable).load(std::memory_order_acquire);
    state.observed.fires = word(Word::fires).load(kRelaxed);
    state.observed.reports = word(Word::reports).load(kRelaxed);
    const std::uint64_t flags = word(Word::flags).load(kRelaxed);
    state.observed.armed = (flags & kArmed) != 0;
    state.observed.dry = (flags & kDry) != 0;
    state.observed.killed = (flags & kKilled) != 0;
    state.observed.connected = (flags & kConnected) != 0;
    for (std::size_t i = 0; i < kPhaseBytes; i += kWordBytes) {
        const std::uint64_t value =
            std::atomic_ref(words_[static_cast<std::size_t>(Word::phase) + i / kWordBytes]).load(kRelaxed);
        std::memcpy(state.phase.data() + i, &value, kWordBytes);
    }
    state.run = word(Word::run).load(kRelaxed);
    state.records = word(Word::records).load(kRelaxed);
    state.quotes = word(Word::quotes).load(kRelaxed);
    state.beat_ns = static_cast<std::int64_t>(word(Word::beat_ns).load(kRelaxed));
    state.process = word(Word::process).load(kRelaxed);
    return state;
}

bool RingReader::replaced() const {
    struct stat is {};
    return ::stat(path_.c_str(), &is) != 0 || is.st_dev != device_ || is.st_ino != inode_;
}

}  // namespace fixaccel::bus
