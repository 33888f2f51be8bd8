// SPDX-License-Identifier: Apache-2.0
// The time that the FIX engine goes by.
#pragma once

#include <cstdint>

namespace fixaccel {

// Whether it is ours: see gettimeofday() in engine_clock.cpp.
bool engine_goes_by_our_clock();

// A call into the engine, for as long as this lives. At its end the engine asks how long the peer has been
// silent, however long it has itself been busy with what the peer asked for, and unable to hear it: by its
// clock a call takes 250 ms at most.
class EngineCall {
  public:
    EngineCall();
    EngineCall(const EngineCall&) = delete;
    EngineCall& operator=(const EngineCall&) = delete;
    ~EngineCall();

    // The one that is under way has taken that long already. False outside of one.
    static bool is_long();

  private:
    std::int64_t outer_end_us_;
};

}  // namespace fixaccel
