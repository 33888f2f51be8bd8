// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/kill_word.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "fixaccel/journal.hpp"
#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr const char* kFile = "kill";
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr const char* kNew = "kill.new";

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
    throw JournalError(std::string("cannot ") + what + " " + file.string() + ": " + std::strerror(errno));
}

// Closes what it holds.
class Descriptor {
  public:
    Descriptor(const std::filesystem::path& file, int flags)
        : fd_(::open(file.c_str(), flags | O_CLOEXEC, 0640)) {
        if (fd_ < 0) fail(file, "open");
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(fd_); }
    int get() const { return fd_; }

  private:
    int fd_;
};

}  // namespace

std::optional<KillWord> read_kill_word(const std::filesystem::path& dir) {
    const std::filesystem::path file = dir / kFile;
    std::error_code error;
    const auto type = std::filesystem::symlink_status(file, error).type();
    if (type == std::filesystem::file_type::not_found) return std::nullopt;
    const KillWord unread{true, 0, file.string() + " cannot be read", 0};
    std::string text;
    try {
        text = read_file(file.string(), kMostBytes);
    } catch (const FileError&) {
        return unread;
    }
    const auto record = Journal::parse(text.substr(0, text.find('\n')));
    if (!record) return unread;
    try {
        return KillWord{record->at("on").get<bool>(), record->at("kills").get<std::uint64_t>(),
                        record->at("by").get<std::string>(), record->at("time_ns").get<std::int64_t>()};
    } catch (const json::exception&) {
        return unread;
    }
}

void write_kill_word(const std::filesystem::path& dir, const KillWord& word) {
    const std::filesystem::path file = dir / kNew;
    const std::string line = Journal::line(
        {{"on", word.on}, {"kills", word.kills}, {"by", bytes_to_text(word.by)}, {"time_ns", word.time_ns}});
    {
        const Descriptor out(file, O_WRONLY | O_CREAT | O_TRUNC);
        if (::write(out.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            fail(file, "write");
        if (::fsync(out.get()) != 0) fail(file, "make durable");
    }
    if (::rename(file.c_str(), (dir / kFile).c_str()) != 0) fail(file, "rename");
    if (::fsync(Descriptor(dir, O_RDONLY | O_DIRECTORY).get()) != 0) fail(dir, "make durable");
}

}  // namespace fixaccel
