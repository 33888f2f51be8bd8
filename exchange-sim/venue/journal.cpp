// SPDX-License-Identifier: Apache-2.0
#include "venue/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "matching/bytes.hpp"
#include "matching/used_ids.hpp"

namespace fixaccel::exchange {
namespace {

namespace fs = std::filesystem;

struct Head {
    std::uint32_t length = 0;
    std::uint32_t checksum = 0;
};

// Closed at the end, whatever comes in between.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

  private:
    const int number_;
};

std::uint32_t checksum_of(std::string_view bytes) { return static_cast<std::uint32_t>(hash_of(0, bytes)); }

constexpr const char* kWayOut = "; put back a copy of the store, or name another folder to begin anew";

[[noreturn]] void fail(const std::string& path, const char* what = "write") {
    throw JournalError(std::string("cannot ") + what + " " + path + ": " + std::strerror(errno));
}

[[noreturn]] void damaged(const std::string& path, std::size_t at, const std::string& why) {
    throw JournalError(path + " is damaged at byte " + std::to_string(at) + ": " + why + kWayOut);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(path, "read");
    std::ostringstream text;
    // Of an empty file it would say that it failed.
    if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
    if (file.bad() || text.fail()) fail(path, "read");
    return text.str();
}

void write_all(int file, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR) fail(path);
        if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

// The whole file, or none of it.
void write_state(const std::string& path, const std::string& identity, const std::string& state) {
    std::string text;
    put_text(text, identity);
    put_number(text, checksum_of(state));
    put_text(text, state);
    const std::string fresh = path + ".new";
    const Descriptor file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file.number() < 0) fail(fresh);
    try {
        write_all(file.number(), text, fresh);
        if (::fsync(file.number()) != 0 || std::rename(fresh.c_str(), path.c_str()) != 0) fail(fresh);
    } catch (const JournalError&) {
        // Half a state would take the room that the logs go on in.
        ::unlink(fresh.c_str());
        throw;
    }
}

// Names of files, too, are lost with the machine until their folder is on the disk.
void sync_folder(const std::string& folder) {
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.number() < 0 || ::fsync(file.number()) != 0) fail(folder);
}

// The record at the begin of these bytes; none: they end within it, or it is none.
std::optional<std::string_view> record_of(std::string_view bytes) {
    Head head;
    if (bytes.size() < sizeof(head)) return std::nullopt;
    std::memcpy(&head, bytes.data(), sizeof(head));
    bytes.remove_prefix(sizeof(head));
    if (head.length == 0 || head.length > bytes.size()) return std::nullopt;
    const std::string_view record = bytes.substr(0, head.length);
    return checksum_of(record) == head.checksum ? std::optional(record) : std::nullopt;
}

// Whether there is a whole record anywhere: what a program was writing at its end is not whole.
bool holds_record(std::string_view bytes) {
    for (; bytes.size() > sizeof(Head); bytes.remove_prefix(1)) {
        if (record_of(bytes)) return true;
    }
    return false;
}

// Numbers of the files with that ending.
std::set<std::uint64_t> numbers(const std::string& folder, const std::string& ending) {
    std::set<std::uint64_t> result;
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    if (error) throw JournalError("cannot read the folder " + folder + ": " + error.message());
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("venue-") || !name.ends_with(ending)) continue;
        const std::string digits = name.substr(6, name.size() - 6 - ending.size());
        if (!digits.empty() && digits.size() < 19 &&
            digits.find_first_not_of("0123456789") == std::string::npos)
            result.insert(std::stoull(digits));
    }
    return result;
}

}  // namespace

Journal::Journal(std::string folder, std::string identity, std::size_t log_bytes, bool syncs)
    : folder_(std::move(folder)), identity_(std::move(identity)), log_bytes_(log_bytes), syncs_(syncs) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw JournalError("cannot make the folder " + folder_ + ": " + error.message());
}

Journal::~Journal() {
    if (writer_.joinable()) writer_.join();
    if (file_ < 0) return;
    exchange_->remove_journal(calls_);
    try {
        write_out();
    } catch (const JournalError&) {
        // Marks alone are left here: what they would have said is sent once more, marked as such.
    }
    ::close(file_);
}

std::string Journal::path(std::uint64_t number, const char* ending) const {
    return folder_ + "/venue-" + std::to_string(number) + ending;
}

void Journal::recover(Exchange& exchange, const Listener& listener) {
    exchange_ = &exchange;
    const auto states = numbers(folder_, ".state");
    const auto logs = numbers(folder_, ".log");
    std::uint64_t first = 0;
    if (!states.empty()) {
        first = *states.rbegin();
        read_state(path(first, ".state"));
    } else {
        // Where all are empty, a first program ended before its store was there.
        for (const std::uint64_t number : logs) {
            if (!read_file(path(number, ".log")).empty())
                throw JournalError(path(number, ".log") + " follows a state that is not there" + kWayOut);
        }
    }
    for (const std::uint64_t number : logs) {
        if (number >= first) read_log(number, listener, number == first);
    }
    number_ = std::max(states.empty() ? 0 : *states.rbegin(), logs.empty() ? 0 : *logs.rbegin());
    exchange.add_journal(calls_);
    if (states.empty()) {
        begin_state();
        writer_.join();
        settle();
        if (pending_) throw JournalError(state_error_);
        return;
    }
    begin_log();
    // What was read once need not be read again.
    for (const std::uint64_t number : logs) {
        std::error_code ignored;
        const auto size = fs::file_size(path(number, ".log"), ignored);
        if (number >= first && !ignored) written_ += size;
    }
}

void Journal::read_state(const std::string& file) {
    const std::string text = read_file(file);
    ByteReader in(text);
    const std::string_view identity = in.text();
    if (!in.good()) damaged(file, 0, "it does not say of which venue it is");
    if (identity != identity_)
        throw JournalError(file +
                           " is of a venue with other instruments or other rules; "
                           "name another folder, or give the venue what it had");
    const std::uint64_t checksum = in.number();
    const std::string_view state = in.text();
    const std::size_t at = text.size() - state.size();
    if (!in.good() || !in.empty()) damaged(file, at, "it has not the length that it should");
    if (checksum != checksum_of(state)) damaged(file, at, "its checksum is another");
    if (!exchange_->restore(state))
        throw JournalError(file +
                           " is of another version of this program; begin that one, or name another folder");
}

void Journal::read_log(std::uint64_t number, const Listener& listener, bool settled) {
    const std::string log = path(number, ".log");
    asked_ = false;
    const std::string text = read_file(log);
    std::string_view left = text;
    while (!left.empty()) {
        const std::size_t at = text.size() - left.size();
        const auto record = record_of(left);
        if (!record) {
            // The end of the program may have been in the middle of a record: nothing had come of it yet.
            if (holds_record(left.substr(1))) damaged(log, at, "there is no record, and behind it are some");
            break;
        }
        left.remove_prefix(sizeof(Head) + record->size());
        if (!read_record(static_cast<Kind>(record->front()), record->substr(1), listener, settled))
            damaged(log, at, "this program does not know what it says");
    }
    asked_ = false;
}

bool Journal::read_record(Kind kind, std::string_view bytes, const Listener& listener, bool settled) {
    ByteReader in(bytes);
    switch (kind) {
        case Kind::kCalls: {
            const Request* const of = asked_ ? &request_ : nullptr;
            if (!replay_calls(*exchange_, bytes, [&](const ExchangeCall& call, const CallResult& result) {
                    listener.call(call, result, of);
                }))
                return false;
            if (asked_) received_[request_.client].found(request_.as);
            asked_ = false;
            return true;
        }
        case Kind::kSent:
            while (in.good() && !in.empty()) {
                const std::string client(in.text());
                listener.sent(client, in.number());
            }
            return in.good();
        case Kind::kRequest:
            request_.client = in.text();
            in.values(request_.as.generation, request_.as.number);
            // Its calls follow, or the program ended before they were there.
            asked_ = true;
            return in.good() && in.empty();
        case Kind::kReceived:
            // Until the state that the log follows is settled, some of it may not be answered.
            return !settled || read_received(bytes, received_);
    }
    return false;
}

void Journal::begin_log() {
    if (syncs_ && file_ >= 0) sync();
    ++number_;
    const std::string log = path(number_, ".log");
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) fail(log);
    if (file_ >= 0) ::close(file_);
    file_ = file;
    written_ = end_ = 0;
    if (syncs_) sync_folder(folder_);
}

void Journal::begin_state() {
    if (writer_.joinable()) writer_.join();
    if (file_ >= 0) write_out();
    begin_log();
    // With the state, or behind it: when the logs before are gone, nothing else tells of it.
    if (!received_.empty()) append(Kind::kReceived, bytes_of(received_));
    write_out();
    unsynced_ = true;
    pending_ = true;
    written_state_ = Written::kNotYet;
    state_number_ = number_;
    // Until the state is settled, the one before and its logs, this one too, make the same.
    writer_ = std::thread([this, state = exchange_->state()] {
        try {
            write_state(path(state_number_, ".fresh"), identity_, state);
            written_state_ = Written::kWhole;
        } catch (const JournalError& error) {
            state_error_ = error.what();
            // The disk is full, perhaps: the logs before go on to hold, and the next state is tried in time.
            written_state_ = Written::kNot;
        }
    });
}

bool Journal::tidy() {
    if (pending_ && written_state_ == Written::kNot) pending_ = false;
    if (written_ < log_bytes_ || pending_) return false;
    begin_state();
    return true;
}

void Journal::settle() {
    if (!pending_ || written_state_ != Written::kWhole) return;
    if (writer_.joinable()) writer_.join();
    if (syncs_) sync();
    if (std::rename(path(state_number_, ".fresh").c_str(), path(state_number_, ".state").c_str()) != 0)
        fail(path(state_number_, ".state"));
    if (syncs_) sync_folder(folder_);
    pending_ = false;
    writer_ = std::thread([this] { remove_before(state_number_); });
}

void Journal::sync() {
    if (!unsynced_) return;
    if (::fdatasync(file_) != 0) fail(path(number_, ".log"));
    unsynced_ = false;
}

void Journal::remove_before(std::uint64_t number) {
    std::error_code ignored;
    for (const char* ending : {".log", ".state", ".fresh", ".fresh.new"}) {
        for (const std::uint64_t old : numbers(folder_, ending)) {
            if (old < number) fs::remove(path(old, ending), ignored);
        }
    }
}

void Journal::append(Kind kind, std::string_view bytes) {
    const std::size_t start = buffer_.size();
    Head head;
    buffer_.append(sizeof(head), '\0');
    buffer_.push_back(static_cast<char>(kind));
    buffer_.append(bytes);
    const std::string_view record(&buffer_[start + sizeof(head)], bytes.size() + 1);
    head.length = static_cast<std::uint32_t>(record.size());
    head.checksum = checksum_of(record);
    std::memcpy(&buffer_[start], &head, sizeof(head));
}

bool Journal::begin_request(const std::string& client, const ReceivedAs& as) {
    append_calls();  // of nobody's request
    if (!received_[client].begin(as)) return false;
    asked_ = true;
    request_.client = client;
    request_.as = as;
    return true;
}

void Journal::end_request() {
    flush();
    if (asked_) received_[request_.client].done(request_.as);
    asked_ = false;
}

void Journal::append_calls() {
    if (calls_.bytes.empty()) return;
    if (asked_) {
        std::string request;
        put_text(request, request_.client);
        put_values(request, request_.as.generation, request_.as.number);
        append(Kind::kRequest, request);
    }
    append(Kind::kCalls, calls_.bytes);
    unsynced_ = true;
    calls_.bytes.clear();
}

void Journal::write_out() {
    append_calls();
    if (!marks_.empty()) append(Kind::kSent, marks_);
    marks_.clear();
    if (buffer_.empty() || broken_) return;
    try {
        write_all(file_, buffer_, path(number_, ".log"));
    } catch (const JournalError& error) {
        // Nothing comes behind half a record: it would be lost, or taken for damage.
        broken_ = true;
        if (::ftruncate(file_, static_cast<off_t>(end_)) == 0) throw;
        throw JournalError(std::string(error.what()) + "; its last record is torn");
    }
    written_ += buffer_.size();
    end_ += buffer_.size();
    buffer_.clear();
}

void Journal::sent(const std::string& client, std::uint64_t exec_id) {
    put_text(marks_, client);
    put_number(marks_, exec_id);
}

}  // namespace fixaccel::exchange
