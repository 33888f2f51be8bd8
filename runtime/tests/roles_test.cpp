// SPDX-License-Identifier: Apache-2.0
#include "roles.hpp"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "fixaccel/unix_listener.hpp"
#include "scratch_folder.hpp"
#include "user_names.hpp"

namespace fixaccel {
namespace {

TEST(Roles, EachMayWhatIsItsOwn) {
    for (const char* const question : {"status", "metrics", "rules", "fires", "orders", "limits", "watch"}) {
        EXPECT_TRUE(is_question(question)) << question;
        for (const Role role : {Role::view, Role::trade, Role::risk, Role::admin})
            EXPECT_EQ(refusal(role, question), "") << question;
    }
    for (const char* const command : {"deploy", "arm", "order", "replace", "subscribe"}) {
        EXPECT_FALSE(is_question(command)) << command;
        EXPECT_EQ(refusal(Role::trade, command), "") << command;
        EXPECT_NE(refusal(Role::risk, command), "") << command;
        EXPECT_NE(refusal(Role::view, command), "") << command;
        EXPECT_EQ(refusal(Role::admin, command), "") << command;
    }
    for (const char* const command : {"disarm", "cancel", "kill"}) {
        EXPECT_EQ(refusal(Role::trade, command), "") << command;
        EXPECT_EQ(refusal(Role::risk, command), "") << command;
        EXPECT_NE(refusal(Role::view, command), "") << command;
    }
    for (const char* const command : {"unkill", "reconcile"}) {
        EXPECT_NE(refusal(Role::trade, command), "") << command;
        EXPECT_EQ(refusal(Role::risk, command), "") << command;
    }
    for (const char* const command : {"logout", "shutdown"})
        for (const Role role : {Role::view, Role::trade, Role::risk})
            EXPECT_NE(refusal(role, command), "") << command;
    EXPECT_EQ(
        refusal(Role::view, "deploy"),
        "deploy is for role trade or admin, and this socket has role view: ask at the socket of such a role");
    EXPECT_EQ(refusal(Role::view, "no such command"), "") << "which the daemon says";
}

TEST(UserNames, AreThoseOfTheFile) {
    const ScratchFolder folder;
    const std::string file = (folder.path() / "passwd").string();
    std::ofstream(file) << "root:x:0:0::/:/bin/sh\ntoor:x:0:0::/:/bin/sh\n\nbroken\nempty:x::\nend:x:7\n"
                           "anna:x:1000:1000:Anna,,,:/home/anna:/bin/bash\n";
    const UserNames users(file);
    EXPECT_EQ(users.text(1000), "user 1000 (anna)");
    EXPECT_EQ(users.text(0), "user 0 (root)");
    EXPECT_EQ(users.text(7), "user 7");
    EXPECT_EQ(UserNames((folder.path() / "none").string()).text(0), "user 0");
}

class SocketRightsTest : public ::testing::Test {
  protected:
    std::string path() const { return (folder_.path() / "s").string(); }
    struct stat status() const {
        struct stat found {};
        EXPECT_EQ(::lstat(path().c_str(), &found), 0);
        return found;
    }
    ScratchFolder folder_;
};

TEST_F(SocketRightsTest, AreThoseThatWereSaid) {
    for (const mode_t mode : {0600U, 0660U, 0666U}) {
        const UnixListener listener(path(), 1, {mode, ""});
        EXPECT_EQ(status().st_mode & 0777U, mode);
    }
    const struct group* const own = ::getgrgid(::getgid());
    if (own == nullptr) GTEST_SKIP() << "this user's group has no name";
    const UnixListener listener(path(), 1, {0660, own->gr_name});
    EXPECT_EQ(status().st_gid, ::getgid());
}

TEST_F(SocketRightsTest, AGroupThatCannotBeGivenIsSaid) {
    try {
        const UnixListener listener(path(), 1, {0660, "no-such-group"});
        FAIL();
    } catch (const ListenError& error) {
        EXPECT_NE(std::string(error.what()).find("to group no-such-group"), std::string::npos)
            << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(path())) << "nothing is left that looks like a socket of ours";
}

}  // namespace
}  // namespace fixaccel
