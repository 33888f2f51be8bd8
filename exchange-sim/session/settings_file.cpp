// SPDX-License-Identifier: Apache-2.0
#include "session/settings_file.hpp"

#include <quickfix/SessionSettings.h>

#include <algorithm>
#include <map>
#include <set>

#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

// QuickFIX keeps keys in capitals.
const std::set<std::string> kWithoutEffect = {
    "FILELOGPATH",         "FILELOGBACKUPPATH",       "SCREENLOGSHOWINCOMING", "SCREENLOGSHOWOUTGOING",
    "SCREENLOGSHOWEVENTS", "SOCKETREUSEADDRESS",      "SOCKETNODELAY",         "SOCKETSENDBUFFERSIZE",
    "RECONNECTINTERVAL",   "SOCKETRECEIVEBUFFERSIZE", "LOGOUTTIMEOUT",         "REFRESHONLOGON"};
const std::set<std::string> kOfTheSession = {"BEGINSTRING", "SENDERCOMPID", "TARGETCOMPID", "CONNECTIONTYPE"};

class Reader {
  public:
    Reader(const std::string& path, const SessionConfig& venue) : path_(path) { file_.config = venue; }

    SettingsFile read() {
        const FIX::SessionSettings settings(path_);
        if (settings.getSessions().empty()) fail("no [SESSION] is in it", "give it one for each client");
        for (const FIX::SessionID& session : settings.getSessions()) take(session, settings.get(session));
        for (const auto& each : values_) apply(each.first, each.second);
        if (!checks_latency_) file_.config.max_latency_seconds = 0;
        return file_;
    }

    [[noreturn]] void fail(const std::string& cause, const std::string& help) const {
        throw SessionHostError(path_ + ": error: " + cause + "\n  help: " + help + "\n");
    }

  private:
    void take(const FIX::SessionID& session, const FIX::Dictionary& values) {
        SessionConfig& config = file_.config;
        const std::string begin_string = session.getBeginString().getValue();
        const std::string venue = session.getSenderCompID().getValue();
        const std::string client = session.getTargetCompID().getValue();
        if (values.getString(FIX::CONNECTION_TYPE) != "acceptor")
            fail("ConnectionType of " + client + " is not acceptor", "the venue is called, it calls nobody");
        if (begin_string != config.begin_string)
            fail("BeginString " + begin_string + " of " + client + " is not the venue file's " +
                     config.begin_string,
                 "make them agree");
        const auto market = std::find_if(config.market_clients.begin(), config.market_clients.end(),
                                         [&](const MarketClient& each) { return each.client == client; });
        const std::string expected = market == config.market_clients.end() ? config.comp_id : market->comp_id;
        if (venue != expected)
            fail("SenderCompID " + venue + " of " + client + " is not the venue file's " + expected,
                 "SenderCompID is the venue, TargetCompID the client");
        if (market == config.market_clients.end() &&
            std::find(config.clients.begin(), config.clients.end(), client) == config.clients.end())
            config.clients.push_back(client);
        for (const auto& each : values) {
            if (kOfTheSession.count(each.first) != 0) continue;
            const auto known = values_.emplace(each.first, each.second);
            if (!known.second && known.first->second != each.second)
                fail(each.first + " is " + known.first->second + " for one session and " + each.second +
                         " for another",
                     "put it into [DEFAULT]: it holds for all sessions of the venue");
        }
    }

    bool yes(const std::string& key, const std::string& value) const {
        if (value != "Y" && value != "N") fail(key + " is '" + value + "'", "write Y or N");
        return value == "Y";
    }

    int number(const std::string& key, const std::string& value) const {
        if (value.empty() || value.size() > 6 || value.find_first_not_of("0123456789") != std::string::npos)
            fail(key + " is '" + value + "'", "write a whole number");
        return std::stoi(value);
    }

    void apply_port(const std::string& value) {
        const int port = number("SocketAcceptPort", value);
        if (port > 65535) fail("SocketAcceptPort is '" + value + "'", "ports go to 65535");
        if (file_.config.port != 0 && file_.config.port != port)
            fail(
                "SocketAcceptPort " + value + " is not the venue file's " + std::to_string(file_.config.port),
                "make them agree, or give the venue file port 0");
        file_.config.port = static_cast<std::uint16_t>(port);
    }

    void apply_store(const std::string& value) {
        if (!file_.config.store_path.empty() && file_.config.store_path != value)
            fail("FileStorePath " + value + " is not the venue file's store " + file_.config.store_path,
                 "make them agree, or give only one");
        file_.config.store_path = value;
    }

    void apply(const std::string& key, const std::string& value) {
        SessionConfig& config = file_.config;
        if (kWithoutEffect.count(key) != 0)
            file_.without_effect.push_back(key);
        else if (key == "SOCKETACCEPTPORT")
            apply_port(value);
        else if (key == "FILESTOREPATH")
            apply_store(value);
        else if (key == "USEDATADICTIONARY")
            config.validate = yes(key, value);
        else if (key == "DATADICTIONARY")
            config.dictionary_path = value;
        else if (key == "VALIDATEFIELDSOUTOFORDER")
            config.validate_order = yes(key, value);
        else if (key == "VALIDATEFIELDSHAVEVALUES")
            config.validate_values = yes(key, value);
        else if (key == "VALIDATEUSERDEFINEDFIELDS")
            config.validate_user_fields = yes(key, value);
        else if (key == "RESETONLOGON")
            config.reset_on_logon = yes(key, value);
        else if (key == "RESETONLOGOUT")
            config.reset_on_logout = yes(key, value);
        else if (key == "RESETONDISCONNECT")
            config.reset_on_disconnect = yes(key, value);
        else if (key == "CHECKCOMPID")
            config.check_comp_id = yes(key, value);
        else if (key == "CHECKLATENCY")
            checks_latency_ = yes(key, value);
        else if (key == "MAXLATENCY")
            config.max_latency_seconds = number(key, value);
        else if (key == "LOGONTIMEOUT")
            config.bounds.logon_timeout = std::chrono::seconds(number(key, value));
        else if (key == "STARTTIME" || key == "ENDTIME")
            day(key, value);
        else
            fail("the simulator does not honour " + key, "remove it");
    }

    void day(const std::string& key, const std::string& value) const {
        if (value != "00:00:00")
            fail(key + " is " + value + ", and the venue's sessions have no hours",
                 "write 00:00:00 for both; phases of the day are a scenario's");
    }

    const std::string path_;
    SettingsFile file_;
    bool checks_latency_ = true;
    std::map<std::string, std::string> values_;  // by key
};

}  // namespace

SettingsFile read_settings(const std::string& path, const SessionConfig& venue) {
    Reader reader(path, venue);
    try {
        return reader.read();
    } catch (const FIX::ConfigError& error) {
        reader.fail(error.what(), "it must be a settings file of QuickFIX's");
    } catch (const FIX::FieldConvertError& error) {
        reader.fail(error.what(), "it must be a settings file of QuickFIX's");
    }
}

}  // namespace exchange
}  // namespace fixaccel
