#include "frontends/gdl/lifted/rewrites.hpp"

#include <array>
#include <utility>

#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/author.hpp"
#include "frontends/gdl/lifted/denied.hpp"
#include "frontends/gdl/lifted/implied.hpp"
#include "frontends/gdl/lifted/turns.hpp"
#include "frontends/gdl/syntax/separate.hpp"

namespace rgtrans::gdl::lifted {

namespace {

void begin_open_rules(RuleDraft& draft) {
  for (const EngineRule& rule : draft.unground->rules())
    if (!rule.flat()) return;
  draft.open.emplace(draft.program, *draft.unground);
  for (const EngineRule& rule : draft.unground->rules()) draft.open->rules.push_back(rule.unplanned());
}

// Replaces the rules of the description, unless nothing is known about the values of the new ones.
void end_open_rules(RuleDraft& draft) {
  if (draft.open->changed) {
    Unground::Before before = draft.unground->replace_rules(std::move(draft.open->rules));
    const Domains& domains = *draft.unground->domains;
    if (!domains.usable() || !domains.complete()) draft.unground->take_back(std::move(before));
  }
  draft.open.reset();
}

constexpr std::array kRows = {
    Rewrite<RuleDraft>{"separate-constants", "split a relation that queries itself with other constants",
                       [](RuleDraft& d) { separate(d.program); }},
    Rewrite<RuleDraft>{"tabulate", "evaluate the relations that do not depend on the state",
                       [](RuleDraft& d) { d.unground = prepare(d.program, d.ground, d.diagnostics); }},
    Rewrite<RuleDraft>{"flatten-terms", "replace terms by columns for their arguments",
                       [](RuleDraft& d) { d.forms = flatten(d.program, *d.unground); }},
    Rewrite<RuleDraft>{"split-classes", "split a functor by the classes of its facts",
                       [](RuleDraft& d) { d.parted = part_classes(d.program, *d.unground, d.proofs); }},
    Rewrite<RuleDraft>{
        "join-cells", "join columns that occur together into cells of a board",
        [](RuleDraft& d) { d.cells = join_cells(d.program, *d.unground, d.parted.dependencies, d.forms, d.proofs); }},
    Rewrite<RuleDraft>{"simplify-tables", "split and join static literals over the same variables",
                       [](RuleDraft& d) {
                         begin_open_rules(d);
                         if (d.open) simplify_tables(d.program, *d.unground, *d.open);
                       }},
    Rewrite<RuleDraft>{"drop-implied", "drop static literals that a recursion entails",
                       [](RuleDraft& d) {
                         if (d.open && Implied(d.open->joins, d.open->rules).drop()) d.open->changed = true;
                       }},
    Rewrite<RuleDraft>{"merge-rules", "merge rules that differ in static literals only",
                       [](RuleDraft& d) {
                         if (d.open) merge_rules(d.program, *d.unground, *d.open);
                       }},
    Rewrite<RuleDraft>{"merge-roles", "merge rules that differ in the constants of each role",
                       [](RuleDraft& d) {
                         const auto one_moves = [&] {
                           Model model(d.program, *d.unground);
                           return find_turns(model, d.parted.dependencies, d.keep_forced).single;
                         };
                         if (d.open) merge_roles(d.program, *d.unground, *d.open, one_moves);
                       }},
    Rewrite<RuleDraft>{"join-denials", "negate a relation once instead of for each value of a column",
                       [](RuleDraft& d) {
                         if (!d.open) return;
                         if (Denied(d.program, *d.unground, d.open->joins, d.open->rules).join())
                           d.open->changed = true;
                         end_open_rules(d);
                       }},
};

}  // namespace

std::string RuleDraft::text() const {
  if (!unground) return rule_text(program);
  return rule_text(program, *unground, open ? std::span<const EngineRule>(open->rules) : unground->rules());
}

std::string RuleDraft::author(const std::string& move) const {
  return unground ? AuthorTerms(program, *unground, parted, cells, forms).move(move) : move;
}

std::span<const Rewrite<RuleDraft>> rule_rewrites() { return kRows; }

void rewrite_rules(RuleDraft& draft, const RewriteWatch& watch) {
  run_rewrites(rule_rewrites(), draft, [&](std::string_view name) {
    if (!draft.diagnostics.has_errors() && watch)
      watch({name, [&] { return draft.text(); }, [&](const std::string& move) { return draft.author(move); }});
    return !draft.diagnostics.has_errors();
  });
}

}  // namespace rgtrans::gdl::lifted
