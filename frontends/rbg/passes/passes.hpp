// The passes over the flow graph of a description: one file each, and a schedule that says in which order they run.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// What a pass has proved about the flow graph as it was before, and relies on.
struct FlowClaims {
  // In every state that comes to `at`, a walk leads from the first of two nodes to the second.
  struct Way {
    NodeId at, from, to;
  };
  std::string_view rewrite;
  const Knowledge* known = nullptr;  // what can be at each node
  std::vector<Way> ways = {};
  std::vector<EdgeId> idle = {};                          // nobody else reads what these write
  std::vector<std::pair<EdgeId, EdgeId>> opposites = {};  // two tests of which exactly one holds
  [[nodiscard]] bool any() const { return known != nullptr || !ways.empty() || !idle.empty() || !opposites.empty(); }
};

// Keeps versions of the flow graph with claims about them, so that these can be evaluated during play.
class FlowStages {
 public:
  virtual ~FlowStages() = default;
  virtual void keep(const FlowGraph& before, const FlowClaims& claims) = 0;
};

// A description on its way to RG. Passes add sets of pieces, relations and functions of the board as they need them.
struct Draft {
  Description& description;
  Relations& relations;
  FlowGraph& flow;
  FlowStages* stages = nullptr;  // null when nobody evaluates proofs
};

// Each pass keeps the moves of players and what they lead to. True asks for another round of `improve`.
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

// All of them, as the schedule says.
void run_schedule(Draft& draft);

}  // namespace rgtrans::rbg
