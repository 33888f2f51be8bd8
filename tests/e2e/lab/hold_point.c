// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: it stops, as by SIGSTOP, ahead of reading from a TCP socket, once for each time that the file
// HOLD_FILE is made. What comes to the socket until it goes on, that read has.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t recv(int fd, void* bytes, size_t size, int flags) {
    const char* const file = getenv("HOLD_FILE");
    int domain = 0;
    socklen_t length = sizeof domain;
    if (file != NULL && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET &&
        unlink(file) == 0)
        raise(SIGSTOP);
    return syscall(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL);
}
