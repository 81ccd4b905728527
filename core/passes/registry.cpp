// The table of all passes, in the order of the pipeline.
#include "core/passes/list.hpp"

namespace rgtrans::passes {

namespace {

constexpr Pass kPasses[] = {
    {"strip-casts", "remove casts, which have no effect at run time", 1, Effect::none, strip_casts},
    {"check-tags", "remove tags inside reachability checks", 1, Effect::none, check_tags},
    {"self-assignments", "x = x becomes empty", 1, Effect::none, self_assignments},
    {"self-comparisons", "x == x becomes empty, x != x disappears; the same for constants", 1, Effect::none,
     self_comparisons},
    {"self-loops", "remove conditions that lead back to their own node", 1, Effect::none, self_loops},
    {"prune", "remove edges and nodes that cannot matter, and checks with a fixed answer", 1, Effect::none, prune},
    {"skip-edges", "remove empty edges by merging nodes", 1, Effect::none, skip_edges},
    {"merge-nodes", "merge nodes with the same future (bisimulation quotient)", 1, Effect::none, merge_nodes},
    {"inline-assignments", "replace variables by what was assigned to them", 2, Effect::none, inline_assignments},
    {"fuse-assignments", "melt assignments into the one label they serve", 2, Effect::none, fuse_assignments},
    {"compose-maps", "one lookup in a composed constant instead of nested ones", 2, Effect::none, compose_maps},
    {"dead-stores", "remove assignments that nothing reads", 1, Effect::none, dead_stores},
    {"dead-cells", "remove assignments to cells that are written again before they are read", 2, Effect::none,
     dead_cells},
    {"never-written", "a variable that nothing writes becomes a constant", 1, Effect::none, never_written},
    {"propagate-values", "use what variables can hold: fold expressions, settle comparisons", 1, Effect::none,
     propagate_values},
    {"known-conditions", "remove conditions that were tested or assigned before", 2, Effect::none, known_conditions},
    {"filter-choices", "choose only the members that pass the comparison behind a choice", 2, Effect::none,
     filter_choices},
    {"inline-checks", "replace a reachability check by its conditions", 1, Effect::none, inline_checks},
    {"reorder-conditions", "test common conditions of several branches first", 2, Effect::none, reorder_conditions},
    {"join-prefixes", "share equal first edges of a node", 1, Effect::none, join_prefixes},
    {"join-exclusive", "alternatives that together always hold become empty", 1, Effect::none, join_exclusive},
    {"compact-comparisons", "few != instead of many == to the same node", 2, Effect::none, compact_comparisons},
    {"unused-variables", "remove variables that are never read", 1, Effect::none, unused_variables},
    {"hoist-conditions", "test a condition before a choice or assignment that it does not read", 2, Effect::none,
     hoist_conditions},
    {"split-maps", "a map that is only used with constant keys becomes variables", 2, Effect::none, split_maps},
    {"mirror-variables", "a variable that equals another one wherever it is read is replaced", 2, Effect::none,
     mirror_variables},
    {"merge-variables", "variables that are never needed together share one", 2, Effect::none, merge_variables},
    {"unused-constants", "remove constants that are never used", 1, Effect::none, unused_constants},
    {"unused-types", "remove types that are never used", 1, Effect::none, unused_types},
    {"narrow-types", "give variables the smallest type for what they hold", 2, Effect::none, narrow_types, Phase::late},
    {"artificial-tags", "drop the tags listed in @artificialTag", kOnRequest, Effect::none, artificial_tags},
    {"redundant-tags", "drop tags that every move has at the same place", kOnRequest, Effect::tags, redundant_tags},
    {"expand-any", "one assignment per member instead of an any-assignment", kOnRequest, Effect::none, expand_any},
    {"expand-tags", "one comparison and plain tag per member instead of a tag variable", kOnRequest, Effect::none,
     expand_tags},
    {"normalize-types", "arrow types only in definitions, one level deep", kOnRequest, Effect::none, normalize_types},
    {"explicit-casts", "cast every part of an expression to its named type", kOnRequest, Effect::none, explicit_casts},
    {"close-cycles", "cycles that depend on one variable become a choice and a table", kOnRequest, Effect::none,
     close_cycles},
    {"mangle-symbols", "short names for everything a player does not see", kOnRequest, Effect::none, mangle_symbols},
    {"pragma-disjoint", "@disjoint, @disjointExhaustive: edges that exclude each other", 1, Effect::none,
     pragma_disjoint, Phase::pragmas},
    {"pragma-unique", "@unique, @repeat: where second visits are impossible, or how to tell them", 1, Effect::none,
     pragma_unique, Phase::pragmas},
    {"pragma-simple-apply", "@simpleApply: what a tag of a legal move does", 1, Effect::none, pragma_simple_apply,
     Phase::pragmas},
    {"pragma-tag-index", "@tagIndex, @tagMaxIndex: how many tags come before", 1, Effect::none, pragma_tag_index,
     Phase::pragmas},
    {"pragma-iterator", "@iterator: choices that a constant map filters", 1, Effect::none, pragma_iterator,
     Phase::pragmas},
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
