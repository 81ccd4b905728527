#include "frontends/gdl/lower/update_writer.hpp"

#include <algorithm>
#include <functional>

#include "core/analysis/analysis.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::gdl {

using ir::ExprId;
using ir::NodeId;

UpdateWriter::Buffers UpdateWriter::write(const std::vector<Update>& updates, NodeId& at,
                                          const std::unordered_set<std::uint32_t>* read_later) {
  Buffers buffers;
  std::vector<std::vector<std::uint32_t>> reads(updates.size());
  const std::vector<std::uint32_t> order = order_of(updates, reads);
  std::unordered_map<std::uint32_t, std::uint32_t> last_reader;
  for (std::uint32_t k = 0; k < order.size(); ++k)
    for (const std::uint32_t other : reads[order[k]]) last_reader[updates[other].group] = k;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    const Update& update = updates[order[k]];
    const auto last = last_reader.find(update.group);
    Place target = t_.declarations.of_group(update.group);
    if (const auto pending = pending_.find(update.group); pending != pending_.end()) {
      target = pending->second;
    } else if ((last != last_reader.end() && last->second > k) ||
               (read_later != nullptr && read_later->contains(update.group))) {
      target = buffer(update.group);
      buffers.emplace_back(update.group, target);
    }
    at = write_one(update, target, at);
  }
  return buffers;
}

void UpdateWriter::commit(const Buffers& buffers, NodeId& at) {
  for (const auto& [g, buffer] : buffers) {
    at = t_.emitter.then(at, ir::Assign{t_.declarations.of_group(g).expression, buffer.expression});
    at = t_.emitter.then(at, t_.emitter.assign(buffer, buffer.initial));
  }
}

const Place& UpdateWriter::buffer(std::uint32_t g) {
  const auto [it, fresh] = buffers_.try_emplace(g);
  if (fresh) it->second = t_.declarations.copy_of(t_.declarations.of_group(g), "new_" + std::to_string(g));
  return it->second;
}

void UpdateWriter::reads_of(const Update& update, std::vector<std::uint32_t>& out) {
  if (update.by_rule) return;
  for (const Lookup& lookup : update.lookups) {
    t_.emitter.collect_reads(lookup.when, out);
    if (!lookup.table.empty() && t_.conditions.is_group(lookup.source)) out.push_back(lookup.source);
  }
  for (const auto& [value, wire] : update.effects) t_.emitter.collect_reads(wire, out);
  for (const auto& [values, wire] : update.keeps) t_.emitter.collect_reads(wire, out);
}

std::vector<std::uint32_t> UpdateWriter::order_of(const std::vector<Update>& updates,
                                                  std::vector<std::vector<std::uint32_t>>& reads) {
  const auto count = static_cast<std::uint32_t>(updates.size());
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  if (count < 2) return order;
  std::unordered_map<std::uint32_t, std::uint32_t> index;
  for (std::uint32_t i = 0; i < count; ++i) index.emplace(updates[i].group, i);
  Arcs edges;
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < count; ++i) {
    list.clear();
    reads_of(updates[i], list);
    sort_unique(list);
    for (const std::uint32_t g : list) {
      const auto at = index.find(g);
      if (at == index.end() || at->second == i) continue;
      reads[i].push_back(at->second);
      edges.emplace_back(i, at->second);
    }
  }
  if (edges.empty()) return order;
  const std::vector<std::uint32_t> component = strong_components(count, edges).of;
  // Components are numbered targets first; readers must come first.
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return component[i]; });
  return order;
}

NodeId UpdateWriter::write_one(const Update& update, const Place& target, NodeId at) {
  const Place& own = t_.declarations.of_group(update.group);
  const std::vector<std::uint32_t>& facts_of = t_.groups[update.group].facts;
  t_.emitter.at(t_.program.where[facts_of[0]]);
  if (update.by_rule) return t_.emitter.then(at, ir::Assign{target.expression, successor(update.group, own)});
  if (update.one_lookup() && update.unless.empty())
    return t_.emitter.then(at, ir::Assign{target.expression, looked_up(update.lookups[0], update.group, own)});
  if (target.expression != own.expression && !pending_.contains(update.group))
    at = t_.emitter.then(at, ir::Assign{target.expression, own.expression});
  const NodeId out = t_.emitter.node();
  at = guard(update, at, out);
  for (const Lookup& lookup : update.lookups) {
    const NodeId yes = lookup.table.empty() ? out : t_.emitter.node();
    const bool last = lookup.when == kAlways;
    const NodeId no = last ? NodeId() : t_.emitter.node();
    t_.emitter.branch(lookup.when, at, yes, no);
    if (!lookup.table.empty())
      t_.emitter.edge(yes, out, ir::Assign{target.expression, looked_up(lookup, update.group, own)});
    if (last) return out;
    at = no;
  }
  for (const auto& [value, wire] : update.effects) {
    if (value < facts_of.size()) t_.emitter.at(t_.program.where[facts_of[value]]);
    const NodeId yes = t_.emitter.node();
    const NodeId no = t_.emitter.node();
    t_.emitter.branch(wire, at, yes, no);
    t_.emitter.edge(yes, out, t_.emitter.assign(target, own.values[value]));
    at = no;
  }
  const std::size_t facts = facts_of.size();
  for (const auto& [values, wire] : update.keeps) {
    if (values.size() == facts && wire == kNever) {
      t_.emitter.edge(at, out, t_.emitter.assign(target, own.values.back()));
      return out;
    }
    NodeId inside = at;
    const NodeId no = t_.emitter.node();
    if (values.size() < facts) {
      inside = t_.emitter.node();
      t_.declarations.test(own, values, at, inside, no);
    }
    const NodeId left = t_.emitter.node();
    t_.emitter.branch(wire, inside, out, left);
    t_.emitter.edge(left, out, t_.emitter.assign(target, own.values.back()));
    if (values.size() == facts) return out;
    at = no;
  }
  t_.emitter.skip(at, out);
  return out;
}

NodeId UpdateWriter::guard(const Update& update, NodeId at, NodeId out) {
  if (!update.unless.empty()) {
    const NodeId inside = t_.emitter.node();
    const std::uint32_t role = t_.program.moves[update.unless[0]].role;
    std::vector<std::uint32_t> values;
    for (const std::uint32_t m : update.unless) values.push_back(t_.conditions.move_value[m]);
    t_.declarations.test(t_.declarations.of_role(role), values, at, out, inside);
    at = inside;
  }
  if (update.guard.empty()) return at;
  const NodeId inside = t_.emitter.node();
  for (std::size_t i = 0; i < update.guard.size(); ++i) {
    const auto& [role, moves] = update.guard[i];
    const NodeId next = i + 1 == update.guard.size() ? out : t_.emitter.node();
    t_.declarations.test(t_.declarations.of_role(role), moves, at, inside, next);
    at = next;
  }
  return inside;
}

ExprId UpdateWriter::successor(std::uint32_t g, const Place& own) {
  const auto& after = t_.groups[g].successor;
  if (known_phase_ != nullptr && t_.turns.group == g && known_phase_->values.size() == 1)
    return t_.game.symbol(own.values[after[known_phase_->values[0]]]);
  std::vector<SymbolId> to;
  for (const std::uint32_t i : after) to.push_back(own.values[i]);
  std::string type = t_.game.symbols.str(own.type);
  if (type.starts_with(kTypeOfValues)) type.erase(0, kTypeOfValues.size());
  return t_.declarations.mapped(own, to, own.type, "after_" + type);
}

ExprId UpdateWriter::looked_up(const Lookup& lookup, std::uint32_t group, const Place& own) {
  const Place& from = t_.declarations.of(t_.conditions, lookup.source);
  std::vector<SymbolId> to;
  for (const std::uint32_t v : lookup.table) to.push_back(own.values[v]);
  if (std::ranges::all_of(to, [&](SymbolId value) { return value == to[0]; })) return t_.game.symbol(to[0]);
  if (to == from.values && from.type == own.type) return from.expression;
  return t_.declarations.mapped(from, to, own.type, "next_" + std::to_string(group));
}

}  // namespace rgtrans::gdl
