// SPDX-License-Identifier: Apache-2.0
// The time that the FIX engine goes by.
#pragma once

#include <cstdint>

namespace fixaccel {

// Whether it is ours: see gettimeofday() in engine_clock.cpp.
bool engine_goes_by_our_clock();

// The engine's time, UTC in microseconds.
std::int64_t engine_us();

// How far the engine's clock goes in a call that begins then; both UTC in microseconds.
std::int64_t end_of_call_us(std::int64_t begin_us);

// A call into the engine, for as long as this lives. At its end the engine asks how long the peer has been
// silent, however long it has itself been busy with what the peer asked for, and unable to hear it: by its
// clock a call takes 250 ms at most, and ends on the day on which it began: it looks at the time more than
// once in a call, and another day than that of its session's creation, which we tell at the begin, would end
// the session.
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
