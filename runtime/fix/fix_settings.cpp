// SPDX-License-Identifier: Apache-2.0
#include "fix_settings.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
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
// With another value the engine has nothing to send again for an order that got lost with its connection.
struct Kept {
    const char* key;
    bool wanted;
};
const Kept kKept[] = {{FIX::PERSIST_MESSAGES, true},
                      {FIX::RESET_ON_LOGON, false},
                      {FIX::RESET_ON_LOGOUT, false},
                      {FIX::RESET_ON_DISCONNECT, false}};

std::string text_of(const FixFile& file) {
    return file.is_read ? file.text : read_file(file.path, kMostSettings);
}

// As the engine compares keys.
std::string key_of_line(const std::string& line) {
    std::string key = line.substr(0, line.find('='));
    key.erase(std::remove_if(key.begin(), key.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
              key.end());
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::toupper(c); });
    return key;
}

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
        std::istringstream text(text_of(file));
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

void check_keeps_orders(const FixFile& file) {
    const FIX::SessionSettings all = load_settings(file);
    const FIX::Dictionary& session = all.get(only_session(all));
    const auto refuse = [&](const Kept& kept, const std::string& what) {
        throw FixConfigError(
            place_of(file, kept.key) + ": " + kept.key + what + ", and must be " + (kept.wanted ? "Y" : "N") +
            " on the session that orders leave on: one that got lost could not be sent again. "
            "`day_roll` in the daemon's configuration begins the numbers anew");
    };
    for (const Kept& kept : kKept) {
        try {
            if (session.has(kept.key) && session.getBool(kept.key) != kept.wanted)
                refuse(kept, kept.wanted ? " is N" : " is Y");
        } catch (const FIX::Exception& error) {
            refuse(kept, std::string(" cannot be read: ") + error.what());
        }
    }
}

std::vector<FixDifference> differences(const FixSettings& ours, const FixSettings& of_bundle) {
    const FixDifference all[] = {
        {FIX::BEGINSTRING, ours.begin_string, of_bundle.begin_string},
        {FIX::SENDERCOMPID, ours.sender_comp_id, of_bundle.sender_comp_id},
        {FIX::TARGETCOMPID, ours.target_comp_id, of_bundle.target_comp_id},
        {FIX::SOCKET_CONNECT_HOST, ours.host, of_bundle.host},
        {FIX::SOCKET_CONNECT_PORT, std::to_string(ours.port), std::to_string(of_bundle.port)}};
    std::vector<FixDifference> out;
    std::copy_if(std::begin(all), std::end(all), std::back_inserter(out),
                 [](const FixDifference& one) { return one.ours != one.of_bundle; });
    return out;
}

// What is said of the session itself stands behind what is said of all, and goes before it.
std::string place_of(const FixFile& file, const std::string& key) {
    const std::string wanted = key_of_line(key);
    std::size_t number = 0;
    std::size_t found = 0;
    try {
        std::istringstream lines(text_of(file));
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find('=') != std::string::npos && key_of_line(line) == wanted) found = number;
        }
    } catch (const FileError& error) {
        throw FixConfigError(error.what());
    }
    return found == 0 ? file.path : file.path + ":" + std::to_string(found);
}

}  // namespace fixaccel
