// Moves that are given part by part, one tag after the other. There can be millions of moves and few ways to go on: of
// those that begin with the tags given so far, and go on with the same tag, the first one that is found is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rgtrans::interpreter {

class MoveParts {
 public:
  // Begins a question: `count` tags are given, moves have `most` tags at most. `tag(i)` is the i-th.
  template <class Tag>
  void ask(std::size_t count, std::size_t most, const Tag& tag) {
    given_.clear();
    for (std::size_t i = 0; i < count; ++i) given_.push_back(tag(i));
    most_ = most;
    ++question_;
  }
  // Whether nothing that is wanted lies behind a walk that has shown these tags.
  template <class Tag>
  [[nodiscard]] bool in_vain(std::size_t count, const Tag& tag) const {
    if (count > most_) return true;
    for (std::size_t i = 0; i < count && i < given_.size(); ++i) {
      if (tag(i) != given_[i]) return true;
    }
    return count > given_.size() && tag(given_.size()) < answered_.size() && answered_[tag(given_.size())] == question_;
  }
  // Whether a move is wanted. If so, it answers for all that go on with the same tag.
  template <class Tag>
  bool take(std::size_t count, const Tag& tag) {
    if (count < given_.size() || in_vain(count, tag)) return false;
    if (count == given_.size()) return true;
    const std::size_t next = tag(given_.size());
    if (next >= answered_.size()) answered_.resize(next + 1, 0);
    answered_[next] = question_;
    return true;
  }

 private:
  std::vector<std::uint32_t> given_;
  std::vector<std::uint64_t> answered_;  // by next tag: the last question that was answered for it
  std::uint64_t question_ = 0;
  std::size_t most_ = 0;
};

}  // namespace rgtrans::interpreter
