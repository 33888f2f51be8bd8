// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/snapshot_maker.hpp"

#include <sched.h>

#include <exception>
#include <utility>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {
namespace {

// Only what nobody else wants of the processors, whatever trades on them.
void stand_back() {
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_IDLE, &none);  // of this thread alone
}

}  // namespace

SnapshotMaker::~SnapshotMaker() {
    thread_.request_stop();
    finish();
}

void SnapshotMaker::make(std::uint64_t record) {
    if (busy()) return;
    finish();
    busy_ = true;
    thread_ = std::jthread([this, record](const std::stop_token& stop) { run(stop, record); });
}

void SnapshotMaker::finish() {
    if (thread_.joinable()) thread_.join();
}

std::string SnapshotMaker::take_problem() { return busy() ? std::string() : std::exchange(problem_, {}); }

void SnapshotMaker::run(const std::stop_token& stop, std::uint64_t record) noexcept {
    stand_back();
    try {
        JournalContent content = read_journal(journal_, record);
        LedgerState state(content.snapshot);
        for (const Record& each : content.records) {
            if (stop.stop_requested()) break;
            state.replay(each);
        }
        if (!stop.stop_requested()) {
            const nlohmann::json snapshot = state.snapshot();
            // Nobody looks at it before it is all that there is.
            if (state.records() != record || LedgerState(snapshot) != state)
                throw JournalError("it does not say what the records say");
            write_snapshot(journal_, record, snapshot);
        }
    } catch (const std::exception& error) {
        problem_ = "no snapshot of record " + std::to_string(record) + ": " + error.what();
    }
    busy_ = false;
}

}  // namespace fixaccel
