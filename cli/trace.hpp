// A page of HTML without references to anything outside, on which a person steps through a run of the pipeline: the
// automaton before and after each change, the lines that differ, what the pass does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/passes/passes.hpp"

namespace rgtrans::cli {

// Feed it from on_change (with keep_before), write it once at the end. The texts of games come from `print`.
class HtmlTrace {
 public:
  using Print = std::function<std::string(const ir::Game&)>;
  HtmlTrace(std::string title, Print print) : title_(std::move(title)), print_(std::move(print)) {}

  void add(const passes::PassEvent& event);
  [[nodiscard]] std::string page() const;

 private:
  struct Change {
    std::string pass, help, difference, before, after;  // drawings as JSON
    std::size_t number, changes, nodes, edges;
  };
  std::string title_;
  Print print_;
  std::vector<Change> changes_;
};

}  // namespace rgtrans::cli
