// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace fixaccel {
namespace {

// Closes what it holds.
struct Descriptor {
    explicit Descriptor(int fd_) : fd(fd_) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    int fd;
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw FileError(path + " " + what);
}

const char* kind(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "something else";
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most_bytes) {
    // Looked at before it is opened: opening alone sets some devices going.
    struct stat is {};
    if (::stat(path.c_str(), &is) != 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
    const auto check = [&] {
        if (!S_ISREG(is.st_mode)) fail(path, std::string("is ") + kind(is.st_mode) + ", not a file");
        if (static_cast<std::uintmax_t>(is.st_size) > most_bytes)
            fail(path, "has " + std::to_string(is.st_size) + " bytes, more than the " +
                           std::to_string(most_bytes) + " that it may have");
    };
    check();
    // Another one may stand there by now.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.fd < 0 || ::fstat(file.fd, &is) != 0)
        fail(path, std::string("cannot be read: ") + std::strerror(errno));
    check();
    std::string content(static_cast<std::size_t>(is.st_size) + 1, '\0');
    std::size_t size = 0;
    for (;;) {
        const ssize_t n = ::read(file.fd, &content[size], content.size() - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
        if (n == 0) break;
        size += static_cast<std::size_t>(n);
        if (size == content.size()) fail(path, "grows while it is read");
    }
    content.resize(size);
    return content;
}

}  // namespace fixaccel
