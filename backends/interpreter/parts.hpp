// Moves selected tag by tag. A state can have millions of moves but few next tags. Among the moves that begin with the
// given tags, the first one found for each next tag suffices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rgtrans::interpreter {

class MoveParts {
 public:
  // Begins a query: `count` tags are given, and moves have at most `most` tags. `tag(i)` is the i-th tag.
  template <class Tag>
  void ask(std::size_t count, std::size_t most, const Tag& tag) {
    given_.clear();
    for (std::size_t i = 0; i < count; ++i) given_.push_back(tag(i));
    most_ = most;
    ++question_;
  }
  // Whether no wanted move begins with these tags.
  template <class Tag>
  [[nodiscard]] bool in_vain(std::size_t count, const Tag& tag) const {
    if (count > most_) return true;
    for (std::size_t i = 0; i < count && i < given_.size(); ++i) {
      if (tag(i) != given_[i]) return true;
    }
    return count > given_.size() && tag(given_.size()) < answered_.size() && answered_[tag(given_.size())] == question_;
  }
  // Whether a move is wanted. If so, it becomes the answer for all moves with the same next tag.
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
  std::vector<std::uint64_t> answered_;  // by next tag: the last query answered for it
  std::uint64_t question_ = 0;
  std::size_t most_ = 0;
};

}  // namespace rgtrans::interpreter
