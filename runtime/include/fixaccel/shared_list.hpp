// SPDX-License-Identifier: Apache-2.0
// A list in pieces that lists which differ in little have in common: a copy takes no time, and what two of
// them share is known without looking at it.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fixaccel {

// What it holds is only read; edit() and push_back() copy a piece that others have, too. Not safe for use by
// several threads at once, but for lists that share pieces.
template <typename T>
class SharedList {
  public:
    static constexpr std::size_t kPiece = 128;  // elements; the last piece may have fewer
    using Piece = std::shared_ptr<std::vector<T>>;

    class const_iterator {
      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        const_iterator() = default;
        const_iterator(const SharedList* list, std::size_t at) : list_(list), at_(at) {}

        reference operator*() const { return (*list_)[at_]; }
        pointer operator->() const { return &(*list_)[at_]; }
        reference operator[](difference_type by) const { return *(*this + by); }
        const_iterator& operator++() { return *this += 1; }
        const_iterator& operator--() { return *this += -1; }
        const_iterator operator++(int) {
            const const_iterator before = *this;
            ++*this;
            return before;
        }
        const_iterator& operator+=(difference_type by) {
            at_ = static_cast<std::size_t>(static_cast<difference_type>(at_) + by);
            return *this;
        }
        const_iterator operator+(difference_type by) const {
            const_iterator moved = *this;
            return moved += by;
        }
        const_iterator operator-(difference_type by) const { return *this + -by; }
        difference_type operator-(const const_iterator& other) const {
            return static_cast<difference_type>(at_) - static_cast<difference_type>(other.at_);
        }
        bool operator==(const const_iterator& other) const { return at_ == other.at_; }
        auto operator<=>(const const_iterator& other) const { return at_ <=> other.at_; }

      private:
        const SharedList* list_ = nullptr;
        std::size_t at_ = 0;
    };
    using iterator = const_iterator;
    using value_type = T;

    SharedList() = default;
    SharedList(std::initializer_list<T> elements) {
        for (const T& each : elements) push_back(each);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T& operator[](std::size_t at) const { return (*pieces_[at / kPiece])[at % kPiece]; }
    const T& at(std::size_t at) const {
        if (at >= size_) throw std::out_of_range("an element that the list does not have");
        return (*this)[at];
    }
    const T& front() const { return at(0); }
    const T& back() const { return at(size_ - 1); }
    const_iterator begin() const { return {this, 0}; }
    const_iterator end() const { return {this, size_}; }

    T& edit(std::size_t at) {
        if (at >= size_) throw std::out_of_range("an element that the list does not have");
        return own(at / kPiece)[at % kPiece];
    }
    void push_back(T element) {
        if (size_ % kPiece == 0) {
            pieces_.push_back(std::make_shared<std::vector<T>>());
            pieces_.back()->reserve(kPiece);
        }
        own(pieces_.size() - 1).push_back(std::move(element));
        ++size_;
    }
    void pop_back() {
        own(pieces_.size() - 1).pop_back();
        if (--size_ % kPiece == 0) pieces_.pop_back();
    }
    // Elements of `other` from `first` on; whole pieces are shared where they come to the same place.
    void append(const SharedList& other, std::size_t first, std::size_t count) {
        for (std::size_t at = first; at < first + count;) {
            const bool whole = size_ % kPiece == 0 && at % kPiece == 0 &&
                               first + count - at >= other.pieces_[at / kPiece]->size();
            if (whole) {
                push_piece(other.pieces_[at / kPiece]);
                at = std::min(at + kPiece, other.size_);
            } else {
                push_back(other[at++]);
            }
        }
    }

    std::size_t pieces() const { return pieces_.size(); }
    const Piece& piece(std::size_t number) const { return pieces_[number]; }
    // Only behind whole pieces.
    void push_piece(Piece piece) {
        size_ += piece->size();
        pieces_.push_back(std::move(piece));
    }
    // At the same place, and the very same: so are all of its elements.
    bool shares_piece(const SharedList& other, std::size_t number) const {
        return number < pieces_.size() && number < other.pieces_.size() &&
               pieces_[number] == other.pieces_[number];
    }
    // Takes pieces of `other` in the place of its own that are equal: from then on it shares them.
    void share_with(const SharedList& other) {
        for (std::size_t i = 0; i < std::min(pieces_.size(), other.pieces_.size()); ++i)
            if (pieces_[i] != other.pieces_[i] && *pieces_[i] == *other.pieces_[i])
                pieces_[i] = other.pieces_[i];
    }

    bool operator==(const SharedList& other) const {
        return size_ == other.size_ &&
               std::equal(pieces_.begin(), pieces_.end(), other.pieces_.begin(),
                          [](const Piece& one, const Piece& two) { return one == two || *one == *two; });
    }

  private:
    std::vector<T>& own(std::size_t piece) {
        Piece& mine = pieces_[piece];
        if (mine.use_count() != 1) {
            auto copy = std::make_shared<std::vector<T>>();
            copy->reserve(kPiece);
            copy->assign(mine->begin(), mine->end());
            mine = std::move(copy);
        }
        return *mine;
    }

    std::vector<Piece> pieces_;
    std::size_t size_ = 0;
};

// Makes lists of one kind from those of another, element by element, and remembers what it has made of each
// piece of the last one.
template <typename From, typename To>
class PieceMemo {
  public:
    // `make` must make the same of the same element for as long as a piece lives.
    template <typename Make>
    SharedList<To> map(const SharedList<From>& from, Make make) {
        std::unordered_map<const void*, Made> made;
        SharedList<To> list;
        for (std::size_t i = 0; i < from.pieces(); ++i) {
            const auto& piece = from.piece(i);
            auto known = made_.find(piece.get());
            Made& entry = made[piece.get()];
            if (known != made_.end()) {
                entry = known->second;
            } else {
                entry.of = piece;
                entry.piece = std::make_shared<std::vector<To>>();
                entry.piece->reserve(piece->size());
                for (const From& each : *piece) entry.piece->push_back(make(each));
            }
            list.push_piece(entry.piece);
        }
        made_ = std::move(made);
        return list;
    }

  private:
    struct Made {
        SharedList<From>::Piece of;  // so that no other piece comes to its address
        SharedList<To>::Piece piece;
    };
    std::unordered_map<const void*, Made> made_;
};

}  // namespace fixaccel
