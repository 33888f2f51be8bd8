// SPDX-License-Identifier: Apache-2.0
// The ring between daemon and relay: bytes in shared memory, one writer, any readers. The writer overwrites
// the oldest and never looks whether anybody reads; compiler/fixaccel/bus/ring.py has the layout.
#pragma once

#include <sys/types.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bus/gen/bus.hpp"
#include "fixaccel/observer.hpp"

namespace fixaccel::bus {

class RingError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A file in memory, mapped as a whole.
class RingFile {
  public:
    RingFile() = default;
    RingFile(const RingFile&) = delete;
    RingFile& operator=(const RingFile&) = delete;
    ~RingFile();

  protected:
    // Of a descriptor that is closed then. Throws RingError.
    void map(int fd, std::size_t bytes, const std::filesystem::path& path);

    std::atomic_ref<std::uint64_t> word(Word at) const {
        return std::atomic_ref(words_[static_cast<std::size_t>(at)]);
    }
    // At that position, in bytes.
    std::atomic_ref<std::uint64_t> data(std::uint64_t position) const {
        return std::atomic_ref(words_[kHeaderBytes / sizeof(std::uint64_t) +
                                      (position & (capacity_ - 1)) / sizeof(std::uint64_t)]);
    }

    std::uint64_t* words_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::size_t bytes_ = 0;
};

// The daemon's end. Whatever stands in shared memory, it goes by what it remembers itself: the one word that
// it reads there says whether somebody wants to be woken.
class RingWriter final : private RingFile, public Observer {
  public:
    // Makes the file anew, of `capacity` bytes, a power of two; a relay of the former one sees that. The file
    // must be one of memory, where no write ever waits for a disk. Throws RingError.
    RingWriter(const std::filesystem::path& path, std::uint64_t capacity);

    void quotes(std::string_view message, std::int64_t time_ns) noexcept override;
    void market_unknown(std::int64_t time_ns) noexcept override;
    // The one that may ask the system for something: wakes a relay that sleeps, if there is news.
    void turn(const ObservedState& state, std::int64_t time_ns, bool more) noexcept override;

    std::uint64_t records() const { return records_; }
    // How often a relay was woken.
    std::uint64_t wakes() const { return wakes_; }

  private:
    void write(RecordKind kind, std::string_view bytes, std::int64_t time_ns) noexcept;

    std::uint64_t position_ = 0;
    std::uint64_t records_ = 0;
    std::uint64_t quotes_ = 0;
    std::uint64_t wakes_ = 0;
    std::uint64_t told_ = 0;     // records of which a sleeper has been told
    std::uint64_t durable_ = 0;  // likewise
};

struct RingRecord {
    RecordKind kind = RecordKind::unknown;
    std::uint64_t number = 0;
    std::int64_t time_ns = 0;
    std::string bytes;
};

// What the header says.
struct RingState {
    ObservedState observed;
    std::array<char, kPhaseBytes + 1> phase{};
    std::uint64_t run = 0;
    std::uint64_t records = 0;
    std::uint64_t quotes = 0;
    std::int64_t beat_ns = 0;
    std::uint64_t process = 0;
};

// The relay's end.
class RingReader final : private RingFile {
  public:
    // Reads all that was written, as long as the oldest is still there, else what is written from now on.
    // Throws RingError.
    explicit RingReader(const std::filesystem::path& path);

    // False: there is none yet. Room of `record` is kept.
    bool next(RingRecord& record);
    // Number of the last record that was read or lost, as far as that is known.
    std::uint64_t seen() const { return due_ == 0 ? std::numeric_limits<std::uint64_t>::max() : due_ - 1; }
    // Records that were overwritten unread.
    std::uint64_t lost() const { return lost_; }
    // Sleeps until there is a record, or the journal's durable end has moved behind `durable`, at most so
    // long.
    void wait(std::uint64_t durable, std::chrono::milliseconds most);
    RingState state() const;
    // The daemon has made another file in its place.
    bool replaced() const;

  private:
    bool news(std::uint64_t durable) const;

    std::filesystem::path path_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t due_ = 1;  // 0: whatever comes
    std::uint64_t lost_ = 0;
};

}  // namespace fixaccel::bus
