// SPDX-License-Identifier: Apache-2.0
#include "session/settings_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

SessionConfig venue() {
    SessionConfig config;
    config.comp_id = "SIMULATOR";
    config.clients = {"CLIENT1"};
    return config;
}

class SettingsFiles : public testing::Test {
  protected:
    ~SettingsFiles() override { std::filesystem::remove(path); }
    SettingsFile read(const std::string& text, const SessionConfig& config = venue()) {
        std::ofstream(path) << text;
        return read_settings(path, config);
    }
    std::string refusal(const std::string& text, const SessionConfig& config = venue()) {
        try {
            read(text, config);
        } catch (const SessionHostError& error) {
            const std::string what = error.what();
            return what.substr(what.find(": error: ") + 9);
        }
        return "taken";
    }
    const std::string path = fresh_folder() + ".cfg";
};

const std::string kDefault =
    "[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.4\nSenderCompID=SIMULATOR\nStartTime=00:00:"
    "00\nEndTime=00:00:00\n";
const std::string kSession = "[SESSION]\nTargetCompID=CLIENT1\n";

TEST_F(SettingsFiles, AddToTheVenueFile) {
    const SettingsFile file = read(
        kDefault +
        "SocketAcceptPort=9878\nFileStorePath=/tmp/s\nUseDataDictionary=Y\nDataDictionary=/x.xml\n"
        "ValidateUserDefinedFields=N\nResetOnLogon=Y\nCheckLatency=N\nLogonTimeout=3\nFileLogPath=/tmp/l\n" +
        kSession + "[SESSION]\nTargetCompID=CLIENT2\n");
    EXPECT_EQ(file.config.clients, (std::vector<std::string>{"CLIENT1", "CLIENT2"}));
    EXPECT_EQ(file.config.port, 9878);
    EXPECT_EQ(file.config.store_path, "/tmp/s");
    EXPECT_EQ(file.config.dictionary_path, "/x.xml");
    EXPECT_TRUE(file.config.validate);
    EXPECT_FALSE(file.config.validate_user_fields);
    EXPECT_TRUE(file.config.reset_on_logon);
    EXPECT_EQ(file.config.max_latency_seconds, 0);
    EXPECT_EQ(file.config.bounds.logon_timeout, std::chrono::seconds(3));
    EXPECT_EQ(file.without_effect, std::vector<std::string>{"FILELOGPATH"});
}

TEST_F(SettingsFiles, AreRefusedWhereTheyContradictTheVenueFile) {
    SessionConfig config = venue();
    config.port = 9000;
    config.store_path = "/tmp/other";
    EXPECT_EQ(refusal(kDefault + "SocketAcceptPort=9878\n" + kSession, config),
              "SocketAcceptPort 9878 is not the venue file's 9000\n  help: make them agree, or give the "
              "venue file port 0\n");
    EXPECT_EQ(refusal(kDefault + "FileStorePath=/tmp/s\n" + kSession, config),
              "FileStorePath /tmp/s is not the venue file's store /tmp/other\n  help: make them agree, or "
              "give only one\n");
    EXPECT_EQ(
        refusal("[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.4\nSenderCompID=OTHER\n" + kSession),
        "SenderCompID OTHER of CLIENT1 is not the venue file's SIMULATOR\n"
        "  help: SenderCompID is the venue, TargetCompID the client\n");
    EXPECT_EQ(refusal("[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.2\nSenderCompID=SIMULATOR\n" +
                      kSession),
              "BeginString FIX.4.2 of CLIENT1 is not the venue file's FIX.4.4\n  help: make them agree\n");
}

TEST_F(SettingsFiles, AreRefusedWhereTheyCannotBeHonoured) {
    EXPECT_EQ(refusal(kDefault + "SSLProtocol=+TLSv1_2\n" + kSession),
              "the simulator does not honour SSLPROTOCOL\n  help: remove it\n");
    EXPECT_EQ(refusal("[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.4\nSenderCompID="
                      "SIMULATOR\nStartTime=08:00:00\n" +
                      kSession),
              "STARTTIME is 08:00:00, and the venue's sessions have no hours\n"
              "  help: write 00:00:00 for both; phases of the day are a scenario's\n");
    EXPECT_EQ(
        refusal(kDefault + kSession + "ResetOnLogon=Y\n[SESSION]\nTargetCompID=CLIENT2\nResetOnLogon=N\n"),
        "RESETONLOGON is Y for one session and N for another\n"
        "  help: put it into [DEFAULT]: it holds for all sessions of the venue\n");
    EXPECT_EQ(refusal(kDefault), "no [SESSION] is in it\n  help: give it one for each client\n");
    EXPECT_NE(refusal("[SESSION]\nBeginString=FIX.4.4\nSenderCompID=SIMULATOR\nTargetCompID="
                      "CLIENT1\nConnectionType=initiator\n")
                  .find("it calls nobody"),
              std::string::npos);
    EXPECT_EQ(refusal("no settings at all"), "no [SESSION] is in it\n  help: give it one for each client\n");
}

TEST_F(SettingsFiles, ThatAreNotThereAreSaidSo) {
    EXPECT_THROW(read_settings("/nowhere/at/all.cfg", venue()), SessionHostError);
}

}  // namespace
}  // namespace fixaccel::exchange
