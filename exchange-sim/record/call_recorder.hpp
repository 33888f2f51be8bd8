// SPDX-License-Identifier: Apache-2.0
// Writes what an exchange is told to do into the record, so that it can be done again.
#pragma once

#include <cstdint>

#include "matching/exchange_journal.hpp"
#include "record/call_lines.hpp"
#include "record/recorder.hpp"

namespace fixaccel::exchange {

class CallRecorder : public ExchangeJournal {
  public:
    // Writes how the exchange is now, and then each call. The exchange tells of them until this is gone,
    // which is before exchange and recorder are. `venue` is what the exchange was made of.
    CallRecorder(Exchange& exchange, Recorder& recorder, const RecordedVenue& venue);
    ~CallRecorder() override;
    CallRecorder(const CallRecorder&) = delete;
    CallRecorder& operator=(const CallRecorder&) = delete;

    void on_call(const CallView& call) override;
    void begin_together() override;
    void end_together() override { together_ = false; }

  private:
    Exchange& exchange_;
    Recorder& recorder_;
    std::uint64_t step_ = 0;  // calls of one step were published together
    bool together_ = false;
};

}  // namespace fixaccel::exchange
