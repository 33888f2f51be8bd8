// SPDX-License-Identifier: Apache-2.0
#include "board_lock.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "fixaccel/board.hpp"
#include "scratch_folder.hpp"
#include "uio_files.hpp"

namespace fixaccel {
namespace {

TEST(BoardLock, ASecondDaemonIsRefusedUntilTheFirstHasGone) {
    const ScratchFolder folder;
    const std::string endpoint = "unix:" + (folder.path() / "board.sock").string();
    std::optional<BoardLock> first(endpoint);
    EXPECT_THROW(BoardLock{endpoint}, BoardError);
    EXPECT_NO_THROW(BoardLock{endpoint + "2"}) << "another board";
    first.reset();
    EXPECT_NO_THROW(BoardLock{endpoint});
}

TEST(BoardLock, ABoardInThisMachineIsLockedByItsDeviceWhateverItIsCalled) {
    const test::UioFiles files;
    files.add("uio1", "0x80000000", 4096);
    const BoardLock first("uio:registers", files.root);
    EXPECT_THROW(BoardLock("uio:uio1", files.root), BoardError);
    EXPECT_THROW(BoardLock("uio:other", files.root), BoardError);
}

TEST(BoardLock, WhereThereIsNoFolderTheFileIsNamed) {
    try {
        const BoardLock lock("unix:/nonexistent/board.sock");
        FAIL();
    } catch (const BoardError& error) {
        EXPECT_NE(std::string(error.what()).find("/nonexistent/board.sock.lock"), std::string::npos);
    }
}

}  // namespace
}  // namespace fixaccel
