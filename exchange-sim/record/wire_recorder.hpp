// SPDX-License-Identifier: Apache-2.0
// Each FIX message either way, as a line of the record.
#pragma once

#include <algorithm>
#include <string>

#include "record/recorder.hpp"
#include "venue/observer.hpp"

namespace fixaccel::exchange {

class WireRecorder : public Observer {
  public:
    explicit WireRecorder(Recorder& recorder) : recorder_(recorder) {}

    // `raw` has a bar in place of each SOH, as people write FIX.
    void on_wire(Direction direction, const std::string& client, const std::string& bytes,
                 std::int64_t /*time_ns*/) override {
        std::string raw = bytes;
        std::replace(raw.begin(), raw.end(), '\x01', '|');
        recorder_.write(
            "wire",
            {{"client", client}, {"direction", direction == Direction::kIn ? "in" : "out"}, {"raw", raw}});
    }

  private:
    Recorder& recorder_;
};

}  // namespace fixaccel::exchange
