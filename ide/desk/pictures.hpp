// The automaton of a game on the desk, and what the optimizer did to it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/trace/trace.hpp"
#include "ide/desk/table.hpp"

namespace rgtrans::ide {

// Draws automata for one page, which keeps what it has been sent: of the next drawing it gets what is new.
class Gallery {
 public:
  // {optimized, focus: name of a node, known}: the drawing in pieces, and of each element of the class e
  // [number of its edge in the JSON form, from, to, line, column, end line, end column]. A piece is [x, y, its text],
  // or in place of the text the number that it had in the drawing `known`.
  Json automaton(const std::shared_ptr<const OpenedGame>& game, const Json& request);
  // {optimized, node}: why it has or lacks each pragma.
  Json explain(const std::shared_ptr<const OpenedGame>& game, const Json& request);

 private:
  int sent_ = 0;
  std::unordered_map<std::string, std::vector<std::size_t>> numbers_;  // by text of a piece in the drawing sent last
  std::shared_ptr<const OpenedGame> explained_;
  bool optimized_ = false;
  std::unique_ptr<trace::Explainer> explainer_;
};

// {level, passes}: one row for each pass that changed something.
Json changes(const OpenedGame& game, const Json& request);
// The same and {number}: one of them in full.
Json change(const OpenedGame& game, const Json& request);

}  // namespace rgtrans::ide
