// What the optimizer did, for people: a page on which one steps through a run of the pipeline.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/passes/passes.hpp"

namespace rgtrans::trace {

// One change of a run, to be shown: what differs in the text, and the automaton before and after it as SVG, with the
// elements of the class e that differ. Of large automata what changed is drawn with its neighbours.
struct ShownChange {
  struct Picture {
    std::string svg;
    std::vector<std::size_t> changed;
  };
  std::string difference;
  Picture before, after;
  bool part = false;
};
// The event has to know the game before (keep_before).
ShownChange change_of(const passes::PassEvent& event);

// A page of HTML without references to anything outside: the automaton before and after each change, drawn, the lines
// that differ, what the pass does. Feed it from on_change (with keep_before), write it once at the end.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  void add(const passes::PassEvent& event);
  [[nodiscard]] std::string html() const;

 private:
  // A drawing, which the step behind it shares when it begins where this one ended.
  struct Shown {
    std::size_t drawing = 0;
    std::vector<std::size_t> changed;
  };
  struct Step {
    std::string pass, help, difference;
    std::size_t number = 0, changes = 0, nodes = 0, edges = 0;
    Shown before, after;
    bool part = false;
  };

  Shown share(ShownChange::Picture&& picture);

  std::string title_;
  std::vector<Step> steps_;
  std::vector<std::string> drawings_;
};

}  // namespace rgtrans::trace
