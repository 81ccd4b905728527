// Where must a second visit be recognised? Every cycle without a tag must end. Most end by themselves: a ray runs
// over the board until it leaves it (analysis::Rounds), a capturing piece runs out of pieces to capture. Of the others,
// one with a single way round that changes scalars only repeats itself after as many rounds as these have values: in
// checks that is enough. All else gets a node where visits are kept.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/facts.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

using Nodes = std::vector<std::uint32_t>;  // local numbers
using Edges = std::vector<std::uint32_t>;  // of the context

class Cycles {
 public:
  // `by_count`: rounds may be counted instead of recognised.
  Cycles(const GameFacts& facts, CodeContext& context, bool by_count)
      : facts_(facts),
        by_count_(by_count),
        model_(facts.model),
        context_(context),
        rounds_(context, facts.model.game, *facts.model.held, known_values()),
        index_(context.nodes.size()) {}

  void run(const Edges& edges) {
    Nodes all(context_.nodes.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    part(all, edges);
  }

 private:
  [[nodiscard]] const Step& step(std::uint32_t e) const { return model_.steps[context_.edges[e].number]; }
  [[nodiscard]] std::uint32_t from(std::uint32_t e) const { return context_.edges[e].source; }
  [[nodiscard]] std::uint32_t to(std::uint32_t e) const { return context_.edges[e].target; }
  [[nodiscard]] bool is_start(std::uint32_t node) const {
    return std::ranges::find(context_.starts, node) != context_.starts.end();
  }

  [[nodiscard]] analysis::Rounds::Hints known_values() const {
    const PossibleValues& values = *model_.values;
    if (!values.usable()) return {};
    const auto code = [&](VarId v, SymbolId symbol) { return model_.code(model_.variable_shape(v).leaf, symbol); };
    return {.can_hold =
                [this, &values, code](std::uint32_t node, VarId v, SymbolId symbol) {
                  return !values.tracked(v) || values.can_hold(context_.nodes[node], v, code(v, symbol));
                },
            .can_pass =
                [this, &values, code](std::uint32_t number, VarId v, SymbolId symbol) {
                  return !values.tracked(v) || values.can_pass(model_.steps[number], v, code(v, symbol));
                }};
  }

  // Takes a part of the graph to its cycles.
  void part(const Nodes& nodes, const Edges& steps) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) index_[nodes[i]] = i;
    Arcs arcs;
    for (const std::uint32_t s : steps) arcs.emplace_back(index_[from(s)], index_[to(s)]);
    const Components found = strong_components(nodes.size(), arcs);
    std::vector<Nodes> members(found.count);
    std::vector<Edges> inside(found.count);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) members[found.of[i]].push_back(nodes[i]);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint32_t c = found.of[arcs[i].first];
      if (c == found.of[arcs[i].second]) inside[c].push_back(steps[i]);
    }
    for (std::size_t c = 0; c < members.size(); ++c) {
      if (!inside[c].empty()) cycle(members[c], inside[c]);
    }
  }

  void cycle(const Nodes& nodes, const Edges& steps) {
    const bool one_way = simple(nodes, steps);
    if (one_way || decided(steps)) {
      const Edges endless = rounds_.endless(steps);
      if (endless.empty() && one_way) note_loop(nodes, steps, 0);
      if (!endless.empty() && one_way && by_count_) {
        if (const std::uint64_t rounds = rounds_of(steps); rounds > 0 && note_loop(nodes, steps, rounds)) return;
      }
      if (endless.size() < steps.size()) {
        part(nodes, endless);
        return;
      }
    }
    if (const auto fewer = decreasing(steps); !fewer.empty()) {
      Edges rest;
      std::ranges::copy_if(steps, std::back_inserter(rest), [&](std::uint32_t s) { return !fewer.contains(s); });
      part(nodes, rest);
      return;
    }
    const std::uint32_t chosen = busiest(nodes, steps);
    context_.info[chosen].test = true;
    context_.info[chosen].late =
        context_.purpose != Purpose::check && std::ranges::any_of(steps, [&](std::uint32_t s) { return step(s).mark; });
    Nodes left;
    std::ranges::copy_if(nodes, std::back_inserter(left), [&](std::uint32_t n) { return n != chosen; });
    Edges rest;
    std::ranges::copy_if(steps, std::back_inserter(rest),
                         [&](std::uint32_t s) { return from(s) != chosen && to(s) != chosen; });
    part(left, rest);
  }

  [[nodiscard]] std::uint32_t busiest(const Nodes& nodes, const Edges& steps) const {
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
  [[nodiscard]] bool simple(const Nodes& nodes, const Edges& steps) const {
    std::map<std::uint32_t, std::uint32_t> next;
    for (const std::uint32_t s : steps) {
      const auto [it, fresh] = next.try_emplace(from(s), s);
      if (fresh) continue;
      if (step(it->second).to != step(s).to || !is_condition(step(s)) || !is_condition(step(it->second))) return false;
    }
    return next.size() == nodes.size();
  }

  // Where ways part, at most one of them can be taken.
  [[nodiscard]] bool decided(const Edges& steps) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> next;
    for (const std::uint32_t s : steps) next[from(s)].push_back(s);
    return std::ranges::all_of(next, [&](const auto& ways) {
      for (const std::uint32_t a : ways.second) {
        for (const std::uint32_t b : ways.second) {
          if (a < b && !facts_.one_way_on(step(a), step(b))) return false;
        }
      }
      return true;
    });
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
  [[nodiscard]] std::set<std::uint32_t> decreasing(const Edges& steps) {
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
      if (write->before.none() || std::ranges::any_of(found, fills)) continue;
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
    const Step& at = step(s);
    const std::uint32_t leaf = model_.variable_shape(at.variable).leaf;
    Bits none(model_.universes[leaf].size());
    // A write to a key that the map lacks overwrites nothing.
    if (!model_.is_cell(at.lhs) || !model_.has_key(at.from, at.lhs)) return none;
    std::uint32_t node = from(s);
    for (int i = 0; i < kEfforts.overwritten_steps; ++i) {
      // All steps into the node ask the same kind of thing, or there is one.
      const std::span<const std::uint32_t> into = context_.in[node];
      if (into.empty() || is_start(node)) return none;
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
      node = from(into[0]);
    }
    return none;
  }

  // The contents of `cell` with which a condition holds; nothing when it does not ask for them.
  [[nodiscard]] Bits asked_kinds(const Step& at, ExprId cell, std::uint32_t leaf) const {
    const std::vector<SymbolId>& contents = model_.universes[leaf].symbols;
    Bits kinds(contents.size());
    if (at.kind != Deed::compare) return kinds;
    Bindings bindings = {{cell, SymbolId()}};
    bool varies = false;
    for (std::uint32_t c = 0; c < contents.size(); ++c) {
      bindings[0].second = contents[c];
      const std::optional<bool> holds = model_.holds(at, bindings);
      if (!holds) return Bits(contents.size());
      if (*holds)
        kinds.set(c);
      else
        varies = true;
    }
    if (!varies) kinds = Bits(contents.size());
    return kinds;
  }

  // How many combinations of values there are of the scalars that steps change; 0 for too many.
  [[nodiscard]] std::uint64_t rounds_of(const Edges& steps) const {
    Bits changed(model_.game.variables().size());
    for (const std::uint32_t s : steps) {
      if (is_assignment(step(s))) changed.set(step(s).variable.value);
    }
    const std::uint64_t rounds = facts_.key_cells(changed);
    return rounds > kSizes.rounds ? 0 : rounds;
  }

  // A cycle with one way in can be written as a loop when it only changes scalar variables.
  bool note_loop(const Nodes& nodes, const Edges& steps, std::uint64_t most_rounds) {
    const std::set<std::uint32_t> round(steps.begin(), steps.end());
    std::set<std::uint32_t> heads;
    for (const std::uint32_t n : nodes) {
      const auto other = [&](std::uint32_t e) { return !round.contains(e); };
      if (is_start(n) || std::ranges::any_of(context_.in[n], other)) heads.insert(n);
    }
    if (heads.size() != 1) return false;
    std::map<std::uint32_t, std::uint32_t> next;
    for (const std::uint32_t s : steps) {
      if (step(s).kind == Deed::assign_any || step(s).ends_move) return false;
      if (step(s).kind == Deed::assign && !model_.scalar(step(s).variable)) return false;
      next.try_emplace(from(s), s);
    }
    const std::uint32_t head = *heads.begin();
    std::vector<std::uint32_t> loop;
    std::uint32_t at = head;
    do {
      loop.push_back(context_.edges[next.at(at)].number);
      at = to(next.at(at));
    } while (at != head);
    context_.info[head].loop = std::move(loop);
    context_.info[head].most_rounds = most_rounds;
    return true;
  }

  const GameFacts& facts_;
  const bool by_count_;
  NumberedGame& model_;
  CodeContext& context_;
  analysis::Rounds rounds_;
  std::vector<std::uint32_t> index_;  // by node: its place in the part that is looked at
  std::set<Write> writes_;
  std::unordered_map<std::uint32_t, const Write*> write_of_;  // by edge
};

}  // namespace

void GameFacts::choose_tests(CodeContext& context) {
  Edges edges;
  for (std::uint32_t e = 0; e < context.edges.size(); ++e) {
    const Step& step = model.steps[context.edges[e].number];
    if (context.purpose == Purpose::check || (!step.ends_move && !is_tag(step))) edges.push_back(e);
  }
  const auto choose = [&](bool by_count) {
    for (CodeContext::Node& node : context.info) {
      node.test = node.late = false;
      node.loop.clear();
      node.most_rounds = 0;
    }
    Cycles(*this, context, by_count).run(edges);
  };
  // Beside nodes where visits are kept, a loop may have to be written as another one of them.
  choose(context.purpose == Purpose::check);
  const bool tests = std::ranges::any_of(context.info, &CodeContext::Node::test);
  const bool counts = std::ranges::any_of(context.info, [](const CodeContext::Node& n) { return n.most_rounds > 0; });
  if (tests && counts) choose(false);
}

}  // namespace rgtrans::cpp
