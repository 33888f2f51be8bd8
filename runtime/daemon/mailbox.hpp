// SPDX-License-Identifier: Apache-2.0
// From one thread to another, with a descriptor to wait at.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <deque>
#include <mutex>
#include <utility>

namespace fixaccel {

template <typename T>
class Mailbox {
  public:
    Mailbox() = default;
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;
    ~Mailbox() { ::close(fd_); }

    // Readable while something is there, or wake() was called.
    int fd() const { return fd_; }

    void put(T item) {
        {
            const std::lock_guard lock(mutex_);
            items_.push_back(std::move(item));
        }
        wake();
    }
    void wake() const { ::eventfd_write(fd_, 1); }

    std::deque<T> take() {
        eventfd_t count = 0;
        ::eventfd_read(fd_, &count);
        const std::lock_guard lock(mutex_);
        return std::exchange(items_, {});
    }

  private:
    int fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    std::mutex mutex_;
    std::deque<T> items_;
};

}  // namespace fixaccel
