// What the optimizer did, for people. The page of the studio and the page that --html-trace writes are fed with the
// same data and shown by the same code (ide/studio/src/changes.ts):
//
//     RunOfPasses  one row for each pass that changed something, statistics before and after
//     change_of()  one of the changes in full: the texts beside each other, both automata in one drawing, pragmas
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/passes/passes.hpp"

namespace rgtrans::trace {

// {lines: what differs, with a few lines around it, as [before, after] or [line] for both or the number of lines that
// are left out; svg: both automata in one drawing (drawing::pair); part: only what changed and its neighbours are
// drawn; pragmas:
// [{name, nodes, why, gained}]}. The event has to know the game before (keep_before).
nlohmann::json change_of(const passes::PassEvent& event);

class RunOfPasses {
 public:
  explicit RunOfPasses(const ir::Game& start);
  void add(const passes::PassEvent& event);
  // {rows, timings, notes, seconds, before, after}
  [[nodiscard]] nlohmann::json told(const ir::Game& end, const passes::OptimizeReport& report) const;

 private:
  nlohmann::json before_;
  nlohmann::json rows_ = nlohmann::json::array();
};

// A page of HTML without references to anything outside on which one steps through a run. Feed it from on_change (with
// keep_before), write it once at the end.
class Page {
 public:
  Page(std::string title, const ir::Game& start) : title_(std::move(title)), run_(start) {}

  void add(const passes::PassEvent& event);
  // `page` has places for the title and the data.
  [[nodiscard]] std::string html(std::string_view page, const ir::Game& end,
                                 const passes::OptimizeReport& report) const;

 private:
  std::string title_;
  RunOfPasses run_;
  nlohmann::json changes_ = nlohmann::json::array();
};

// Why a node has the pragmas that it has, or could not get them. The analyses of the game are made once for all
// questions.
class Explainer {
 public:
  explicit Explainer(ir::Game game);
  ~Explainer();

  struct Reason {
    std::string_view pragma;  // "@unique"
    std::string text;         // "yes, ..." or "no, ...", or what is known
  };
  [[nodiscard]] std::vector<Reason> reasons(ir::NodeId node);
  // A paragraph, a line for each pragma.
  [[nodiscard]] std::string text(ir::NodeId node);

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::trace
