// SPDX-License-Identifier: Apache-2.0
// The settings of the FIX session: a session is made of them, or they are refused with FixConfigError.
#include <map>

#include "fixaccel/fix_session.hpp"
#include "quiet_transport.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ScratchFolder folder;
    const auto file = folder.path() / "quickfix.cfg";
    fuzz::write_text(file, fuzz::text_of(data, size));
    fuzz::MemoryStore store;
    fuzz::QuietTransport transport;
    try {
        const FixSettings settings = read_fix_settings({file.string(), "", false});
        fuzz::require(settings.port != 0, "a port is one");
        const FixSession session({file.string(), "", false}, ResendPolicy::resend, store, transport);
    } catch (const FixConfigError& error) {
        fuzz::require(error.what()[0] != '\0', "a problem has a text");
    }
    return 0;
}
