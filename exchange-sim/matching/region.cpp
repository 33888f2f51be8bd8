// SPDX-License-Identifier: Apache-2.0
#include "matching/region.hpp"

#include <sys/mman.h>

#include <new>

namespace fixaccel::exchange {

Region::Region(std::size_t bytes) : bytes_(bytes) {
    start_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start_ == MAP_FAILED) throw std::bad_alloc();
    // A million orders in small pages miss the TLB with nearly every message. Refused, all works as well.
    madvise(start_, bytes, MADV_HUGEPAGE);
}

Region::~Region() {
    if (start_ != nullptr) munmap(start_, bytes_);
}

}  // namespace fixaccel::exchange
