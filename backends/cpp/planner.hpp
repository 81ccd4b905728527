// Choices are made before code is written. A planner answers for a place of the automaton which strategy writes it; the
// answer is data, and a writer follows it. Each choice is recorded with its reason, its cost, and the strategies that
// were rejected, so that `--to plan` can print them.
//
// Planners know the game, its facts and what the code is for. They know nothing of the code.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/cpp/bit_planes.hpp"
#include "backends/cpp/plan.hpp"

namespace rgtrans::cpp {

// How a move is stored: tags packed into one integer, or an array.
struct MoveLayout {
  MoveLayout() = default;
  // For so many tags, "no tag" included, and so many in a move (kManyTags: any number).
  MoveLayout(std::size_t tags, std::uint32_t most, bool as_numbers = true);
  bool packed = true;
  bool wide = false;  // 128 bits
  std::uint32_t bits = 8;
  std::uint32_t capacity = 8;

  // Of a tag, where the first ones of a move are one word.
  [[nodiscard]] std::uint32_t bits_in_word() const { return packed ? bits : bits <= 8 ? 8 : bits <= 16 ? 16 : 32; }
};

// What the code is written for, and with which techniques.
struct CodeForm {
  Techniques techniques;
  bool for_device = false;  // it is compiled for a GPU as well
  bool by_parts = false;    // moves can be asked for part by part
  MoveLayout layout{};
  std::vector<BitPlanes> planes{};  // by variable

  // Functions that find moves are templates: there is more than one kind of output.
  [[nodiscard]] bool any_output() const { return !for_device && !by_parts; }
  // Moves of few tags are one word, and so can be sets.
  [[nodiscard]] bool words() const { return layout.packed || any_output(); }
};

// The walk that leads to a place, besides the node.
struct Where {
  std::uint32_t node = 0;            // of the function
  std::set<std::uint32_t> excluded;  // steps that are walked elsewhere
  std::set<std::uint32_t> on_way;    // nodes whose code must be here because some of their steps are walked elsewhere
  std::set<std::uint32_t> known;     // steps whose condition holds already
  bool may_duplicate = false;        // another walk may have the same labeling
};

struct Rejected {
  std::string strategy, reason;
  double cost = 0;
};

struct Decision {
  Purpose purpose = Purpose::moves;
  std::uint32_t function = 0;  // node
  std::string place;
  std::string strategy, reason;
  double cost = 0;  // about so many instructions; 0: not estimated
  std::vector<Rejected> rejected{};
};

// All choices of a game, and the work for them: a choice has an effort of its own, and all together have one that only
// ends a translation that would take minutes.
struct Decisions {
  std::vector<Decision> made;
  std::size_t target_attempts = 0, pattern_steps = 0;
};

// What the planners of one exploration work with.
struct PlanningPlace {
  const CodeForm& form;
  NumberedGame& model;
  const GameFacts& facts;
  const CodeContext& context;
  CodePlan& plan;
  Decisions& decisions;
};

class PlannerPart {
 public:
  explicit PlannerPart(const PlanningPlace& at)
      : form_(at.form),
        model_(at.model),
        facts_(at.facts),
        context_(at.context),
        plan_(at.plan),
        decisions_(at.decisions) {}

 protected:
  // Nothing is found, and why.
  std::nullopt_t no(std::string reason) {
    why_ = std::move(reason);
    return std::nullopt;
  }
  // Walks of the functions that list moves may wait.
  [[nodiscard]] bool may_wait() const {
    return context_.purpose == Purpose::moves && form_.any_output() && facts_.may_wait;
  }
  [[nodiscard]] std::size_t values_of(VarId variable) const { return model_.universe(variable).size(); }
  void record(std::uint32_t function, std::string place, std::string strategy, std::string reason, double cost,
              std::vector<Rejected> rejected) const {
    decisions_.made.push_back({context_.purpose, function, std::move(place), std::move(strategy), std::move(reason),
                               cost, std::move(rejected)});
  }

  const CodeForm& form_;
  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& context_;
  CodePlan& plan_;
  Decisions& decisions_;
  std::string why_;  // nothing was found
};

}  // namespace rgtrans::cpp
