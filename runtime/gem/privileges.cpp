// SPDX-License-Identifier: Apache-2.0
#include "privileges.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "gem_bus.hpp"

namespace fixaccel::gem {
namespace {

void check(bool done, const std::string& what) {
    if (!done) throw GemError(what + ": " + std::strerror(errno));
}

void become(const std::string& user) {
    errno = 0;
    const passwd* entry = ::getpwnam(user.c_str());
    if (entry == nullptr) throw GemError("there is no user " + user);
    const gid_t group = entry->pw_gid;
    const uid_t number = entry->pw_uid;
    check(::setgroups(0, nullptr) == 0 && ::setgid(group) == 0 && ::setuid(number) == 0,
          "cannot become user " + user);
}

}  // namespace

void drop_privileges(const std::string& user) {
    if (!user.empty()) become(user);
    check(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    check(::syscall(SYS_capset, &header, none.data()) == 0, "capabilities cannot be given up");
}

}  // namespace fixaccel::gem
