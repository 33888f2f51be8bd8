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

std::uint32_t checksum_of(std::string_view bytes) { return static_cast<std::uint32_t>(hash_of(0, bytes)); }

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return file ? text.str() : std::string();
}

[[noreturn]] void fail(const std::string& path) {
    throw JournalError("cannot write " + path + ": " + std::strerror(errno));
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
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) fail(fresh);
    write_all(file, text, fresh);
    const bool safe = ::fsync(file) == 0;
    ::close(file);
    if (!safe || std::rename(fresh.c_str(), path.c_str()) != 0) fail(fresh);
}

// Names of files, too, are lost with the machine until their folder is on the disk.
void sync_folder(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) fail(folder);
    const bool safe = ::fsync(file) == 0;
    ::close(file);
    if (!safe) fail(folder);
}

void put_request(std::string& out, const std::string& client, const ReceivedAs& as) {
    put_text(out, client);
    put_values(out, as.generation, as.number);
}

// Numbers of the files with that ending.
std::set<std::uint64_t> numbers(const std::string& folder, const std::string& ending) {
    std::set<std::uint64_t> result;
    for (const auto& entry : fs::directory_iterator(folder)) {
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
        const std::string text = read_file(path(first, ".state"));
        ByteReader in(text);
        if (in.text() != identity_)
            throw JournalError("the store " + folder_ +
                               " is of a venue with other instruments or other rules; "
                               "name another folder, or give the venue what it had");
        const std::uint64_t checksum = in.number();
        const std::string_view state = in.text();
        if (!in.good() || checksum != checksum_of(state) || !exchange.restore(state))
            throw JournalError(path(first, ".state") + " is damaged; name another folder");
    } else if (!std::all_of(logs.begin(), logs.end(), [&](std::uint64_t number) {
                   std::error_code ignored;
                   return fs::file_size(path(number, ".log"), ignored) == 0;
               })) {
        // Where all are empty, a first program ended before its store was there.
        throw JournalError("the store " + folder_ + " has a log without the state that it follows");
    }
    for (const std::uint64_t number : logs) {
        if (number >= first) read_log(number, listener);
    }
    number_ = std::max(states.empty() ? 0 : *states.rbegin(), logs.empty() ? 0 : *logs.rbegin());
    exchange.add_journal(calls_);
    if (states.empty()) {
        begin_state();
        writer_.join();
        settle();
        if (pending_) throw JournalError("cannot write " + path(number_, ".state"));
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

void Journal::read_log(std::uint64_t number, const Listener& listener) {
    const std::string log = path(number, ".log");
    asked_ = false;
    const std::string text = read_file(log);
    std::string_view left = text;
    while (left.size() >= sizeof(Head)) {
        Head head;
        std::memcpy(&head, left.data(), sizeof(head));
        left.remove_prefix(sizeof(head));
        // The end of the program may have been in the middle of a record: nothing had come of it yet.
        if (head.length == 0 || head.length > left.size()) return;
        const std::string_view record = left.substr(0, head.length);
        left.remove_prefix(head.length);
        if (checksum_of(record) != head.checksum) {
            if (left.empty()) return;
            throw JournalError(log + " is damaged; name another folder");
        }
        read_record(static_cast<Kind>(record.front()), record.substr(1), listener, log);
    }
    asked_ = false;
}

void Journal::read_record(Kind kind, std::string_view bytes, const Listener& listener,
                          const std::string& log) {
    ByteReader in(bytes);
    switch (kind) {
        case Kind::kCalls: {
            const Request* const of = asked_ ? &request_ : nullptr;
            if (!replay_calls(*exchange_, bytes, [&](const ExchangeCall& call, const CallResult& result) {
                    listener.call(call, result, of);
                }))
                throw JournalError(log + " is damaged; name another folder");
            if (asked_) requests_[request_.client] = request_.as;
            asked_ = false;
            return;
        }
        case Kind::kSent:
            while (in.good() && !in.empty()) {
                const std::string client(in.text());
                listener.sent(client, in.number());
            }
            return;
        case Kind::kRequest:
        case Kind::kRequests:
            while (in.good() && !in.empty()) {
                request_.client = in.text();
                in.values(request_.as.generation, request_.as.number);
                if (kind == Kind::kRequests) requests_[request_.client] = request_.as;
            }
            // Its calls follow, or the program ended before they were there.
            asked_ = kind == Kind::kRequest;
            return;
    }
    throw JournalError(log + " is of another version of this program; name another folder");
}

void Journal::begin_log() {
    ++number_;
    const std::string log = path(number_, ".log");
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) fail(log);
    if (syncs_ && file_ >= 0) sync();
    if (file_ >= 0) ::close(file_);
    file_ = file;
    written_ = 0;
    if (syncs_) sync_folder(folder_);
}

void Journal::begin_state() {
    if (writer_.joinable()) writer_.join();
    if (file_ >= 0) write_out();
    begin_log();
    std::string last;
    for (const auto& [client, as] : requests_) put_request(last, client, as);
    if (!last.empty()) append(Kind::kRequests, last);
    pending_ = true;
    written_state_ = Written::kNotYet;
    state_number_ = number_;
    // Until the state is settled, the one before and its logs, this one too, make the same.
    writer_ = std::thread([this, state = exchange_->state()] {
        try {
            write_state(path(state_number_, ".fresh"), identity_, state);
            written_state_ = Written::kWhole;
        } catch (const JournalError&) {
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

void Journal::begin_request(const std::string& client, const ReceivedAs& as) {
    append_calls();  // of nobody's request
    asked_ = true;
    request_.client = client;
    request_.as = as;
}

void Journal::append_calls() {
    if (calls_.bytes.empty()) return;
    if (asked_) {
        std::string request;
        put_request(request, request_.client, request_.as);
        append(Kind::kRequest, request);
        requests_[request_.client] = request_.as;
    }
    append(Kind::kCalls, calls_.bytes);
    unsynced_ = true;
    calls_.bytes.clear();
}

void Journal::write_out() {
    append_calls();
    if (!marks_.empty()) append(Kind::kSent, marks_);
    marks_.clear();
    if (buffer_.empty()) return;
    write_all(file_, buffer_, path(number_, ".log"));
    written_ += buffer_.size();
    buffer_.clear();
}

void Journal::sent(const std::string& client, std::uint64_t exec_id) {
    put_text(marks_, client);
    put_number(marks_, exec_id);
}

}  // namespace fixaccel::exchange
