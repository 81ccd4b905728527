// The passes over the flow graph of a description: one file each, and a schedule that says in which order they run.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// Keeps versions of the flow graph with what a pass relies on in them, so that it can be evaluated during play.
class FlowStages {
 public:
  virtual ~FlowStages() = default;
  // What can be at each node.
  virtual void keep_knowledge(std::string_view pass, const FlowGraph& before, const Knowledge& known) = 0;
  // From the first of two nodes a walk leads to the second, in every state that comes to it.
  virtual void keep_ways(std::string_view pass, const FlowGraph& before,
                         const std::vector<std::pair<NodeId, NodeId>>& ways) = 0;
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
