// Reports the changes of the optimizer to users. The studio and the page written by --html-trace use the same data and
// the same code to show it (ide/studio/src/changes.ts):
//
//     RunOfPasses  one row for each pass that changed something, statistics before and after
//     change_of()  one change in full: both texts side by side, both automata in one drawing, pragmas
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/passes/passes.hpp"

namespace rgtrans::trace {

// An object with
//   lines: the changes with a few lines around them: [before, after], [line] for both, or the number of omitted lines
//   svg: both automata in one drawing (drawing::pair)
//   part: whether only the changes and their neighbours are drawn
//   pragmas: [{name, nodes, why, gained}]
// The event must include the game before the pass (keep_before).
nlohmann::json change_of(const passes::PassEvent& event);

class RunOfPasses {
 public:
  explicit RunOfPasses(const ir::Game& start);
  void add(const passes::PassEvent& event);
  // An object {rows, timings, notes, seconds, before, after}.
  [[nodiscard]] nlohmann::json told(const ir::Game& end, const passes::OptimizeReport& report) const;

 private:
  nlohmann::json before_;
  nlohmann::json rows_ = nlohmann::json::array();
};

// A self-contained HTML page for stepping through a run. Feed it from on_change (with keep_before), and write it once
// at the end.
class Page {
 public:
  Page(std::string title, const ir::Game& start) : title_(std::move(title)), run_(start) {}

  void add(const passes::PassEvent& event);
  // `page` has placeholders for the title and the data.
  [[nodiscard]] std::string html(std::string_view page, const ir::Game& end,
                                 const passes::OptimizeReport& report) const;

 private:
  std::string title_;
  RunOfPasses run_;
  nlohmann::json changes_ = nlohmann::json::array();
};

// Explains why a node has its pragmas or could not get others. The analyses of the game are computed once.
class Explainer {
 public:
  explicit Explainer(ir::Game game);
  ~Explainer();

  struct Reason {
    std::string_view pragma;  // "@unique"
    std::string text;         // "yes, ..." or "no, ...", or the known facts
  };
  [[nodiscard]] std::vector<Reason> reasons(ir::NodeId node);
  // A paragraph with one line per pragma.
  [[nodiscard]] std::string text(ir::NodeId node);

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::trace
