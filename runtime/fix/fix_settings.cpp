// SPDX-License-Identifier: Apache-2.0
#include "fix_settings.hpp"

#include <set>
#include <sstream>

#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

// A schedule of the engine's own: without one the session goes on until someone ends it.
constexpr const char* kSchedule[] = {FIX::START_DAY, FIX::END_DAY,    FIX::LOGON_TIME,    FIX::LOGOUT_TIME,
                                     FIX::LOGON_DAY, FIX::LOGOUT_DAY, FIX::USE_LOCAL_TIME};
constexpr const char* kTimes[] = {FIX::START_TIME, FIX::END_TIME};
constexpr std::size_t kMostSettings = std::size_t{1} << 20;  // bytes
constexpr const char* kMidnight = "00:00:00";

void refuse_schedule(const FIX::Dictionary& session) {
    const auto refuse = [](const std::string& key) {
        throw FixConfigError(key +
                             ": the session keeps no hours of its own; `day_roll` in the daemon's "
                             "configuration says when the venue's day ends");
    };
    for (const char* key : kSchedule)
        if (session.has(key)) refuse(key);
    for (const char* key : kTimes)
        if (session.has(key) && session.getString(key) != kMidnight) refuse(key);
}

}  // namespace

FIX::SessionID only_session(const FIX::SessionSettings& settings) {
    const std::set<FIX::SessionID> sessions = settings.getSessions();
    if (sessions.size() != 1)
        throw FixConfigError("the session settings must describe exactly one session, found " +
                             std::to_string(sessions.size()));
    return *sessions.begin();
}

FixSettings read_settings(const FIX::SessionSettings& all) {
    const FIX::SessionID id = only_session(all);
    const FIX::Dictionary& session = all.get(id);
    refuse_schedule(session);
    FixSettings out;
    out.begin_string = id.getBeginString().getValue();
    out.sender_comp_id = id.getSenderCompID().getValue();
    out.target_comp_id = id.getTargetCompID().getValue();
    out.host = session.getString(FIX::SOCKET_CONNECT_HOST);
    const int port = session.getInt(FIX::SOCKET_CONNECT_PORT);
    if (port < 1 || port > 65535) throw FixConfigError("SocketConnectPort must be 1 to 65535");
    out.port = static_cast<std::uint16_t>(port);
    return out;
}

FIX::SessionSettings load_settings(const FixFile& file) {
    const std::string& name = file.path;
    try {
        std::istringstream text(file.is_read ? file.text : read_file(name, kMostSettings));
        FIX::SessionSettings settings(text);
        read_settings(settings);
        FIX::Dictionary common = settings.get();
        for (const char* key : kTimes) common.setString(key, kMidnight);
        settings.set(common);
        return settings;
    } catch (const FileError& error) {
        throw FixConfigError(error.what());
    } catch (const FixConfigError& error) {
        throw FixConfigError(name + ": " + error.what());
    } catch (const FIX::Exception& error) {
        throw FixConfigError(name + ": " + error.what());
    }
}

FixSettings read_fix_settings(const FixFile& file) { return read_settings(load_settings(file)); }

}  // namespace fixaccel
