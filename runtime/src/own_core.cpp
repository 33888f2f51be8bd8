// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/own_core.hpp"

#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fixaccel {
namespace {

constexpr unsigned long kSlackNs = 1;  // by which the kernel may be late to wake what waits

// Where all but what trades may run. Written before there are other threads.
struct Others {
    bool known = false;
    cpu_set_t cores{};
};

Others& others() {
    static Others all;
    return all;
}

std::string reason() { return std::strerror(errno); }

// Below a limit the kernel would lock what there is, and later refuse what is asked for beyond it.
bool may_lock_all() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return true;
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> held{};
    return ::syscall(SYS_capget, &header, held.data()) == 0 && (held[0].effective & 1U << CAP_IPC_LOCK) != 0;
}

std::string locked() {
    if (!may_lock_all()) return "there is a limit to what may be locked";
    return ::mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? "" : reason();
}

}  // namespace

OwnCore::OwnCore(const CorePlan& plan) : plan_(plan) {
    // Ahead of all that is allocated for the session.
    if (const std::string why = plan_.lock_memory ? locked() : ""; !why.empty())
        problems_.push_back("memory is not locked: " + why +
                            "; it takes CAP_IPC_LOCK, or LimitMEMLOCK=infinity in the unit");
    if (!plan_.core) return;
    cpu_set_t all{};
    if (::sched_getaffinity(0, sizeof all, &all) != 0 || !CPU_ISSET(*plan_.core, &all)) {
        problems_.push_back(
            "core " + std::to_string(*plan_.core) +
            " is not one of those that this process may have: see its CPUAffinity and cpuset");
        plan_.core.reset();
        return;
    }
    cpu_set_t rest = all;
    CPU_CLR(*plan_.core, &rest);
    // The only core is everybody's.
    others() = {true, CPU_COUNT(&rest) == 0 ? all : rest};
    ::sched_setaffinity(0, sizeof others().cores, &others().cores);
}

void OwnCore::take() {
    ::prctl(PR_SET_TIMERSLACK, kSlackNs);
    if (plan_.core) {
        cpu_set_t own{};
        CPU_SET(*plan_.core, &own);
        if (::sched_setaffinity(0, sizeof own, &own) != 0)
            problems_.push_back("core " + std::to_string(*plan_.core) + " is not to be had: " + reason());
    }
    if (plan_.fifo == 0) return;
    const sched_param priority{.sched_priority = plan_.fifo};
    if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) != 0)
        problems_.push_back("policy fifo:" + std::to_string(plan_.fifo) + " is not granted: " + reason() +
                            "; it takes CAP_SYS_NICE, or LimitRTPRIO=" + std::to_string(plan_.fifo) +
                            " and RestrictRealtime=no in the unit");
}

void leave_own_core(const char* name) {
    ::pthread_setname_np(::pthread_self(), name);
    if (others().known) ::sched_setaffinity(0, sizeof others().cores, &others().cores);
}

}  // namespace fixaccel
