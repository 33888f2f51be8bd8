// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "fixaccel/sha256.hpp"

namespace fixaccel {
namespace {

constexpr const char* kSingleFile = "journal.log";  // before there were segments

constexpr std::size_t kRoom = 16U << 10;  // bytes of a few records

[[noreturn]] void refuse(const std::string& what, const std::filesystem::path& file) {
    throw JournalError(what + " " + file.string() + ": " + std::strerror(errno));
}

}  // namespace

std::string bytes_to_text(std::string_view bytes) {
    std::string text;
    bytes_to_text(bytes, text);
    return text;
}

void bytes_to_text(std::string_view bytes, std::string& text) {
    text.clear();
    text.reserve(bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
}

std::string text_to_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            bytes += text[i];
            continue;
        }
        if ((lead != 0xC2 && lead != 0xC3) || i + 1 == text.size())
            throw JournalError("a journal text holds a character that is not a byte");
        bytes += static_cast<char>(((lead & 0x03) << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F));
    }
    return bytes;
}

Journal::Journal(const std::filesystem::path& dir, std::uint64_t segment_bytes)
    : dir_(dir), segment_bytes_(segment_bytes) {
    for (std::string* const text : {&waiting_, &fields_}) text->reserve(kRoom);
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) throw JournalError("cannot make the journal folder " + dir.string() + ": " + error.message());
    lock_ = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) refuse("cannot open", dir);
    try {
        if (::flock(lock_, LOCK_EX | LOCK_NB) != 0)
            throw JournalError(dir.string() +
                               " is in use by another daemon; give each its own journal folder");
        take_single_file();
        found_ = read_journal(dir);
        cut_torn_end();
        next_ = found_.next;
        const std::vector<JournalFile> segments = segments_in(dir);
        last_hash_ = found_.last_hash.empty() ? last_line_hash(dir) : found_.last_hash;
        open_segment(segments.empty() ? next_ : segments.back().record, O_CREAT);
    } catch (...) {
        ::close(lock_);
        throw;
    }
}

Journal::~Journal() {
    try {
        if (!broken_) sync();
    } catch (const JournalError&) {  // a start finds what is there
    }
    ::close(fd_);
    ::close(lock_);
}

// Of a journal as it was before there were segments.
void Journal::take_single_file() {
    const std::filesystem::path single = dir_ / kSingleFile;
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(single, error))) return;
    if (!segments_in(dir_).empty() || !snapshots_in(dir_).empty())
        throw JournalError(
            single.string() +
            " is of an older fixacceld, which has written beside the journal's segments and knew "
            "nothing of them; compare the orders of both with the venue's, then move it away");
    const int fd = ::open(single.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat is {};
    const bool file = fd >= 0 && ::fstat(fd, &is) == 0 && S_ISREG(is.st_mode);
    const bool free = file && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0) ::close(fd);
    if (!file) throw JournalError(single.string() + " is not a file");
    if (!free) throw JournalError(single.string() + " is in use by an older daemon");
    if (::rename(single.c_str(), segment_path(dir_, 1).c_str()) != 0) refuse("cannot rename", single);
    sync_folder(dir_);
}

void Journal::cut_torn_end() {
    if (!found_.torn) return;
    std::vector<JournalFile> segments = segments_in(dir_);
    std::reverse(segments.begin(), segments.end());
    for (const JournalFile& segment : segments) {
        const bool later = segment.record > found_.torn->record || segment.record > found_.next;
        if (later && ::unlink(segment.path.c_str()) != 0) refuse("cannot remove", segment.path);
    }
    if (found_.torn->record <= found_.next) {
        const int fd = ::open(found_.torn->path.c_str(), O_WRONLY | O_CLOEXEC);
        const bool cut =
            fd >= 0 && ::ftruncate(fd, static_cast<off_t>(found_.whole)) == 0 && ::fsync(fd) == 0;
        if (fd >= 0) ::close(fd);
        if (!cut) refuse("cannot cut the torn end off", found_.torn->path);
    }
    sync_folder(dir_);
}

// `flags`: O_CREAT, perhaps O_EXCL.
void Journal::open_segment(std::uint64_t first, int flags) {
    const std::filesystem::path file = segment_path(dir_, first);
    const int fd = ::open(file.c_str(), O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, 0640);
    if (fd < 0) refuse("cannot open", file);
    struct stat is {};
    if (::fstat(fd, &is) != 0 || !S_ISREG(is.st_mode)) {
        ::close(fd);
        throw JournalError(file.string() + " is not a file");
    }
    try {
        sync_folder(dir_);
    } catch (...) {
        ::close(fd);
        throw;
    }
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
    file_ = file;
    first_ = first;
    size_ = static_cast<std::uint64_t>(is.st_size);
}

// In this order: what the new segment follows is durable before there is a name for it, and the name before
// there is anything in it.
void Journal::begin_segment() {
    if (next_ == first_ || broken_) return;
    sync();
    try {
        open_segment(next_, O_CREAT | O_EXCL);
    } catch (const JournalError&) {
        broken_ = true;
        throw;
    }
}

nlohmann::json Journal::take_snapshot() { return std::exchange(found_.snapshot, nullptr); }

std::vector<Record> Journal::take_records() { return std::exchange(found_.records, {}); }

void Journal::fail(const std::string& what) {
    broken_ = true;
    throw JournalError(file_.string() + ": " + what + ": " + std::strerror(errno));
}

void Journal::append(const Record& record, Sync when) {
    fields_.clear();
    record.write_fields(fields_);
    append_fields(fields_, when);
}

void Journal::append_fields(std::string_view fields, Sync when) {
    if (broken_) throw JournalError(file_.string() + ": an earlier write failed, nothing more is accepted");
    const std::size_t before = waiting_.size();
    append_journal_line(waiting_, fields, last_hash_);
    const std::string_view line = std::string_view(waiting_).substr(before);
    sha256_hex(line.substr(0, line.size() - 1), last_hash_);
    size_ += line.size();
    ++next_;
    if (when == Sync::with_next) return;
    write_waiting();
    if (when == Sync::now) sync();
}

void Journal::write_waiting() {
    for (std::string_view rest = waiting_; !rest.empty();) {
        const ssize_t n = ::write(fd_, rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("cannot write");
        rest.remove_prefix(static_cast<std::size_t>(n));
        dirty_ = true;
    }
    waiting_.clear();
}

void Journal::sync() {
    write_waiting();
    if (!dirty_) return;
    // After a failed fdatasync the kernel may have dropped the pages: trying again would report a success
    // that is none.
    if (::fdatasync(fd_) != 0) fail("cannot make the journal durable");
    dirty_ = false;
    durable_ = next_ - 1;
}

}  // namespace fixaccel
