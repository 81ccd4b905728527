// The run functions of all passes, for the table in registry.cpp.
#pragma once

#include <cstddef>

#include "core/passes/passes.hpp"

namespace rgtrans::passes {

std::size_t strip_casts(ir::Game& game, const PassContext& context);
std::size_t skip_edges(ir::Game& game, const PassContext& context);
std::size_t prune(ir::Game& game, const PassContext& context);
std::size_t merge_nodes(ir::Game& game, const PassContext& context);
std::size_t unused_variables(ir::Game& game, const PassContext& context);
std::size_t unused_constants(ir::Game& game, const PassContext& context);
std::size_t unused_types(ir::Game& game, const PassContext& context);
std::size_t self_assignments(ir::Game& game, const PassContext& context);
std::size_t self_comparisons(ir::Game& game, const PassContext& context);
std::size_t self_loops(ir::Game& game, const PassContext& context);
std::size_t check_tags(ir::Game& game, const PassContext& context);
std::size_t dead_stores(ir::Game& game, const PassContext& context);
std::size_t inline_assignments(ir::Game& game, const PassContext& context);
std::size_t propagate_values(ir::Game& game, const PassContext& context);
std::size_t never_written(ir::Game& game, const PassContext& context);
std::size_t known_conditions(ir::Game& game, const PassContext& context);
std::size_t inline_checks(ir::Game& game, const PassContext& context);
std::size_t join_prefixes(ir::Game& game, const PassContext& context);
std::size_t join_lookups(ir::Game& game, const PassContext& context);
std::size_t join_exclusive(ir::Game& game, const PassContext& context);
std::size_t compact_comparisons(ir::Game& game, const PassContext& context);
std::size_t fuse_assignments(ir::Game& game, const PassContext& context);
std::size_t merge_variables(ir::Game& game, const PassContext& context);
std::size_t compose_maps(ir::Game& game, const PassContext& context);
std::size_t reorder_conditions(ir::Game& game, const PassContext& context);
std::size_t filter_choices(ir::Game& game, const PassContext& context);
std::size_t hoist_conditions(ir::Game& game, const PassContext& context);
std::size_t split_maps(ir::Game& game, const PassContext& context);
std::size_t dead_cells(ir::Game& game, const PassContext& context);
std::size_t mirror_variables(ir::Game& game, const PassContext& context);
std::size_t close_cycles(ir::Game& game, const PassContext& context);
std::size_t direct_choices(ir::Game& game, const PassContext& context);
std::size_t narrow_types(ir::Game& game, const PassContext& context);
std::size_t artificial_tags(ir::Game& game, const PassContext& context);
std::size_t redundant_tags(ir::Game& game, const PassContext& context);
std::size_t expand_any(ir::Game& game, const PassContext& context);
std::size_t expand_tags(ir::Game& game, const PassContext& context);
std::size_t explicit_casts(ir::Game& game, const PassContext& context);
std::size_t normalize_types(ir::Game& game, const PassContext& context);
std::size_t mangle_symbols(ir::Game& game, const PassContext& context);
std::size_t pragma_disjoint(ir::Game& game, const PassContext& context);
std::size_t pragma_unique(ir::Game& game, const PassContext& context);
std::size_t pragma_tag_index(ir::Game& game, const PassContext& context);
std::size_t pragma_iterator(ir::Game& game, const PassContext& context);
std::size_t pragma_simple_apply(ir::Game& game, const PassContext& context);

}  // namespace rgtrans::passes
