// SPDX-License-Identifier: Apache-2.0
#include "session/session_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

#include "session/message.hpp"
#include "session/raw_message.hpp"
#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr int kReadable = 0640;
constexpr int kFolderMode = 0750;
constexpr std::size_t kPlacesAtOnce = 512;
constexpr std::size_t kCheckSumField = 7;  // 10=nnn and its end

// A file of a store, by what it holds.
std::string path_of(const std::string& folder, const std::string& session, const char* what) {
    std::string name;
    for (const char each : session) {
        const bool plain = std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '-' ||
                           each == '_' || (each == '.' && !name.empty());
        static const char kHex[] = "0123456789abcdef";
        if (plain)
            name += each;
        else
            name.append(1, '%')
                .append(1, kHex[static_cast<unsigned char>(each) >> 4])
                .append(1, kHex[each & 15]);
    }
    return folder + "/" + name + "." + what;
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
    throw SessionHostError("cannot " + what + " session store " + path + ": " + std::strerror(errno));
}

// With those that it is in.
void make_folder(const std::string& folder) {
    for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
        if (::mkdir(folder.substr(0, end).c_str(), kFolderMode) != 0 && errno != EEXIST) fail("make", folder);
        if (end == std::string::npos) return;
    }
}

int open_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReadable);
    if (file < 0) fail("open", path);
    return file;
}

// One that goes with the program.
int open_unnamed() {
    const char* const asked = std::getenv("TMPDIR");
    const std::string folder = asked == nullptr || *asked == '\0' ? "/tmp" : asked;
    const int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, kReadable);
    if (file >= 0) return file;
    std::string path = folder + "/fixaccel-exchange-XXXXXX";
    const int named = ::mkostemp(&path[0], O_CLOEXEC);
    if (named < 0) throw FIX::IOException("cannot make a file in " + folder + ": " + std::strerror(errno));
    ::unlink(path.c_str());
    return named;
}

void write_at(int file, const void* bytes, std::size_t size, std::uint64_t offset) {
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::pwrite(file, next, size, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            throw FIX::IOException(std::string("cannot write a session's store: ") + std::strerror(errno));
        next += written;
        offset += static_cast<std::uint64_t>(written);
        size -= static_cast<std::size_t>(written);
    }
}

}  // namespace

SessionStore::SessionStore(const std::string& folder, const std::string& session, bool confirmed)
    : folder_(folder), session_(session), confirmed_(confirmed && !folder.empty()) {
    own_numbers_.sender = 1;
    own_numbers_.target = 1;
    if (folder_.empty()) return;
    try {
        make_folder(folder_);
        open_numbers(path_of(folder_, session_, "numbers"));
        open_messages();
    } catch (...) {
        close_all();
        throw;
    }
}

SessionStore::~SessionStore() { close_all(); }

void SessionStore::close_all() {
    if (numbers_ != &own_numbers_) ::munmap(numbers_, sizeof(Numbers));
    for (const int file : {numbers_file_, messages_, index_})
        if (file >= 0) ::close(file);
}

void SessionStore::open_numbers(const std::string& path) {
    numbers_file_ = open_file(path);
    if (::flock(numbers_file_, LOCK_EX | LOCK_NB) != 0)
        throw SessionHostError("session store " + path + " is in use by another program");
    struct stat found {};
    if (::fstat(numbers_file_, &found) != 0 || ::ftruncate(numbers_file_, sizeof(Numbers)) != 0)
        fail("write", path);
    void* const mapped =
        ::mmap(nullptr, sizeof(Numbers), PROT_READ | PROT_WRITE, MAP_SHARED, numbers_file_, 0);
    if (mapped == MAP_FAILED) fail("map", path);
    numbers_ = static_cast<Numbers*>(mapped);
    // Never that of a store which was here before.
    if (numbers_->generation == 0) numbers_->generation = std::random_device()() | 1U;
    if (numbers_->version == 0) {
        numbers_->sender = 1;
        numbers_->target = 1;
        numbers_->version = kVersion;
    }
    if (numbers_->version != kVersion || numbers_->sender < 1 || numbers_->target < 1)
        throw SessionHostError("session store " + path +
                               " is none of this program's: remove it to begin anew");
    target_ = numbers_->target.load();
}

void SessionStore::expect(int number) {
    target_ = number;
    if (!waits()) numbers_->target = number;
}

void SessionStore::taken(const ReceivedAs& request) {
    if (request.generation != numbers_->generation || request.number <= taken_) return;
    taken_ = request.number;
    numbers_->target = waits() ? request.number + 1 : target_.load();
}

void SessionStore::resume(const ReceivedAs& last) {
    if (last.generation != numbers_->generation || last.number < target_) return;
    taken_ = target_ - 1;
    target_ = last.number + 1;
    handed_on_ = last.number;
}

void SessionStore::open_messages() {
    if (folder_.empty()) {
        messages_ = open_unnamed();
        index_ = open_unnamed();
        return;
    }
    messages_ = open_file(path_of(folder_, session_, "messages"));
    index_ = open_file(path_of(folder_, session_, "index"));
    struct stat found {};
    // What has no number yet was never sent, and another message may get that number.
    const off_t known = static_cast<off_t>(numbers_->sender) * static_cast<off_t>(sizeof(Place));
    if (::fstat(messages_, &found) != 0) fail("read", folder_);
    end_ = static_cast<std::uint64_t>(found.st_size);
    if (::fstat(index_, &found) != 0) fail("read", folder_);
    if (found.st_size > known && ::ftruncate(index_, known) != 0) fail("write", folder_);
}

bool SessionStore::set(int number, const std::string& bytes) throw(FIX::IOException) {
    const std::string type = field_text(bytes, tag::kMsgType);
    if (is_session_type(type) || type == "W" || type == "X") return true;
    if (messages_ < 0) open_messages();
    const Place place{end_, static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(number)};
    write_at(messages_, bytes.data(), bytes.size(), end_);
    end_ += bytes.size();
    read_.clear();
    write_at(index_, &place, sizeof place, static_cast<std::uint64_t>(number) * sizeof(Place));
    return true;
}

void SessionStore::get(int begin, int end, std::vector<std::string>& messages) const throw(FIX::IOException) {
    messages.clear();
    if (asked_) asked_(begin, end);
}

// The place of a number and of those behind it, up to the end of read_; null behind the last.
const SessionStore::Place* SessionStore::places(int number) const {
    const int known = static_cast<int>(read_.size());
    if (number < read_first_ || number >= read_first_ + known) {
        read_.resize(kPlacesAtOnce);
        read_first_ = number;
        const ssize_t got = ::pread(index_, read_.data(), kPlacesAtOnce * sizeof(Place),
                                    static_cast<off_t>(number) * static_cast<off_t>(sizeof(Place)));
        read_.resize(got <= 0 ? 0 : static_cast<std::size_t>(got) / sizeof(Place));
        if (read_.empty()) return nullptr;
    }
    return &read_[static_cast<std::size_t>(number - read_first_)];
}

int SessionStore::find(int from, int to, std::string& bytes) const {
    if (index_ < 0) return 0;
    for (int number = from; number <= to; ++number) {
        const Place* const place = places(number);
        if (place == nullptr) return 0;
        if (read(*place, number, bytes)) return number;
    }
    return 0;
}

bool SessionStore::read(const Place& place, int number, std::string& bytes) const {
    if (place.size <= kCheckSumField || place.number != static_cast<std::uint32_t>(number)) return false;
    if (place.offset + place.size > end_) return false;
    bytes.resize(place.size);
    if (::pread(messages_, &bytes[0], place.size, static_cast<off_t>(place.offset)) !=
        static_cast<ssize_t>(place.size))
        return false;
    const std::size_t summed = place.size - kCheckSumField;
    return bytes.substr(summed) == "10=" + check_sum(bytes.data(), summed) + kSoh &&
           field_text(bytes, tag::kMsgSeqNum) == std::to_string(number);
}

void SessionStore::call_begins(const FIX::UtcTimeStamp& now) {
    call_time_ = now;
    call_begins_ = true;
}

FIX::UtcTimeStamp SessionStore::getCreationTime() const throw(FIX::IOException) {
    if (!call_begins_) return FIX::UtcTimeStamp();
    call_begins_ = false;
    return call_time_;
}

void SessionStore::reset() throw(FIX::IOException) {
    // What was handed on before is of the numbers before.
    ++numbers_->generation;
    // Messages first: a number without its message is filled as a gap, an old message under a new number is
    // wrong.
    if (messages_ >= 0 && (::ftruncate(index_, 0) != 0 || ::ftruncate(messages_, 0) != 0))
        throw FIX::IOException(std::string("cannot empty a session's store: ") + std::strerror(errno));
    end_ = 0;
    read_.clear();
    numbers_->sender = 1;
    target_ = 1;
    handed_on_ = taken_ = 0;
    numbers_->target = 1;
}

}  // namespace exchange
}  // namespace fixaccel
