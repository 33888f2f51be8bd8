// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "fixaccel/crc32.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kCrcChars = 8;

std::string crc_text(std::string_view json) {
    std::array<char, kCrcChars + 1> text{};
    std::snprintf(text.data(), text.size(), "%08x", crc32(json));
    return std::string(text.data(), kCrcChars);
}

void sync_directory(const std::filesystem::path& dir) {
    const int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

}  // namespace

std::string bytes_to_text(std::string_view bytes) {
    std::string text;
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
    return text;
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

Journal::Journal(const std::filesystem::path& dir) : file_(dir / "journal.log") {
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) throw JournalError("cannot make the journal folder " + dir.string() + ": " + error.message());
    fd_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0640);
    if (fd_ < 0) throw JournalError("cannot open " + file_.string() + ": " + std::strerror(errno));
    struct stat is {};
    if (::fstat(fd_, &is) != 0 || !S_ISREG(is.st_mode)) {
        ::close(fd_);
        throw JournalError(file_.string() + " is not a file");
    }
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd_);
        throw JournalError(file_.string() + " is in use by another daemon; give each its own journal folder");
    }
    try {
        recover();
    } catch (...) {
        ::close(fd_);
        throw;
    }
    sync_directory(dir);
}

Journal::~Journal() {
    if (fd_ < 0) return;
    if (dirty_) ::fdatasync(fd_);
    ::close(fd_);
}

void Journal::recover() {
    std::ifstream in(file_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::size_t whole = 0;
    std::size_t line_number = 0;
    std::size_t first_bad = 0;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        ++line_number;
        auto record = end == std::string::npos ? std::nullopt
                                               : parse(std::string_view(text).substr(start, end - start));
        if (!record) {
            if (first_bad == 0) first_bad = line_number;
        } else if (first_bad != 0) {
            // A crash tears the end only: a whole record behind a broken one means damage that must not be
            // papered over.
            throw JournalError(file_.string() + ":" + std::to_string(first_bad) +
                               ": the record is damaged and others follow it; restore the file from a copy");
        } else {
            records_.push_back(std::move(*record));
            whole = end + 1;
        }
        start = end == std::string::npos ? text.size() : end + 1;
    }
    truncated_ = text.size() - whole;
    if (truncated_ != 0 && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0)
        throw JournalError("cannot cut the torn end off " + file_.string() + ": " + std::strerror(errno));
    if (truncated_ != 0) ::fsync(fd_);
}

std::vector<nlohmann::json> Journal::take_records() { return std::exchange(records_, {}); }

std::string Journal::line(const nlohmann::json& record) {
    const std::string json = record.dump(-1, ' ', true);
    return crc_text(json) + ' ' + json + '\n';
}

std::optional<nlohmann::json> Journal::parse(std::string_view line) {
    if (line.size() < kCrcChars + 2 || line[kCrcChars] != ' ') return std::nullopt;
    const std::string_view json = line.substr(kCrcChars + 1);
    if (line.substr(0, kCrcChars) != crc_text(json)) return std::nullopt;
    nlohmann::json record = nlohmann::json::parse(json, nullptr, false);
    if (!record.is_object()) return std::nullopt;
    return record;
}

void Journal::fail(const std::string& what) {
    broken_ = true;
    throw JournalError(file_.string() + ": " + what + ": " + std::strerror(errno));
}

void Journal::append(const nlohmann::json& record, Sync when) {
    if (broken_) throw JournalError(file_.string() + ": an earlier write failed, nothing more is accepted");
    const std::string text = line(record);
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("cannot write");
        done += static_cast<std::size_t>(n);
    }
    dirty_ = true;
    if (when == Sync::now) sync();
}

void Journal::sync() {
    if (!dirty_) return;
    // After a failed fdatasync the kernel may have dropped the pages: trying again would report a success
    // that is none.
    if (::fdatasync(fd_) != 0) fail("cannot make the journal durable");
    dirty_ = false;
}

}  // namespace fixaccel
