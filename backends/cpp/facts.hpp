// What the generator must know before it writes code. It explores with a purpose: to list the moves of a player, to
// apply one, to make the system's move, to evaluate a check. Each purpose has a context: an exploration, the nodes
// where a second visit must be recognised, and the numbers of tags.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpp/model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

// What expressions read: distinct variables, the number of lookups, and whether a map of the state is among them.
struct Reads {
  std::vector<VarId> scalars;
  unsigned lookups = 0;
  bool maps = false;
  void add(const NumberedGame& model, ExprId expression);
};

enum class Purpose : std::uint8_t { whole, moves, apply, system, check };

struct CodeContext : analysis::Exploration {
  struct Node {
    std::vector<std::uint32_t> out;            // steps on a way to the goal
    bool test = false;                         // on a cycle without tags: a second visit must be recognised
    bool late = false;                         // … but only after many arrivals: they are hardly ever repetitions
    std::vector<std::uint32_t> loop;           // steps of the one cycle that begins here, when its end is known
    std::uint64_t most_rounds = 0;             // of the loop: those after them repeat others; 0 when it ends by itself
    bool reaches_test = false;                 // such a node can come later, or is here
    bool tag_cycle = false;                    // comes back to itself through a tag
    std::uint32_t component = 0;               // nodes that reach each other without tags
    std::uint32_t tags_min = 0, tags_max = 0;  // tags passed so far
  };

  Purpose purpose = Purpose::whole;
  std::vector<std::uint32_t> entries;
  std::uint32_t check = 0;
  std::vector<Bits> assigned_in;  // by component
  // Variables that are part of no visit key: instead, an assignment to one of them begins a new epoch of visits.
  Bits begins_epoch;
  std::vector<Bits> changed_since_tag;  // by local node: variables that may have been assigned
  std::vector<Node> info;               // by local node
  Bits params;                          // of a check: variables handed over
  bool always = false;                  // a check from a node to itself
  bool has_tags = false;                // some walk passes a tag

  [[nodiscard]] bool contains(std::uint32_t node) const { return local.contains(node); }
  [[nodiscard]] const Node& at(std::uint32_t node) const { return info[local.at(node)]; }
  [[nodiscard]] Node& at(std::uint32_t node) { return info[local.at(node)]; }
  [[nodiscard]] const Bits& live_at(std::uint32_t node) const { return live[local.at(node)]; }
  [[nodiscard]] std::size_t in_degree(std::uint32_t node) const { return in[local.at(node)].size(); }
  [[nodiscard]] bool is_goal(std::uint32_t node) const {
    return purpose == Purpose::check && local.find(node) == target;
  }
  // Every walk reaches the node with the same number of tags.
  [[nodiscard]] inline bool tags_static(std::uint32_t node) const;
  // The code keeps the tags that were passed.
  [[nodiscard]] bool carries_tags() const {
    return purpose == Purpose::moves || (purpose == Purpose::system && has_tags);
  }
  // Its functions report whether they succeed; those of moves return their output.
  [[nodiscard]] bool returns_value() const { return purpose != Purpose::moves; }
};

// More tags than this in one move count as unbounded.
inline constexpr std::uint32_t kManyTags = 120;

bool CodeContext::tags_static(std::uint32_t node) const {
  return at(node).tags_min == at(node).tags_max && at(node).tags_max < kManyTags;
}

class GameFacts {
 public:
  // Throws Error when a check can start itself again.
  explicit GameFacts(NumberedGame& model);

  NumberedGame& model;
  CodeContext whole, moves, apply, system;
  std::vector<CodeContext> checks;               // by NumberedGame::checks
  std::vector<std::uint32_t> entries;            // where moves start: begin and targets of player assignments
  std::vector<bool> keeper_entry, player_entry;  // by node: who can be on move there
  Bits state;                                    // variables that are part of the state
  Bits goal_live;                                // variables observed from outside
  bool exact = false;                            // keep dead variables too: random's equal results are counted once
  std::uint32_t max_tags = 0;
  bool hides = false;                 // some tags are not seen by everybody at all times
  bool duplicates = true;             // two walks may have one labeling
  std::vector<bool> duplicate_entry;  // by node: those of a move that starts here
  // By node: walks part here, or did before, of which two may have one labeling.
  std::vector<bool> may_fork_duplicates, duplicate_behind;
  bool visit_tests_prove_distinct = false;  // others may not because walks end where one was before
  // By node: a walk that lists moves waits there until it is drawn (waiting.cpp), or comes to where one may wait.
  std::vector<bool> waits, waits_ahead;
  bool may_wait = false;  // anywhere
  // How many moves there can be behind a node for each value of a choice that leads to `choice` and on to the node; 0
  // when walks may not wait for that.
  [[nodiscard]] std::uint32_t max_deferred_moves(std::uint32_t choice, std::uint32_t node) const;
  // Something is asked there or behind, or done again and again.
  [[nodiscard]] bool takes_long_behind(std::uint32_t node) const { return long_ahead[node]; }
  [[nodiscard]] bool may_wait_behind(std::uint32_t choice) const { return may_keep[choice]; }
  // Nothing waits.
  void walk_on();

  // Variables whose value is handed to a function that starts at `node`.
  [[nodiscard]] std::vector<VarId> parameters(const CodeContext& context, std::uint32_t node) const;
  // Variables that decide whether a visit of `node` is the second one.
  [[nodiscard]] Bits visit_key(const CodeContext& context, std::uint32_t node) const;
  // The scalar whose value alone tells visits of a node apart: of all that come by with one epoch, one goes on with
  // each value. None where no such test is made.
  [[nodiscard]] VarId sole_key(const CodeContext& context, std::uint32_t node) const;
  // At most one of two conditions holds in one state.
  [[nodiscard]] bool conditions_exclude(const Step& a, const Step& b) const;
  // Two steps out of one node: at most one can be taken, or both are conditions of one way.
  [[nodiscard]] bool one_way_on(const Step& a, const Step& b) const;
  // At most one of the ways that begin with two steps out of one node can be taken; the condition that decides may
  // come later.
  [[nodiscard]] bool exclusive(const Step& a, const Step& b) const;
  // b holds exactly when a does not.
  [[nodiscard]] bool complementary(const Step& a, const Step& b) const;
  // The assignment matters for what follows in this context.
  [[nodiscard]] bool assignment_live(const CodeContext& context, const Step& step) const;
  // Live at the start of a move in `node`.
  [[nodiscard]] const Bits& live_at_entry(std::uint32_t node) const { return whole.live_at(node); }
  [[nodiscard]] bool scratch(VarId v) const { return !state.test(v.value) && model.scalar(v); }

  // How many combinations of values these variables have; more than kSizes.visit_cells where there are more, or maps.
  [[nodiscard]] std::uint64_t key_cells(const Bits& key) const;

 private:
  void find_entries();
  void explore(CodeContext& context);
  void build_checks();
  void find_liveness(CodeContext& context);
  void find_changes(CodeContext& context);
  void find_tests(CodeContext& context);
  void choose_tests(CodeContext& context);
  void find_tag_cycles(CodeContext& context);
  void choose_visits(CodeContext& context);
  [[nodiscard]] bool epochs_in_turn(const CodeContext& context, std::uint32_t node) const;
  void delay_tests(CodeContext& context) const;
  void spread_tests(CodeContext& context);
  void count_tags(CodeContext& context);
  void count_tags_by_rounds(CodeContext& context, VarId variable);
  void find_state();
  void find_parameters();
  void find_duplicates();
  void find_waits();
  // By local node: walks come from there to a node for which this holds.
  template <class Holds>
  static std::vector<bool> nodes_before(const CodeContext& context, Holds&& holds) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < context.nodes.size(); ++i) {
      if (holds(context.nodes[i])) found.push_back(i);
    }
    return analysis::before(context, found);
  }
  [[nodiscard]] Bits not_kept() const;
  [[nodiscard]] std::vector<std::uint32_t> moves_behind() const;
  [[nodiscard]] std::uint32_t moves_behind(const CodeContext::Node& node, const std::vector<std::uint32_t>& most) const;
  [[nodiscard]] bool takes_long(std::uint32_t node) const;
  [[nodiscard]] analysis::Deeds find_deeds() const;

  // By node: what a walk that waits must keep can be kept; walks come to where each of their moves waits; how many
  // moves there can be behind it, if they are few.
  std::vector<bool> may_keep, asks_each, long_ahead;
  std::vector<std::uint32_t> most_behind;
  std::vector<std::uint32_t> inner_first_;  // checks, each behind those that it asks

  const analysis::Deeds deeds_;
  const analysis::Promises promises_;
  mutable analysis::Exclusive exclusive_;  // remembers what it has found out
};

}  // namespace rgtrans::cpp
