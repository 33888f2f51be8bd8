// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fixaccel {
namespace {

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

void write_durably(const std::filesystem::path& dir, const std::string& scratch, const std::string& name,
                   std::string_view text) {
    const std::filesystem::path file = dir / scratch;
    {
        const Descriptor out(file, O_WRONLY | O_CREAT | O_TRUNC);
        while (!text.empty()) {
            const ssize_t n = ::write(out.get(), text.data(), text.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail(file, "write");
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        if (::fsync(out.get()) != 0) fail(file, "make durable");
    }
    if (::rename(file.c_str(), (dir / name).c_str()) != 0) fail(file, "rename");
    sync_folder(dir);
}

void sync_folder(const std::filesystem::path& dir) {
    if (::fsync(Descriptor(dir, O_RDONLY | O_DIRECTORY).get()) != 0) fail(dir, "make durable");
}

}  // namespace fixaccel
