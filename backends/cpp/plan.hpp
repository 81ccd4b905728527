// The plan of an exploration's code, for whatever target: which nodes get a function of their own, which steps are one
// way, what tells the ways apart. Nothing here knows what the code looks like.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "backends/cpp/facts.hpp"
#include "backends/cpp/next_tags.hpp"

namespace rgtrans::cpp {

// Ways out of one node: conditions that lead to one node, or one other step.
struct Arm {
  std::uint32_t target;
  bool guarded;
  std::vector<std::uint32_t> steps;
};

class CodePlan {
 public:
  using Steps = std::set<std::uint32_t>;

  CodePlan(NumberedGame& model, const GameFacts& facts, const CodeContext& context);

  // How many tags walks can have passed that come to the node; nothing when they can be many.
  [[nodiscard]] Bits tag_counts(std::uint32_t node);

  // --- Searching. `excluded`: steps that are walked elsewhere. ---
  [[nodiscard]] bool own_function(std::uint32_t node, const Steps& excluded) const;
  [[nodiscard]] bool begins_rays(std::uint32_t node) const;
  [[nodiscard]] bool writes_loop(std::uint32_t node, const Steps& excluded) const;
  [[nodiscard]] std::vector<Arm> arms_of(const std::vector<std::uint32_t>& steps) const;
  [[nodiscard]] bool excludes(const Arm& a, const Arm& b) const;
  // The constants that `lhs` is compared with, when that is all the arm does.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> arm_codes(const Arm& arm, ExprId lhs) const;
  // Arms that compare one expression with constants, each with others.
  struct Switch {
    std::uint32_t universe = 0;
    std::vector<std::vector<std::uint32_t>> codes;  // by arm
  };
  [[nodiscard]] std::optional<Switch> switch_on(const std::vector<Arm>& arms) const;

  // --- Going straight, led by the tags of a legal move. ---
  void find_first_tags();
  [[nodiscard]] bool knows_first_tags() const { return !first_.empty(); }
  [[nodiscard]] Bits first_tags(const Step& step) const;
  // How many tags later the value of an any-assignment is shown, or -1.
  [[nodiscard]] int shown_after(const Step& step) const;
  // All ways from a node pass the same tags next and come to one node; nothing that they have done matters there but
  // what the tags show. So the tags alone tell the state.
  struct ShownNext {
    std::vector<VarId> variables;  // by tag: what becomes its value; none where it shows nothing new
    std::uint32_t to;
  };
  [[nodiscard]] std::optional<ShownNext> shown_next(std::uint32_t node) const;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> separate_entries() const;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups_by_tag(const std::vector<std::uint32_t>& steps) const;
  struct ByValue {
    VarId base;
    std::vector<Arm> arms;
    std::vector<std::uint64_t> arm_of;  // by value and tag; the number of arms where none fits
  };
  [[nodiscard]] std::optional<ByValue> by_value(const std::vector<std::uint32_t>& steps) const;
  // The value that an any-assignment chooses, told by the next tag once the value of another variable is known.
  struct ChosenByTag {
    VarId base;
    std::vector<std::uint64_t> value_of;  // by value and tag; the size of the universe where none fits
  };
  [[nodiscard]] std::optional<ChosenByTag> chosen_by_tag(const Step& any) const;

 private:
  using TagsOf = std::function<std::vector<NextTags::Fronts>(std::size_t, const PossibleValues::Codes&)>;
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> told_apart(std::uint32_t node, VarId base,
                                                                     std::size_t alternatives,
                                                                     const TagsOf& tags_of) const;
  [[nodiscard]] const Step* next_tag(std::uint32_t node, Bits& changed) const;

  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& context_;
  std::vector<Bits> tag_counts_;  // by local node, once they were asked for
  std::vector<Bits> first_;
  NextTags next_tags_;
};

}  // namespace rgtrans::cpp
