// Vectors indexed by ids of one kind, and ranges of such ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans {

// The ids below `bound` that satisfy `keep`, in increasing order. The iterator evaluates `keep` when it reaches an id.
template <class I, class Keep>
struct IdRange {
  struct Iterator {
    const IdRange* range;
    std::uint32_t at;
    I operator*() const { return I(at); }
    Iterator& operator++() {
      ++at;
      return skip();
    }
    Iterator& skip() {
      while (at < range->bound && !range->keep(I(at))) ++at;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at == other.at; }
  };
  [[nodiscard]] Iterator begin() const { return Iterator{this, 0}.skip(); }
  [[nodiscard]] Iterator end() const { return {this, bound}; }

  std::uint32_t bound;
  Keep keep;
};

template <class I, class Keep>
IdRange<I, Keep> ids_below(std::size_t bound, Keep keep) {
  return {static_cast<std::uint32_t>(bound), std::move(keep)};
}

// A vector indexed by ids of one kind.
template <class I, class T>
class IdVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  explicit IdVector(std::vector<T> elements) : std::vector<T>(std::move(elements)) {}

  decltype(auto) operator[](I id) { return std::vector<T>::operator[](id.value); }
  decltype(auto) operator[](I id) const { return std::vector<T>::operator[](id.value); }
  // The id of the next element to be appended.
  [[nodiscard]] I next() const { return I(this->size()); }
  [[nodiscard]] auto ids() const {
    return ids_below<I>(this->size(), [](I) { return true; });
  }
};

}  // namespace rgtrans
