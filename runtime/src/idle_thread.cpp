// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/idle_thread.hpp"

#include <pthread.h>
#include <sched.h>

#include <memory>
#include <utility>

#include "fixaccel/own_core.hpp"

namespace fixaccel {
namespace {

using Work = IdleThread::Work;

// Of this thread alone.
void go_by(int policy) {
    const sched_param none{};
    ::sched_setscheduler(0, policy, &none);
}

}  // namespace

IdleThread::~IdleThread() {
    thread_.request_stop();
    ++begun_;
    begun_.notify_one();
    if (thread_.joinable()) thread_.join();
    const std::unique_ptr<Work> left(waiting_.load());
}

void IdleThread::begin(Work work) {
    const std::unique_ptr<Work> given_up(
        waiting_.exchange(std::make_unique<Work>(std::move(work)).release()));
    ++begun_;
    if (thread_.joinable())
        begun_.notify_one();
    else
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

// It has as much of the processors meanwhile as who waits for it, where the system allows that.
void IdleThread::finish() const {
    const sched_param none{};
    ++awaited_;
    for (std::uint32_t done = done_.load(); done != begun_.load(); done = done_.load()) {
        // The handle names the thread; nothing of the object changes.
        auto& thread = const_cast<std::jthread&>(thread_);
        ::pthread_setschedparam(thread.native_handle(), SCHED_OTHER, &none);
        done_.wait(done);
    }
    --awaited_;
}

void IdleThread::run(const std::stop_token& stop) noexcept {
    leave_own_core("idle work");
    while (true) {
        // Who began to wait just now may have raised it ahead of that.
        go_by(SCHED_IDLE);
        if (awaited_.load() != 0) go_by(SCHED_OTHER);
        // In this order: who wants it to end says so ahead of counting on, and what has been counted is not
        // waited for.
        const std::uint32_t begun = begun_.load();
        if (stop.stop_requested()) return;
        if (const std::unique_ptr<Work> work(waiting_.exchange(nullptr)); work) (*work)(stop);
        done_ = begun;
        done_.notify_all();
        begun_.wait(begun);
    }
}

}  // namespace fixaccel
