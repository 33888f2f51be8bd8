// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: its wall clock, and no other clock, runs CLOCK_AHEAD_NS ahead of the machine's.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const long long kSecond = 1000000000LL;

static long long ahead_ns(void) {
    static long long ahead = -1;
    if (ahead < 0) {
        const char* text = getenv("CLOCK_AHEAD_NS");
        ahead = text == NULL ? 0 : atoll(text);
    }
    return ahead;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    const long long ns = time->tv_nsec + ahead_ns() % kSecond;
    time->tv_sec += ahead_ns() / kSecond + ns / kSecond;
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
