// SPDX-License-Identifier: Apache-2.0
#include "record/call_recorder.hpp"

namespace fixaccel::exchange {

CallRecorder::CallRecorder(Exchange& exchange, Recorder& recorder, const RecordedVenue& venue)
    : exchange_(exchange), recorder_(recorder) {
    if (!recorder_.enabled()) return;
    recorder_.write("venue", venue_line(venue));
    // What a store has brought back.
    if (!exchange_.orders().empty() || exchange_.used_ids() > 0)
        recorder_.write("state", {{"base64", to_base64(exchange_.state())}});
    exchange_.add_journal(*this);
}

CallRecorder::~CallRecorder() { exchange_.remove_journal(*this); }

void CallRecorder::begin_together() {
    ++step_;
    together_ = true;
}

void CallRecorder::on_call(const CallView& call) {
    if (!together_) ++step_;
    nlohmann::ordered_json line = {{"step", step_}};
    line.update(call_line(exchange_, call));
    recorder_.write("call", line);
}

}  // namespace fixaccel::exchange
