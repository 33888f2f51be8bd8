// SPDX-License-Identifier: Apache-2.0
// A text of megabytes that several have, and nobody copies.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace fixaccel {

class SharedText {
  public:
    SharedText() : text_(std::make_shared<const std::string>()) {}
    explicit SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}

    bool empty() const { return text_->empty(); }
    std::size_t size() const { return text_->size(); }
    const std::string& text() const { return *text_; }
    std::string_view view() const { return *text_; }
    // The very same one, which is known without looking at it.
    bool is(const SharedText& other) const { return text_ == other.text_; }

    bool operator==(const SharedText& other) const { return is(other) || *text_ == *other.text_; }

  private:
    std::shared_ptr<const std::string> text_;  // never null
};

}  // namespace fixaccel
