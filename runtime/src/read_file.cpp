// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

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

// A file that is open, and its size. Throws FileError for what is none, and for more than `most_bytes`.
class Opened {
  public:
    Opened(const std::string& path, std::size_t most_bytes) : path_(path) {
        // Looked at before it is opened: opening alone sets some devices going.
        struct stat is {};
        if (::stat(path.c_str(), &is) != 0)
            fail(path, std::string("cannot be read: ") + std::strerror(errno));
        check(is, most_bytes);
        // Another one may stand there by now.
        file_.fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file_.fd < 0 || ::fstat(file_.fd, &is) != 0)
            fail(path, std::string("cannot be read: ") + std::strerror(errno));
        check(is, most_bytes);
        size_ = static_cast<std::size_t>(is.st_size);
    }

    std::size_t size() const { return size_; }
    // So many bytes, 0 at the end.
    std::size_t read(char* into, std::size_t most) {
        for (;;) {
            const ssize_t n = ::read(file_.fd, into, most);
            if (n >= 0) return static_cast<std::size_t>(n);
            if (errno != EINTR) fail(path_, std::string("cannot be read: ") + std::strerror(errno));
        }
    }

  private:
    void check(const struct stat& is, std::size_t most_bytes) const {
        if (!S_ISREG(is.st_mode)) fail(path_, std::string("is ") + kind(is.st_mode) + ", not a file");
        if (static_cast<std::uintmax_t>(is.st_size) > most_bytes)
            fail(path_, "has " + std::to_string(is.st_size) + " bytes, more than the " +
                            std::to_string(most_bytes) + " that it may have");
    }

    const std::string& path_;
    Descriptor file_{-1};
    std::size_t size_ = 0;
};

}  // namespace

std::string read_file(const std::string& path, std::size_t most_bytes) {
    Opened file(path, most_bytes);
    std::string content(file.size() + 1, '\0');
    std::size_t size = 0;
    while (const std::size_t n = file.read(&content[size], content.size() - size)) {
        size += n;
        if (size == content.size()) fail(path, "grows while it is read");
    }
    content.resize(size);
    return content;
}

bool file_is(const std::string& path, const std::string& content) {
    constexpr std::size_t kBlock = std::size_t{64} << 10;
    Opened file(path, std::numeric_limits<std::size_t>::max());
    if (file.size() != content.size()) return false;
    std::vector<char> block(kBlock);
    std::size_t size = 0;
    while (const std::size_t n = file.read(block.data(), block.size())) {
        if (n > content.size() - size || std::memcmp(block.data(), content.data() + size, n) != 0)
            return false;
        size += n;
    }
    return size == content.size();
}

}  // namespace fixaccel
