// Where must a second visit be recognised? Every cycle without a tag must end. Most end by themselves: a ray runs
// over the board until it leaves it, a capturing piece runs out of pieces to capture. Only cycles of which that cannot
// be proved get a node where visits are kept.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "backends/cpp/facts.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

using Nodes = std::vector<std::uint32_t>;  // local numbers

class Cycles {
 public:
  Cycles(const GameFacts& facts, CodeContext& context, std::vector<std::uint32_t> steps)
      : facts_(facts), model_(facts.model), context_(context), steps_(std::move(steps)), index_(context.nodes.size()) {}

  void run() {
    Nodes all(context_.nodes.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    part(all, steps_);
  }

 private:
  [[nodiscard]] const Step& step(std::uint32_t s) const { return model_.steps[s]; }
  [[nodiscard]] std::uint32_t from(std::uint32_t s) const { return context_.local.at(step(s).from); }
  [[nodiscard]] std::uint32_t to(std::uint32_t s) const { return context_.local.at(step(s).to); }

  // Takes a part of the graph to its cycles.
  void part(const Nodes& nodes, const std::vector<std::uint32_t>& steps) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) index_[nodes[i]] = i;
    analysis::Arcs arcs;
    for (const std::uint32_t s : steps) arcs.emplace_back(index_[from(s)], index_[to(s)]);
    const analysis::Components found = analysis::strong_components(nodes.size(), arcs);
    std::vector<Nodes> members(found.count);
    std::vector<std::vector<std::uint32_t>> inside(found.count);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) members[found.of[i]].push_back(nodes[i]);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint32_t c = found.of[arcs[i].first];
      if (c == found.of[arcs[i].second]) inside[c].push_back(steps[i]);
    }
    for (std::size_t c = 0; c < members.size(); ++c) {
      if (!inside[c].empty()) cycle(members[c], inside[c]);
    }
  }

  void cycle(const Nodes& nodes, const std::vector<std::uint32_t>& steps) {
    if (simple(nodes, steps) && moves_on(steps)) {
      note_loop(nodes, steps);
      return;
    }
    if (decided(steps) && moves_on(steps)) return;
    if (const auto fewer = decreasing(steps); !fewer.empty()) {
      std::vector<std::uint32_t> rest;
      std::copy_if(steps.begin(), steps.end(), std::back_inserter(rest),
                   [&](std::uint32_t s) { return !fewer.contains(s); });
      part(nodes, rest);
      return;
    }
    const std::uint32_t chosen = busiest(nodes, steps);
    context_.info[chosen].test = true;
    context_.info[chosen].late = context_.purpose != Purpose::check &&
                                 std::any_of(steps.begin(), steps.end(), [&](std::uint32_t s) { return step(s).mark; });
    Nodes left;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(left), [&](std::uint32_t n) { return n != chosen; });
    std::vector<std::uint32_t> rest;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(rest),
                 [&](std::uint32_t s) { return from(s) != chosen && to(s) != chosen; });
    part(left, rest);
  }

  [[nodiscard]] std::uint32_t busiest(const Nodes& nodes, const std::vector<std::uint32_t>& steps) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> degree;
    for (const std::uint32_t s : steps) {
      ++degree[from(s)].first;
      ++degree[to(s)].second;
    }
    return *std::max_element(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto weight = [&](std::uint32_t n) { return degree[n].first * degree[n].second; };
      return weight(a) < weight(b);
    });
  }

  // One way round: ways that part and meet again could be combined in too many manners.
  [[nodiscard]] bool simple(const Nodes& nodes, const std::vector<std::uint32_t>& steps) const {
    std::map<std::uint32_t, std::uint32_t> next;
    for (const std::uint32_t s : steps) {
      const auto [it, fresh] = next.try_emplace(from(s), s);
      if (fresh) continue;
      if (step(it->second).to != step(s).to || !is_condition(step(s)) || !is_condition(step(it->second))) return false;
    }
    return next.size() == nodes.size();
  }

  // Where ways part, at most one of them can be gone.
  [[nodiscard]] bool decided(const std::vector<std::uint32_t>& steps) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> next;
    for (const std::uint32_t s : steps) next[from(s)].push_back(s);
    return std::all_of(next.begin(), next.end(), [&](const auto& ways) {
      for (const std::uint32_t a : ways.second) {
        for (const std::uint32_t b : ways.second) {
          const bool one = is_condition(step(a)) && is_condition(step(b)) && step(a).to == step(b).to;
          if (a < b && !one && !facts_.conditions_exclude(step(a), step(b))) return false;
        }
      }
      return true;
    });
  }

  // Some variable never has the same value again on the way round.
  [[nodiscard]] bool moves_on(const std::vector<std::uint32_t>& steps) const {
    if (!model_.values->usable()) return false;
    std::set<VarId> tried;
    for (const std::uint32_t s : steps) {
      const VarId x = step(s).variable;
      if (step(s).kind != Deed::assign || !model_.scalar(x) || !tried.insert(x).second) continue;
      if (moves_on(steps, x)) return true;
    }
    return false;
  }

  [[nodiscard]] bool moves_on(const std::vector<std::uint32_t>& steps, VarId x) const {
    if (!model_.values->tracked(x)) return false;
    const std::uint32_t universe = model_.variable_shape(x).leaf;
    const std::uint32_t size = model_.universes[universe].size();
    std::map<std::uint32_t, std::uint32_t> index;
    for (const std::uint32_t s : steps) index.try_emplace(from(s), static_cast<std::uint32_t>(index.size()));
    analysis::Arcs arcs;
    for (const std::uint32_t s : steps) {
      const Step& at = step(s);
      const Form* form = nullptr;
      if (at.kind == Deed::assign_any && at.variable == x) return false;
      if (at.kind == Deed::assign && at.variable == x) {
        form = &model_.values->form(at.rhs, universe);
        if (form->kind != Form::Kind::scalar || form->variable != x || form->second.valid()) return false;
      }
      for (std::uint32_t code = 0; code < size; ++code) {
        if (!model_.values->can_hold(at.from, x, code)) continue;
        if (at.kind == Deed::compare && !model_.values->can_pass(at, x, code)) continue;
        const std::uint32_t next = form == nullptr ? code : form->table[code];
        if (next >= size) return false;
        arcs.emplace_back(index.at(from(s)) * size + code, index.at(to(s)) * size + next);
      }
    }
    const std::size_t pairs = index.size() * size;
    return std::none_of(arcs.begin(), arcs.end(), [](const auto& arc) { return arc.first == arc.second; }) &&
           analysis::strong_components(pairs, arcs).count == pairs;
  }

  // What a step does to the cell of a map: the kinds that it writes over, where that is known, and those that it
  // writes.
  struct Write {
    VarId map;
    Bits before, after;
    bool operator<(const Write& other) const {
      return std::tie(map, before, after) < std::tie(other.map, other.before, other.after);
    }
  };

  // Steps that write over a cell whose content was of a kind that no step here ever writes: with each of them there
  // are fewer such cells.
  [[nodiscard]] std::set<std::uint32_t> decreasing(const std::vector<std::uint32_t>& steps) {
    std::map<const Write*, std::vector<std::uint32_t>> steps_of;
    std::vector<const Write*> found;
    for (const std::uint32_t s : steps) {
      if (!is_write(step(s))) continue;
      const Write& write = write_of(s);
      if (steps_of[&write].empty()) found.push_back(&write);
      steps_of[&write].push_back(s);
    }
    for (const Write* write : found) {
      const auto fills = [&](const Write* w) { return w->map == write->map && w->after.intersects(write->before); };
      if (write->before.none() || std::any_of(found.begin(), found.end(), fills)) continue;
      std::set<std::uint32_t> fewer;
      for (const Write* other : found) {
        if (other->map != write->map || other->before.none() || !write->before.contains(other->before)) continue;
        fewer.insert(steps_of[other].begin(), steps_of[other].end());
      }
      return fewer;
    }
    return {};
  }

  // Equal ones are one object.
  [[nodiscard]] const Write& write_of(std::uint32_t s) {
    const auto [it, fresh] = write_of_.try_emplace(s);
    if (fresh) it->second = &*writes_.insert({step(s).variable, overwritten(s), written(step(s))}).first;
    return *it->second;
  }

  [[nodiscard]] bool is_write(const Step& at) const { return is_assignment(at) && !model_.scalar(at.variable); }

  [[nodiscard]] Bits written(const Step& at) const {
    const std::uint32_t leaf = model_.variable_shape(at.variable).leaf;
    if (at.kind == Deed::assign && model_.shape(model_.game.expressions().type(at.lhs)).scalar()) {
      return model_.possible(at.rhs, leaf);
    }
    return Bits::full(model_.universes[leaf].size());
  }

  // What the cell that a step writes to can have held, as a condition shortly before says; nothing if none does.
  [[nodiscard]] Bits overwritten(std::uint32_t s) const {
    constexpr int kFarthest = 8;
    const Step& at = step(s);
    const std::uint32_t leaf = model_.variable_shape(at.variable).leaf;
    Bits none(model_.universes[leaf].size());
    if (!model_.is_cell(at.lhs)) return none;
    std::uint32_t node = at.from;
    for (int i = 0; i < kFarthest; ++i) {
      // All steps into the node ask the same kind of thing, or there is one.
      std::vector<std::uint32_t> into;
      for (const std::uint32_t p : model_.in[node]) {
        if (context_.contains(step(p).from)) into.push_back(p);
      }
      if (into.empty()) return none;
      Bits kinds = none;
      bool asked = true;
      for (const std::uint32_t p : into) {
        const Bits mine = asked_kinds(step(p), at.lhs, leaf);
        if (mine.none()) asked = false;
        kinds |= mine;
      }
      if (asked) return kinds == Bits::full(model_.universes[leaf].size()) ? none : kinds;
      if (into.size() != 1) return none;
      const Step& before = step(into[0]);
      if (is_assignment(before)) {
        if (model_.reads(at.lhs, before.variable) || before.variable == at.variable) return none;
      }
      node = before.from;
    }
    return none;
  }

  // The contents of `cell` with which a condition holds; nothing when it does not ask for them.
  [[nodiscard]] Bits asked_kinds(const Step& at, ExprId cell, std::uint32_t leaf) const {
    const std::vector<SymbolId>& contents = model_.universes[leaf].symbols;
    const Bits none(contents.size());
    Bits kinds = none;
    if (at.kind != Deed::compare) return kinds;
    Bindings bindings = {{cell, SymbolId()}};
    bool varies = false;
    for (std::uint32_t c = 0; c < contents.size(); ++c) {
      bindings[0].second = contents[c];
      const Folded a = model_.fold(at.lhs, bindings);
      const Folded b = model_.fold(at.rhs, bindings);
      if (!a.symbol.valid() || !b.symbol.valid()) return none;
      if ((a.symbol == b.symbol) != at.negated)
        kinds.set(c);
      else
        varies = true;
    }
    return varies ? kinds : none;
  }

  // A cycle with one way in can be written as a loop when it only changes scalar variables.
  void note_loop(const Nodes& nodes, const std::vector<std::uint32_t>& steps) {
    const std::set<std::uint32_t> inside(nodes.begin(), nodes.end());
    std::set<std::uint32_t> heads;
    for (const std::uint32_t n : nodes) {
      const std::uint32_t node = context_.nodes[n];
      if (std::find(context_.entries.begin(), context_.entries.end(), node) != context_.entries.end()) heads.insert(n);
      for (const std::uint32_t p : model_.in[node]) {
        const bool other = !context_.contains(step(p).from) || !inside.contains(from(p)) || is_tag(step(p));
        if (other && context_.contains(step(p).from) && !step(p).ends_move) heads.insert(n);
      }
    }
    if (heads.size() != 1) return;
    std::map<std::uint32_t, std::uint32_t> next;
    for (const std::uint32_t s : steps) {
      if (step(s).kind == Deed::assign_any || step(s).ends_move) return;
      if (step(s).kind == Deed::assign && !model_.scalar(step(s).variable)) return;
      next.try_emplace(from(s), s);
    }
    const std::uint32_t head = *heads.begin();
    std::vector<std::uint32_t> loop;
    for (std::uint32_t n = head; loop.empty() || n != head; n = to(loop.back())) loop.push_back(next.at(n));
    context_.info[head].loop = std::move(loop);
  }

  const GameFacts& facts_;
  NumberedGame& model_;
  CodeContext& context_;
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> index_;  // by node: its place in the part that is looked at
  std::set<Write> writes_;
  std::unordered_map<std::uint32_t, const Write*> write_of_;  // by step
};

}  // namespace

void GameFacts::choose_tests(CodeContext& context) {
  std::vector<std::uint32_t> steps;
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) {
    for (const std::uint32_t s : context.info[i].out) {
      const Step& step = model.steps[s];
      const bool tag = is_tag(step);
      if (step.ends_move && context.purpose != Purpose::check) continue;
      if (tag && context.purpose != Purpose::check) continue;
      steps.push_back(s);
    }
  }
  Cycles(*this, context, std::move(steps)).run();
}

}  // namespace rgtrans::cpp
