// The table of all passes, in the order of the pipeline.
#include "core/passes/list.hpp"

namespace rgtrans::passes {

namespace {

constexpr Pass kPasses[] = {
    {"strip-casts", "remove casts, which have no effect at run time", 1, PassEffect::none, strip_casts,
     PassPhase::rounds, PassChange::labels, PassChange::labels},
    {"check-tags", "remove tags inside reachability checks", 1, PassEffect::none, check_tags, PassPhase::rounds,
     PassChange::labels, PassChange::labels},
    {"self-assignments", "x = x becomes empty", 1, PassEffect::none, self_assignments, PassPhase::rounds,
     PassChange::labels, PassChange::labels},
    {"self-comparisons", "x == x becomes empty, x != x disappears; the same for constants", 1, PassEffect::none,
     self_comparisons, PassPhase::rounds, PassChange::labels, PassChange::labels},
    {"self-loops", "remove conditions that lead back to their own node", 1, PassEffect::none, self_loops},
    {"prune", "remove edges and nodes that cannot matter, and checks with a fixed answer", 1, PassEffect::none, prune},
    {"skip-edges", "remove empty edges by merging nodes", 1, PassEffect::none, skip_edges, PassPhase::rounds,
     PassChange::reads},
    {"merge-nodes", "merge nodes with the same future (bisimulation quotient)", 1, PassEffect::none, merge_nodes,
     PassPhase::rounds, PassChange::nodes},
    {"inline-checks", "replace a reachability check by its conditions", 1, PassEffect::none, inline_checks},
    {"inline-assignments", "replace variables by the assigned expressions", 2, PassEffect::none, inline_assignments},
    {"fuse-assignments", "melt assignments into the one label they serve", 2, PassEffect::none, fuse_assignments},
    {"compose-maps", "one lookup in a composed constant instead of nested ones", 2, PassEffect::none, compose_maps,
     PassPhase::rounds, PassChange::labels, PassChange::labels},
    {"dead-stores", "remove assignments that nothing reads", 1, PassEffect::none, dead_stores, PassPhase::rounds,
     PassChange::labels, PassChange::reads},
    {"dead-cells", "remove assignments to cells that nothing reads before they are written again", 2, PassEffect::none,
     dead_cells, PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"never-written", "a variable that nothing writes becomes a constant", 1, PassEffect::none, never_written,
     PassPhase::rounds, PassChange::labels, PassChange::labels},
    {"propagate-values", "use possible values of variables: fold expressions, decide comparisons", 1, PassEffect::none,
     propagate_values, PassPhase::rounds, PassChange::labels, PassChange::order},
    {"known-conditions", "remove conditions that were tested or assigned before", 2, PassEffect::none, known_conditions,
     PassPhase::rounds, PassChange::labels, PassChange::order},
    {"filter-choices", "choose only the members that pass the comparison behind a choice", 2, PassEffect::none,
     filter_choices, PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"reorder-conditions", "test common conditions of several branches first", 2, PassEffect::none, reorder_conditions,
     PassPhase::rounds, PassChange::order},
    {"join-prefixes", "share equal first edges of a node", 1, PassEffect::none, join_prefixes, PassPhase::rounds,
     PassChange::nodes},
    {"join-exclusive", "alternatives that together always hold become empty", 1, PassEffect::none, join_exclusive,
     PassPhase::rounds, PassChange::reads},
    {"join-lookups", "merge two lookups if at most one passes the later condition", 2, PassEffect::none, join_lookups},
    {"compact-comparisons", "few != instead of many == to the same node", 2, PassEffect::none, compact_comparisons},
    {"unused-variables", "remove variables that are never read", 1, PassEffect::none, unused_variables,
     PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"hoist-conditions", "test a condition before a choice or assignment that it does not read", 2, PassEffect::none,
     hoist_conditions, PassPhase::rounds, PassChange::order},
    {"split-maps", "a map that is only used with constant keys becomes variables", 2, PassEffect::none, split_maps,
     PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"mirror-variables", "a variable that equals another one wherever it is read is replaced", 2, PassEffect::none,
     mirror_variables, PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"merge-variables", "variables that are never needed together share one", 2, PassEffect::none, merge_variables,
     PassPhase::rounds, PassChange::labels, PassChange::reads},
    {"unused-constants", "remove constants that are never used", 1, PassEffect::none, unused_constants,
     PassPhase::rounds, PassChange::declarations, PassChange::declarations},
    {"unused-types", "remove types that are never used", 1, PassEffect::none, unused_types, PassPhase::rounds,
     PassChange::declarations, PassChange::declarations},
    {"narrow-types", "give variables the smallest type for their values", 2, PassEffect::none, narrow_types,
     PassPhase::late},
    {"artificial-tags", "drop the tags listed in @artificialTag", kOnRequest, PassEffect::none, artificial_tags},
    {"redundant-tags", "drop tags that every move has at the same place", kOnRequest, PassEffect::tags, redundant_tags},
    {"expand-any", "one assignment per member instead of an any-assignment", kOnRequest, PassEffect::none, expand_any},
    {"expand-tags", "one comparison and plain tag per member instead of a tag variable", kOnRequest, PassEffect::none,
     expand_tags},
    {"normalize-types", "arrow types only in definitions, one level deep", kOnRequest, PassEffect::none,
     normalize_types},
    {"explicit-casts", "cast every part of an expression to its named type", kOnRequest, PassEffect::none,
     explicit_casts},
    {"close-cycles", "cycles that depend on one variable become a choice and a table", kOnRequest, PassEffect::none,
     close_cycles},
    {"direct-choices", "a choice that another variable is computed from becomes a choice of that one", kOnRequest,
     PassEffect::none, direct_choices},
    {"mangle-symbols", "short names for everything a player does not see", kOnRequest, PassEffect::none,
     mangle_symbols},
    {"pragma-disjoint", "@disjoint, @disjointExhaustive: edges that exclude each other", 1, PassEffect::none,
     pragma_disjoint, PassPhase::pragmas},
    {"pragma-unique", "@unique, @repeat: where second visits are impossible, or how to recognise them", 1,
     PassEffect::none, pragma_unique, PassPhase::pragmas},
    {"pragma-simple-apply", "@simpleApply: the effect of a tag of a legal move", 1, PassEffect::none,
     pragma_simple_apply, PassPhase::pragmas},
    {"pragma-tag-index", "@tagIndex, @tagMaxIndex: how many tags come before", 1, PassEffect::none, pragma_tag_index,
     PassPhase::pragmas},
    {"pragma-iterator", "@iterator: choices that a constant map filters", 1, PassEffect::none, pragma_iterator,
     PassPhase::pragmas},
};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

const Pass* find_pass(std::string_view name) {
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace rgtrans::passes
