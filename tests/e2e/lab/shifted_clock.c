// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: its wall clock, and no other clock, runs CLOCK_AHEAD_NS ahead of the machine's, or as much
// as the first eight bytes of the file CLOCK_AHEAD_FILE say at that moment. The next eight say how far off it is at most,
// in microseconds, as whoever synchronises it would; below zero nobody does.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static const long long kSecond = 1000000000LL;
static long long given_ns;
static const volatile long long* ahead = &given_ns;
static const volatile long long* error_us = NULL;

__attribute__((constructor)) static void find_out(void) {
    const char* const text = getenv("CLOCK_AHEAD_NS");
    if (text != NULL) given_ns = atoll(text);
    const char* const path = getenv("CLOCK_AHEAD_FILE");
    const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    long long* const there = mmap(NULL, 2 * sizeof given_ns, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (there == MAP_FAILED) return;
    ahead = there;
    error_us = there + 1;
}

int adjtimex(struct timex* out) {
    if (error_us == NULL || out->modes != 0) return (int)syscall(SYS_adjtimex, out);
    *out = (struct timex){.status = *error_us < 0 ? STA_UNSYNC : 0, .maxerror = *error_us < 0 ? 16000000 : *error_us};
    return *error_us < 0 ? TIME_ERROR : TIME_OK;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    const long long ns = time->tv_sec * kSecond + time->tv_nsec + *ahead;
    time->tv_sec = ns / kSecond;
    time->tv_nsec = ns % kSecond;
    return 0;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t* out) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (out != NULL) *out = now.tv_sec;
    return now.tv_sec;
}
