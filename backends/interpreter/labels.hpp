// Labels: the tags of the current walk, and the set of labelings found so far.
//
// The search usually traverses the tree of labelings without returning to a branch that it has left. Then one row per
// tag position suffices: it stores, for each tag, the branch on which the tag was last seen. If the search does return
// to a branch, it restarts with a set of all labelings, and later searches from the same start use the set at once.
// Reasoners compiled from tables embed this file, so it depends on the standard library only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

constexpr std::size_t kMaxTags = 1U << 16U;  // limit for one move

// The branch of the tree of labelings on which each tag was last seen.
class LabelTree {
 public:
  enum class Found : std::uint8_t { fresh, again, unknown };

  // Sets the bound of tag numbers.
  void resize(std::size_t tags) { tags_ = tags; }
  void clear() {
    if (next_ > kMostNumbers) {
      rows_.clear();
      next_ = 1;
    }
    root_ = next_++;
    empty_met_ = false;
    known_ = 0;
  }
  // Keeps only the first `tags` tags of the last labeling.
  [[gnu::always_inline]] void cut(std::size_t tags) { known_ = std::min(known_, tags); }

  // Whether the labeling tag(0), tag(1), … is new; unknown if the search has returned to a branch.
  template <class Tag>
  [[gnu::always_inline]] Found add(std::size_t count, const Tag& tag) {
    if (count == 0) return std::exchange(empty_met_, true) ? Found::again : Found::fresh;
    if (count > rows_.size() && !add_rows(count)) return Found::unknown;
    for (std::size_t k = known_; k < count; ++k) {
      if (k > 0 && rows_[k - 1].here != rows_[k - 1].last) return Found::unknown;
      const std::uint32_t parent = k == 0 ? root_ : rows_[k - 1].here;
      Branch& branch = rows_[k].branches[tag(k)];
      if (branch.parent != parent) {
        branch = {parent, next_, false};
        rows_[k].last = next_++;
      }
      rows_[k].here = branch.number;
    }
    known_ = count;
    return std::exchange(rows_[count - 1].branches[tag(count - 1)].complete, true) ? Found::again : Found::fresh;
  }

 private:
  static constexpr std::size_t kMostRows = 8;
  static constexpr std::size_t kMostTags = std::size_t{1} << 16U;
  static constexpr std::uint32_t kMostNumbers = 1U << 31U;  // limit on branch numbers; then a new search restarts

  struct Branch {
    std::uint32_t parent = 0;  // number of the parent branch
    std::uint32_t number = 0;
    bool complete = false;  // a labeling ends here
  };
  struct Row {
    std::vector<Branch> branches;  // by tag
    std::uint32_t here = 0;        // the branch of the current labeling
    std::uint32_t last = 0;        // the newest branch
  };

  [[gnu::noinline]] bool add_rows(std::size_t count) {
    if (count > kMostRows || tags_ > kMostTags) return false;
    while (rows_.size() < count) rows_.push_back({std::vector<Branch>(tags_)});
    return true;
  }

  std::vector<Row> rows_;  // by number of preceding tags
  std::size_t tags_ = 0;
  std::size_t known_ = 0;  // the first tags of the current labeling that equal those of the last one
  std::uint32_t root_ = 0, next_ = 1;
  bool empty_met_ = false;
};

class Labels {
 public:
  // Takes all possible tags, in any order. They are renumbered from 1, so that many fit into a word.
  explicit Labels(std::vector<std::uint32_t> tags) : tags_of_numbers_(std::move(tags)) {
    tags_of_numbers_.push_back(0);
    std::sort(tags_of_numbers_.begin(), tags_of_numbers_.end());
    tags_of_numbers_.erase(std::unique(tags_of_numbers_.begin(), tags_of_numbers_.end()), tags_of_numbers_.end());
    tags_of_numbers_.insert(tags_of_numbers_.begin(), 0);
    for (std::uint32_t number = 1; number < tags_of_numbers_.size(); ++number) {
      const std::uint32_t place = place_of(tags_of_numbers_[number]);
      if (place >= numbers_.size()) numbers_.resize(place + std::size_t{1}, 0);
      numbers_[place] = number;
    }
    tag_bits_ = static_cast<std::uint32_t>(std::bit_width(tags_of_numbers_.size()));
    packed_tags_ = 63 / tag_bits_;
    tree_.resize(tags_of_numbers_.size());
  }

  // Starts a search. `returns`: the search may return to a branch that it has left.
  void begin(bool returns) {
    cut(0);
    trie_.clear();
    returns_ = returns;
    if (returns) {
      labels_.clear();
    } else {
      tree_.clear();
    }
  }

  [[gnu::always_inline]] void push(std::uint32_t tag) {
    if (tags_.size() >= kMaxTags) too_many();
    tags_.push({numbers_[place_of(tag)], 0});
  }
  [[gnu::always_inline]] void cut(std::size_t size) {
    if (tags_.size() == size) return;
    tags_.cut(size);
    known_prefixes_ = std::min(known_prefixes_, size);
    tree_.cut(size);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(tags_.size()); }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return tags_of_numbers_[tags_[i].number]; }

  // A number for the current sequence of tags. Short sequences are encoded directly.
  [[gnu::always_inline]] std::uint64_t prefix() {
    return tags_.size() <= packed_tags_ ? packed() : std::uint64_t{1} << 63U | sequence();
  }

  // Whether the current labeling is new; unknown if the search must restart with `returns`.
  [[gnu::always_inline]] LabelTree::Found add() {
    if (!returns_) return tree_.add(tags_.size(), [this](std::size_t i) { return tags_[i].number; });
    const bool fresh = tags_.size() > packed_tags_ ? trie_.mark(sequence()) : labels_.insert(packed());
    return fresh ? LabelTree::Found::fresh : LabelTree::Found::again;
  }

 private:
  // Moves the highest bit, which few tags have, to the lowest position, so that the table stays short.
  static std::uint32_t place_of(std::uint32_t tag) { return std::rotl(tag, 1); }

  struct PendingTag {
    std::uint32_t number;
    std::uint32_t prefix;
  };

  [[noreturn, gnu::noinline]] static void too_many() {
    give_up("a move has more than " + std::to_string(kMaxTags) + " tags",
            "a cycle of the automaton with a tag on it never ends");
  }
  [[gnu::always_inline]] std::uint64_t packed() const {
    std::uint64_t code = 0;
    for (std::size_t k = 0; k < tags_.size(); ++k) code = code << tag_bits_ | tags_[k].number;
    return code;
  }
  std::uint32_t sequence() {
    while (known_prefixes_ < tags_.size()) {
      const std::uint32_t before = known_prefixes_ == 0 ? TagTrie::kRoot : tags_[known_prefixes_ - 1].prefix;
      tags_[known_prefixes_].prefix = trie_.child(before, tags_[known_prefixes_].number);
      ++known_prefixes_;
    }
    return tags_.size() == 0 ? TagTrie::kRoot : tags_.top().prefix;
  }

  Stack<PendingTag> tags_;
  std::size_t known_prefixes_ = 0;  // how many of tags_ have a prefix number
  TagTrie trie_;
  LabelTree tree_;
  NumberSet labels_;  // labelings with few tags
  bool returns_ = false;
  std::vector<std::uint32_t> tags_of_numbers_;
  std::vector<std::uint32_t> numbers_;  // by place_of(tag)
  std::uint32_t tag_bits_ = 1;
  std::size_t packed_tags_ = 63;
};

}  // namespace rgtrans::interpreter
