// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: it dies, as by kill -9, in the call CRASH_CALL number CRASH_AT, counted from 1: before, behind
// or half through it, as CRASH_HOW says. Counted is from the start on, or, with CRASH_BEHIND, from when it has written that
// text. And each file that it makes durable is noted in the file CRASH_DURABLE, a line with its size then and its name.
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char* call = "";
static const char* how = "";
static const char* behind = "";
static atomic_int counts;
static long at;
static int notes = -1;
static atomic_long calls;

__attribute__((constructor)) static void find_out(void) {
    const char* const named = getenv("CRASH_CALL");
    const char* const where = getenv("CRASH_HOW");
    const char* const number = getenv("CRASH_AT");
    const char* const text = getenv("CRASH_BEHIND");
    const char* const file = getenv("CRASH_DURABLE");
    if (named != NULL) call = named;
    if (where != NULL) how = where;
    if (number != NULL) at = atol(number);
    if (text != NULL) behind = text;
    counts = *behind == '\0';
    if (file != NULL) notes = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

static void die(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

// Whether this is the call to die in.
static int is_it(const char* name) {
    return counts && strcmp(name, call) == 0 && atomic_fetch_add(&calls, 1) + 1 == at;
}

static int is(const char* where) { return strcmp(where, how) == 0; }

#define CRASH_IN(name, half, real)          \
    do {                                    \
        const int last = is_it(name);       \
        if (last && is("before")) die();    \
        if (last && is("half")) half;       \
        const long result = real;           \
        if (last) die();                    \
        return result;                      \
    } while (0)

static void note(int fd, long long size) {
    char name[64], path[PATH_MAX], line[PATH_MAX + 64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = '\0';
    const int n = snprintf(line, sizeof line, "%lld %s\n", size, path);
    syscall(SYS_write, notes, line, (size_t)n);
}

static int sync_and_note(const char* name, long number, int fd) {
    const int last = is_it(name);
    if (last && !is("after")) die();
    struct stat is_;
    const int file = notes >= 0 && fstat(fd, &is_) == 0 && S_ISREG(is_.st_mode);
    const int result = (int)syscall(number, fd);
    if (result == 0 && file) note(fd, (long long)is_.st_size);
    if (last) die();
    return result;
}

int fdatasync(int fd) { return sync_and_note("fdatasync", SYS_fdatasync, fd); }
int fsync(int fd) { return sync_and_note("fsync", SYS_fsync, fd); }

ssize_t write(int fd, const void* bytes, size_t size) {
    if (!counts && memmem(bytes, size, behind, strlen(behind)) != NULL) counts = 1;
    CRASH_IN("write", size /= 2, syscall(SYS_write, fd, bytes, size));
}

ssize_t send(int fd, const void* bytes, size_t size, int flags) {
    CRASH_IN("send", size /= 2, syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0));
}

ssize_t recv(int fd, void* bytes, size_t size, int flags) {
    CRASH_IN("recv", (void)0, syscall(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL));
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t size) {
    CRASH_IN("setsockopt", (void)0, (int)syscall(SYS_setsockopt, fd, level, name, value, size));
}

int rename(const char* from, const char* to) {
    CRASH_IN("rename", (void)0, (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int ftruncate(int fd, off_t size) { CRASH_IN("ftruncate", (void)0, (int)syscall(SYS_ftruncate, fd, size)); }

int unlink(const char* path) { CRASH_IN("unlink", (void)0, (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0)); }
