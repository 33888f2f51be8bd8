// SPDX-License-Identifier: Apache-2.0
#include "bus/journal_tail.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "fixaccel/journal_files.hpp"
#include "fixaccel/sha256.hpp"

namespace fixaccel::bus {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kIdDigits = 16;

}  // namespace

JournalTail::JournalTail(std::filesystem::path folder, std::uint64_t next)
    : folder_(std::move(folder)), next_(next) {}

JournalTail::~JournalTail() {
    if (fd_ >= 0) ::close(fd_);
}

// The file that has the next record, or will have it. False: none does yet.
bool JournalTail::open() {
    const JournalFile* of = nullptr;
    const std::vector<JournalFile> files = segments_in(folder_);
    for (const JournalFile& file : files)
        if (file.record <= next_) of = &file;
    if (of == nullptr) {
        if (files.empty()) return false;
        throw TailError("record " + std::to_string(next_) + " is missing: the first file of " +
                        folder_.string() + " begins with record " + std::to_string(files.front().record) +
                        "; put those before it back");
    }
    if (fd_ >= 0 && of->record == first_) return true;
    const int fd = ::open(of->path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw TailError("cannot open " + of->path.string() + ": " + std::strerror(errno));
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
    file_ = of->path;
    first_ = number_ = of->record;
    text_.clear();
    begin_ = 0;
    return true;
}

// Reads on; false: there is nothing more now.
bool JournalTail::fill() {
    text_.erase(0, begin_);
    begin_ = 0;
    const std::size_t before = text_.size();
    text_.resize(before + kPiece);
    const ssize_t count = ::read(fd_, text_.data() + before, kPiece);
    text_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno != EINTR)
        throw TailError("cannot read " + file_.string() + ": " + std::strerror(errno));
    return count > 0;
}

std::optional<Record> JournalTail::read() {
    if (fd_ < 0 && !open()) return std::nullopt;
    while (true) {
        const std::size_t end = text_.find('\n', begin_);
        if (end == std::string::npos) {
            if (fill()) continue;
            // A torn end that a daemon has cut off may have been read: what is written there now is another.
            if (begin_ < text_.size()) {
                ::lseek(fd_, -static_cast<off_t>(text_.size() - begin_), SEEK_CUR);
                text_.clear();
                begin_ = 0;
            }
            const std::uint64_t here = first_;
            if (number_ != next_ || !open() || first_ == here) return std::nullopt;
            continue;
        }
        const std::string_view line = std::string_view(text_).substr(begin_, end - begin_);
        if (number_ < next_) {
            begin_ = end + 1;
            ++number_;
            continue;
        }
        std::optional<Record> record = parse_journal_line(line);
        if (!record)
            throw TailError(file_.string() + ": record " + std::to_string(number_) +
                            " is damaged; `fixaccel audit verify` tells more");
        begin_ = end + 1;
        ++number_;
        ++next_;
        return record;
    }
}

void JournalTail::sync() {
    // Files before this one were made durable by the daemon before it began this one.
    if (fd_ >= 0 && ::fdatasync(fd_) != 0)
        throw TailError("cannot make " + file_.string() + " durable: " + std::strerror(errno));
}

std::string journal_id(const std::filesystem::path& folder) {
    const std::vector<JournalFile> files = segments_in(folder);
    if (files.empty()) return {};
    if (files.front().record != 1)
        throw TailError("the first file of the journal " + folder.string() +
                        " is not there, by which it is known; put it back");
    std::ifstream in(files.front().path, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || in.eof()) return {};
    return sha256_hex(line).substr(0, kIdDigits);
}

}  // namespace fixaccel::bus
