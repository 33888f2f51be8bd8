// SPDX-License-Identifier: Apache-2.0
#include "session/dictionary_file.hpp"

#include <unistd.h>

#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

const char* const kName = "FIX44.xml";

bool readable(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

// The folder of the running program.
std::string program_folder() {
    char path[4096];
    const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
    if (size <= 0) return ".";
    const std::string whole(path, static_cast<std::size_t>(size));
    return whole.substr(0, whole.rfind('/'));
}

}  // namespace

std::string find_dictionary(const std::string& asked) {
    if (!asked.empty()) {
        if (!readable(asked)) throw SessionHostError("cannot read the FIX dictionary " + asked);
        return asked;
    }
    const std::string here = program_folder();
    std::string tried;
    // Beside the program; bin/ and lib/ of an installation; build/PRESET/exchange-sim/[tests/] of a build.
    for (const char* folder :
         {"", "/../share/fixaccel", "/../../share/fixaccel", "/../../dictionary", "/../../../dictionary"}) {
        const std::string path = here + folder + "/" + kName;
        if (readable(path)) return path;
        tried += "\n  " + path;
    }
    throw SessionHostError(
        std::string("there is no FIX dictionary ") + kName +
        ": run scripts/dictionary.py, which takes it from a package, or name one of your own, or "
        "have the sessions not validate messages; looked at" +
        tried);
}

}  // namespace exchange
}  // namespace fixaccel
