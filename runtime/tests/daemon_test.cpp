// SPDX-License-Identifier: Apache-2.0
// A whole daemon without a board, whose venue does not answer: what is asked for while a bundle is got ready.
#include "daemon.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <csignal>
#include <future>
#include <thread>

#include "control_client.hpp"
#include "fixaccel/no_board.hpp"
#include "kill_switch.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

const json kDeploy{{"cmd", "deploy"}, {"bundle", RUNTIME_TEST_BUNDLE}};

class DaemonTest : public ::testing::Test {
  protected:
    DaemonTest() : stop_(::eventfd(0, EFD_CLOEXEC)), thread_([this] { run(); }) {
        while (!ControlClient(socket()).connected())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ~DaemonTest() override {
        go_on();
        ControlClient(socket()).ask({{"cmd", "shutdown"}});
        thread_.join();
        ::close(stop_);
    }

    std::string socket() const { return (folder_.path() / "s").string(); }

    // A deploy that has not been answered: its bundle is still read.
    std::unique_ptr<ControlClient> deploys() {
        auto client = std::make_unique<ControlClient>(socket());
        client->say(kDeploy);
        // A bundle that is refused is not waited for.
        if (reading_.get_future().wait_for(std::chrono::seconds(30)) != std::future_status::ready)
            throw std::runtime_error("no bundle is read; the deploy was answered " + client->hear().dump());
        return client;
    }
    void go_on() {
        if (!std::exchange(on_, true)) go_on_.set_value();
    }
    json ask(const json& request) const { return ControlClient(socket()).ask(request); }
    json ask(const char* command) const { return ask(json{{"cmd", command}}); }

    // Of a daemon that is ending: what its journal says of `command`.
    std::vector<json> records_of(const std::string& command) {
        go_on();
        thread_.join();
        std::vector<json> found;
        Journal journal(config().journal);
        for (const Record& record : journal.take_records())
            if (record.at("type") == "command" && record.at("request").parts().at("cmd") == command)
                found.push_back(record);
        thread_ = std::thread([] {});
        return found;
    }

    ScratchFolder folder_;

  private:
    DaemonConfig config() const {
        DaemonConfig config;
        config.board = kNoBoard;
        config.control[Role::admin].endpoint = "unix:" + socket();
        config.journal = folder_.path() / "journal";
        return config;
    }

    void run() {
        KillSwitch kill(config().journal, [] { return std::make_unique<NoBoard>(); }, {});
        kill.start();
        Journal journal(config().journal);
        Ledger ledger(journal);
        KillGuard guard(kill, config().control);
        NoBoard board;
        Machine machine(config().cpu);
        Daemon daemon(board, ledger, guard, machine, [this](const Bundle* bundle) {
            if (bundle != nullptr && !std::exchange(read_, true)) {
                reading_.set_value();
                go_on_.get_future().wait();
            }
            return config();
        });
        daemon.run(stop_);
    }

    std::promise<void> reading_;
    std::promise<void> go_on_;
    bool on_ = false;
    bool read_ = false;  // a bundle has been
    int stop_;
    std::thread thread_;
};

TEST_F(DaemonTest, WhileABundleIsReadAllElseIsAnswered) {
    const auto client = deploys();
    EXPECT_EQ(ask("status").at("phase"), "idle");
    const json second = ask(kDeploy);
    EXPECT_EQ(second.at("error"), "another deploy is being got ready; wait until it has been answered");
    go_on();
    EXPECT_EQ(client->hear(), (json{{"ok", true}, {"loads", true}}));
    EXPECT_TRUE(ask("status").at("waiting")) << "armed once the session stands";
    EXPECT_EQ(ask(kDeploy), (json{{"ok", true}, {"loads", false}})) << "one after the other";
}

TEST_F(DaemonTest, ADisarmMeanwhileCountsAsBehindIt) {
    const auto client = deploys();
    EXPECT_EQ(ask("disarm"), (json{{"ok", true}}));
    go_on();
    EXPECT_EQ(client->hear(), (json{{"ok", true}, {"loads", true}}));
    EXPECT_FALSE(ask("status").at("waiting"));
}

TEST_F(DaemonTest, AKillMeanwhileCountsAsBehindItEvenIfItIsUndone) {
    const auto client = deploys();
    EXPECT_EQ(ask("kill"), (json{{"ok", true}}));
    EXPECT_EQ(ask("unkill"), (json{{"ok", true}}));
    go_on();
    EXPECT_EQ(client->hear(), (json{{"ok", true}, {"loads", true}}));
    EXPECT_FALSE(ask("status").at("waiting"));
}

TEST_F(DaemonTest, BehindALogoutNothingIsDeployed) {
    const auto client = deploys();
    EXPECT_EQ(ask("logout"), (json{{"ok", true}}));
    go_on();
    const json reply = client->hear();
    EXPECT_FALSE(reply.at("ok"));
    EXPECT_EQ(reply.at("error"), "nothing is deployed: asked to log out before the bundle had been read");
    EXPECT_FALSE(ask("status").contains("rules")) << "nothing is loaded";
}

TEST_F(DaemonTest, ADeployThatTheEndOvertakesIsInTheJournalWithItsAnswer) {
    const auto client = deploys();
    EXPECT_EQ(ask("shutdown"), (json{{"ok", true}}));
    const std::vector<json> records = records_of("deploy");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_FALSE(records[0].at("ok"));
    EXPECT_EQ(records[0].at("error"),
              "nothing is deployed: asked to shut down before the bundle had been read");
}

TEST_F(DaemonTest, WhatIsWrongWithABundleIsAnswered) {
    const json reply = ask({{"cmd", "deploy"}, {"bundle", folder_.path().string()}});
    EXPECT_FALSE(reply.at("ok"));
    EXPECT_NE(reply.at("error").get<std::string>().find("manifest.json"), std::string::npos) << reply;
    EXPECT_EQ(ask("status").at("phase"), "idle");
}

}  // namespace
}  // namespace fixaccel
