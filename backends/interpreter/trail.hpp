// The trail of a walk: its changes, for backtracking, and the changes of the moves found. Moves share the changes of
// the common prefix of their walks. Reasoners compiled from tables embed this file, so it depends on the standard
// library only.
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

  // Records a change; the caller writes the cell before or after this call.
  [[gnu::always_inline]] void push(std::uint32_t cell, std::uint32_t old, std::uint32_t value) {
    Step& step = *steps_.extend(1);
    step.cell = cell;
    step.old = static_cast<Cell>(old);
    step.value = static_cast<Cell>(value);
  }
  // Replaces the new value of the last step.
  [[gnu::always_inline]] void change(std::uint32_t value) {
    steps_.top().value = static_cast<Cell>(value);
    forget(steps_.size() - 1);
  }
  // Undoes all steps after the trail had this size.
  [[gnu::always_inline]] void undo(Cell* s, std::size_t size) {
    const Step* const steps = steps_.data();
    for (std::size_t i = steps_.size(); i > size;) {
      --i;
      s[steps[i].cell] = steps[i].old;
    }
    steps_.cut(size);
    forget(size);
  }

  // The number of steps that have remained since low was last set.
  [[nodiscard]] std::size_t low() const { return low_; }
  void set_low(std::size_t size) {
    low_ = size;
    watched_ = std::max(low_, shared_);
  }

  // Keeps the changes so far until the trail is cleared, and returns their name.
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
  // Calls f(cell, value) for each change kept under this name, in order.
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
    std::uint32_t before;  // the name of the preceding changes, or 0
  };

  Stack<Step> steps_;
  Stack<Kept> kept_;             // names start from 1
  Stack<std::uint32_t> names_;   // name by step, for the kept steps
  std::size_t shared_ = 0;       // number of leading steps that are kept and not undone
  std::size_t low_ = 0;          // number of leading steps not undone since set_low()
  std::size_t watched_ = 0;      // max(low_, shared_), or less after an undo
  std::vector<Change> changes_;  // changes of one walk
};

}  // namespace rgtrans::interpreter
