// The passes over the flow graph of a description, one file each, and the schedule of their order.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// Facts about a version of the flow graph that a pass has proved and relies on.
struct FlowClaims {
  // In every state that reaches `at`, a walk leads from `from` to `to`.
  struct Way {
    NodeId at, from, to;
  };
  std::string_view rewrite;
  const Knowledge* known = nullptr;  // possible cursors and pieces at each node
  std::vector<Way> ways = {};
  std::vector<EdgeId> idle = {};                          // no other edge reads the values that these write
  std::vector<std::pair<EdgeId, EdgeId>> opposites = {};  // two tests of which exactly one holds
  [[nodiscard]] bool any() const { return known != nullptr || !ways.empty() || !idle.empty() || !opposites.empty(); }
};

// Records versions of the flow graph with claims about them, which plays can evaluate.
class FlowStages {
 public:
  virtual ~FlowStages() = default;
  virtual void keep(const FlowGraph& before, const FlowClaims& claims) = 0;
};

// A description during lowering. Passes add sets of pieces, relations and functions of the board as needed.
struct Draft {
  Description& description;
  Relations& relations;
  FlowGraph& flow;
  FlowStages* stages = nullptr;  // null if nobody tests the facts
};

// Each pass preserves the moves of players and their results. It returns true to request another round of `improve`.
bool use_knowledge(Draft& draft);
bool clean_up(Draft& draft);
bool look_ahead(Draft& draft);
bool test_before_meeting(Draft& draft);
bool drop_idle_steps(Draft& draft);
bool flatten_tests(Draft& draft);
bool order_questions(Draft& draft);
bool add_ends(Draft& draft);
bool shorten_patterns(Draft& draft);
bool merge_equal(Draft& draft);
bool tabulate_choices(Draft& draft);
bool commit_keeper(Draft& draft);
bool reset_unused(Draft& draft);
bool rely_on_tests(Draft& draft);

struct FlowPass {
  std::string_view name;
  std::string_view help;
  bool (*run)(Draft& draft);
};
std::span<const FlowPass> passes();

// Runs all passes in the order of the schedule.
void run_schedule(Draft& draft);

}  // namespace rgtrans::rbg
