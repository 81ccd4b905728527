// The trail of a walk: what it has changed, so that it can go back, and what the moves change that were found. Moves
// share the changes that their walks have in common. Reasoners that are compiled from tables carry this text, so it
// stands on the standard library alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

struct Change {
  std::uint32_t cell;
  std::uint32_t value;
};

template <class Cell>
class Trail {
 public:
  struct Step {
    std::uint32_t cell;
    Cell old, value;
  };

  void clear() {
    steps_.cut(0);
    kept_.cut(0);
    shared_ = low_ = watched_ = 0;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }
  [[nodiscard]] const Step& operator[](std::size_t i) const { return steps_[i]; }

  // The cell has changed, or will at once.
  [[gnu::always_inline]] void push(std::uint32_t cell, std::uint32_t old, std::uint32_t value) {
    Step& step = *steps_.extend(1);
    step.cell = cell;
    step.old = static_cast<Cell>(old);
    step.value = static_cast<Cell>(value);
  }
  // The last step has another value now.
  [[gnu::always_inline]] void change(std::uint32_t value) {
    steps_.top().value = static_cast<Cell>(value);
    forget(steps_.size() - 1);
  }
  // Back to where the trail had this size.
  [[gnu::always_inline]] void undo(Cell* s, std::size_t size) {
    const Step* const steps = steps_.data();
    for (std::size_t i = steps_.size(); i > size;) {
      --i;
      s[steps[i].cell] = steps[i].old;
    }
    steps_.cut(size);
    forget(size);
  }

  // So many steps have stood since this was last set.
  [[nodiscard]] std::size_t low() const { return low_; }
  void set_low(std::size_t size) {
    low_ = size;
    watched_ = std::max(low_, shared_);
  }

  // Keeps what was changed so far until the trail is cleared, and returns its name.
  [[gnu::always_inline]] std::uint32_t keep() {
    for (; shared_ < steps_.size(); ++shared_) {
      const Step& step = steps_[shared_];
      kept_.push({step.cell, step.value, shared_ == 0 ? 0 : names_[shared_ - 1]});
      if (shared_ == names_.size()) names_.push(0);
      names_[shared_] = static_cast<std::uint32_t>(kept_.size());
    }
    watched_ = std::max(low_, shared_);
    return shared_ == 0 ? 0 : names_[shared_ - 1];
  }
  // The same with one more change.
  [[gnu::always_inline]] std::uint32_t keep_with(std::uint32_t cell, std::uint32_t value) {
    const std::uint32_t before = keep();
    kept_.push({cell, value, before});
    return static_cast<std::uint32_t>(kept_.size());
  }
  // f(cell, value) for each change that was kept by this name, in order.
  template <class F>
  void for_each(std::uint32_t name, F&& f) {
    changes_.clear();
    for (; name != 0; name = kept_[name - 1].before) changes_.push_back({kept_[name - 1].cell, kept_[name - 1].value});
    for (std::size_t i = changes_.size(); i-- > 0;) f(changes_[i].cell, changes_[i].value);
  }

 private:
  [[gnu::always_inline]] void forget(std::size_t from) {
    if (watched_ <= from) [[likely]]
      return;
    shared_ = std::min(shared_, from);
    low_ = std::min(low_, from);
    watched_ = from;
  }

  struct Kept {
    std::uint32_t cell, value;
    std::uint32_t before;  // the name of what was kept before it, or 0
  };

  Stack<Step> steps_;
  Stack<Kept> kept_;             // names count from 1
  Stack<std::uint32_t> names_;   // of the first steps, as far as they were kept
  std::size_t shared_ = 0;       // so many steps were kept and still stand
  std::size_t low_ = 0;          // so many stood since it was set
  std::size_t watched_ = 0;      // the larger one of both, or what is left of it
  std::vector<Change> changes_;  // one walk's
};

}  // namespace rgtrans::interpreter
