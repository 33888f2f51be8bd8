// SPDX-License-Identifier: Apache-2.0
#include "allocations.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

// What a sanitizer has in the place of malloc() has to stay there: then what C++ allocates counts alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FIXACCEL_COUNT_MALLOC 0
#else
#define FIXACCEL_COUNT_MALLOC 1
#endif

namespace {

thread_local std::size_t count = 0;
thread_local std::size_t count_at_read = 0;

void* counted(std::size_t bytes) {
    ++count;
    if (void* const room = std::malloc(bytes == 0 ? 1 : bytes)) return room;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* room) noexcept { std::free(room); }
void operator delete[](void* room) noexcept { std::free(room); }
void operator delete(void* room, std::size_t /*bytes*/) noexcept { std::free(room); }
void operator delete[](void* room, std::size_t /*bytes*/) noexcept { std::free(room); }

// glibc's own names for what these stand in front of.
#if FIXACCEL_COUNT_MALLOC
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t many, std::size_t bytes);
void* __libc_realloc(void* room, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t bytes) {
    ++count;
    return __libc_malloc(bytes);
}
void* calloc(std::size_t many, std::size_t bytes) {
    ++count;
    return __libc_calloc(many, bytes);
}
void* realloc(void* room, std::size_t bytes) {
    ++count;
    return __libc_realloc(room, bytes);
}
}
#endif

namespace {

void count_order(std::string_view bytes, std::size_t until_now) {
    if (bytes.find("\x01"
                   "35=D\x01") != std::string_view::npos)
        fixaccel::test::allocations_by_order().push_back(until_now);
}

}  // namespace

extern "C" ssize_t recv(int fd, void* bytes, std::size_t size, int flags) {
    const auto read = ::syscall(SYS_recvfrom, fd, bytes, size, flags, nullptr, nullptr);
    count_at_read = count;
    return read;
}

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
    const auto read = ::syscall(SYS_recvmsg, fd, message, flags);
    if ((flags & MSG_ERRQUEUE) == 0) count_at_read = count;
    return read;
}

extern "C" ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
    count_order({static_cast<const char*>(bytes), size}, count - count_at_read);
    return ::syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}

extern "C" ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    count_order({static_cast<const char*>(message->msg_iov->iov_base), message->msg_iov->iov_len},
                count - count_at_read);
    return ::syscall(SYS_sendmsg, fd, message, flags);
}

namespace fixaccel::test {

std::size_t allocations() { return count; }

std::vector<std::size_t>& allocations_by_order() {
    static std::vector<std::size_t> counts;
    return counts;
}

}  // namespace fixaccel::test
