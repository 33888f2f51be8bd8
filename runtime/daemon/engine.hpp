// SPDX-License-Identifier: Apache-2.0
// The board with its journal: recovery at start, loading, arming, and the watch over both while armed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/sequencer.hpp"
#include "fixaccel/windows.hpp"
#include "software.hpp"

namespace fixaccel {

// What was asked for is refused; the text says why and what to do.
class Refused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Engine {
  public:
    Engine(Board& board, Ledger& ledger, const DaemonConfig& config);

    // After a start: disarms, takes fires that a former daemon left in the ring into journal and store, and
    // finds out whether the board lost its memory. Throws Refused.
    void recover();

    // Loads the tables, disarmed; spent rules stay spent, with all that their orders cancelled and armed.
    // Throws BundleError, Refused.
    void load(const Bundle& bundle);
    const std::optional<Bundle>& bundle() const { return bundle_; }
    // The rules that the runtime runs, none if there are no such rules.
    SoftwareRules* software() { return software_.get(); }
    const SoftwareRules* software() const { return software_.get(); }

    // State of each trigger of the loaded bundle as the journal has it: as after a fresh load, but for what
    // has fired since it was last armed by hand, and what orders that were sent have cancelled and armed of
    // the rules that were loaded then.
    std::vector<TriggerState> trigger_states() const;

    // Arms; `dry`: for a dry run, in which all is as when armed, but nothing leaves. `read` is how far the
    // FIX engine has read the stream. False: the parser is not in step yet, try again. Throws Refused.
    bool arm(const Boundaries& read, bool dry);
    bool armed() const { return armed_; }
    bool dry() const { return armed_ && ledger_.dry(); }
    // Disarms at once, then takes everything the fabric has sent. Nothing if it is not armed. A dry run ends
    // with it: all rules are as they were when it began.
    void disarm(const std::string& reason);
    // Ends a dry run, too.
    void kill(bool on);

    void attach(KernelStream* stream) { sequencer_.attach(stream); }
    void set_flow(const Flow& flow) { fabric_.set_flow(flow); }
    void set_window_scales(std::uint32_t peer, std::uint32_t local) {
        fabric_.set_window_scales(peer, local);
    }
    // Takes what the fabric has sent into journal and store, and commits it. Throws CommitError.
    void take_fires();
    void set_comp_ids(std::string_view sender, std::string_view target) {
        fabric_.set_comp_ids(sender, target);
    }

    // The lease around whatever the FIX engine sends; see Sequencer.
    bool take_lease() { return sequencer_.take(); }
    bool lease_held() const { return sequencer_.held(); }
    void give_lease();
    // With the lease held: an order of the runtime may go out.
    bool may_send();

    // Takes fires off the ring, kicks the watchdog, keeps the clock; disarms for what the fabric reports.
    // Throws CommitError when the session's connection is of no more use.
    FabricStatus watch();

    Fabric& fabric() { return fabric_; }
    // Why the board is not armed, empty if it never was.
    const std::string& disarm_reason() const { return disarm_reason_; }

  private:
    void take_in_doubt();
    // Makes what fires change on the board what the journal says it is.
    void restore_board();

    Board& board_;
    Ledger& ledger_;
    const DaemonConfig& config_;
    Fabric fabric_;
    Sequencer sequencer_;
    std::optional<Bundle> bundle_;
    std::unique_ptr<SoftwareRules> software_;
    Windows windows_;  // of time, of what is loaded
    bool armed_ = false;
    std::string disarm_reason_;
    std::chrono::steady_clock::time_point next_kick_{};
    std::chrono::steady_clock::time_point next_clock_{};
};

}  // namespace fixaccel
