// SPDX-License-Identifier: Apache-2.0
#include "session/outbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {

Outbox::Outbox(const SessionBounds& bounds)
    : soft_(bounds.outbox_soft), hard_(bounds.outbox_hard), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (wake_ < 0) throw SessionHostError(std::string("cannot make an eventfd: ") + std::strerror(errno));
}

Outbox::~Outbox() { ::close(wake_); }

void Outbox::wake() {
    const std::uint64_t one = 1;
    // It fails only where it is readable anyway.
    if (::write(wake_, &one, sizeof one) < 0) return;
}

void Outbox::acknowledge() {
    std::uint64_t count = 0;
    if (::read(wake_, &count, sizeof count) < 0) return;
}

bool Outbox::post(Post post) {
    if (post.urgency == Urgency::kMarketData && (!online() || behind())) {
        ++dropped_;
        refused_ = true;
        return false;
    }
    bool news = false;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        news = items_.empty();
        items_.push_back({std::move(post), nullptr, {}});
        const std::size_t size = ++size_;
        if (size > high_) high_ = size;
        news = news || size == hard_ + 1;
    }
    if (news) wake();
    return true;
}

void Outbox::command(Command command) {
    using Kind = Command::Kind;
    const bool urgent =
        command.kind == Kind::kDisconnect || command.kind == Kind::kReset || command.kind == Kind::kStop;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        items_.push_back({{}, std::make_unique<Command>(std::move(command)), {}});
    }
    if (urgent) urgent_ = true;
    wake();
}

void Outbox::taken(const ReceivedAs& request) {
    bool news = false;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        news = items_.empty();
        items_.push_back({{}, nullptr, request});
        ++taken_given_;
    }
    if (news) wake();
}

void Outbox::set_online(bool online) { online_ = online; }

void Outbox::take(std::vector<Item>& items) {
    items.clear();
    std::lock_guard<std::mutex> lock(mutex_);
    items.swap(items_);
}

bool Outbox::done() {
    const std::size_t left = --size_;
    return left * 2 < soft_ && refused_.load(std::memory_order_relaxed) && refused_.exchange(false);
}

}  // namespace exchange
}  // namespace fixaccel
