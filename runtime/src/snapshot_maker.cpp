// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/snapshot_maker.hpp"

#include <exception>
#include <utility>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {

void SnapshotMaker::make(std::uint64_t record) {
    thread_.begin([this, record](const std::stop_token& stop) { run(stop, record); });
}

std::string SnapshotMaker::take_problem() {
    return thread_.busy() ? std::string() : std::exchange(problem_, {});
}

void SnapshotMaker::run(const std::stop_token& stop, std::uint64_t record) noexcept {
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
}

}  // namespace fixaccel
