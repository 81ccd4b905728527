// A direct reading of the semantics, for comparing a game with what a pass made of it: states are vectors of
// interned values, moves are found by plain search. Slow and simple on purpose.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::naive {

struct State {
  ir::NodeId node;
  std::vector<ir::ValueId> values;  // by variable
  auto operator<=>(const State&) const = default;
};

struct TooHard : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Evaluator {
 public:
  explicit Evaluator(const ir::Game& game) : game_(game) {}

  State initial() const {
    State s{game_.begin(), {}};
    for (const ir::Variable& v : game_.variables()) s.values.push_back(v.initial);
    return s;
  }

  // Labelings with all states they lead to. A tag that is hidden from somebody is written with a mark.
  std::map<std::string, std::set<State>> moves(const State& from) {
    std::map<std::string, std::set<State>> result;
    std::set<std::pair<State, std::string>> seen;
    std::vector<std::pair<State, std::string>> work{{from, ""}};
    seen.insert(work.back());
    while (!work.empty()) {
      auto [state, tags] = work.back();
      work.pop_back();
      for (ir::EdgeId edge : game_.graph.out_edges(state.node)) {
        const ir::Label& label = game_.graph.label(edge);
        const bool last = game_.is_player_assignment(label);
        for (State& next : step(state, edge)) {
          std::string text = tags;
          if (const auto* t = std::get_if<ir::Tag>(&label)) text += " " + game_.symbols.str(t->symbol) + hidden(state);
          if (const auto* t = std::get_if<ir::TagVariable>(&label)) {
            text += " " + game_.symbols.str(game_.values.as_symbol(state.values[t->variable.value])) + hidden(state);
          }
          if (last) {
            result[text].insert(next);
          } else {
            if (text.size() > 60 || seen.size() > 4000) throw TooHard("long move");
            if (seen.emplace(next, text).second) work.emplace_back(next, text);
          }
        }
      }
    }
    return result;
  }

  std::string mover(const State& s) const {
    return game_.symbols.str(game_.values.as_symbol(s.values[game_.player().value]));
  }
  bool final(const State& s) const { return s.node == game_.end(); }
  std::string goals(const State& s) const {
    std::string text;
    for (SymbolId p : game_.players()) {
      text += game_.symbols.str(p) + ":" +
              game_.symbols.str(game_.values.as_symbol(game_.values.at(s.values[game_.goals().value], p))) + " ";
    }
    return text;
  }

 private:
  std::string hidden(const State& s) const {
    std::string text;
    for (SymbolId p : game_.players()) {
      const SymbolId bit = game_.values.as_symbol(game_.values.at(s.values[game_.visible().value], p));
      if (game_.symbols.text(bit) == "0") text += "~" + game_.symbols.str(p);
    }
    return text;
  }

  ir::ValueId eval(ir::ExprId id, const State& s) {
    const ir::Expressions& e = game_.expressions();
    switch (e.kind(id)) {
      case ir::ExprKind::symbol:
        return game_.values.symbol(e.symbol(id));
      case ir::ExprKind::constant:
        return game_.constant(e.constant(id)).value;
      case ir::ExprKind::variable:
        return s.values[e.variable(id).value];
      case ir::ExprKind::cast:
        return eval(e.operand(id), s);
      case ir::ExprKind::access:
        return game_.values.at(eval(e.map(id), s), game_.values.as_symbol(eval(e.index(id), s)));
    }
    return {};
  }

  void keys(ir::ExprId lhs, const State& s, std::vector<SymbolId>& out) {
    const ir::Expressions& e = game_.expressions();
    if (e.kind(lhs) == ir::ExprKind::cast) return keys(e.operand(lhs), s, out);
    if (e.kind(lhs) != ir::ExprKind::access) return;
    keys(e.map(lhs), s, out);
    out.push_back(game_.values.as_symbol(eval(e.index(lhs), s)));
  }

  ir::ValueId replace(ir::ValueId map, const std::vector<SymbolId>& path, std::size_t at, ir::ValueId value) {
    if (at == path.size()) return value;
    const ir::ValueId inner = replace(game_.values.at(map, path[at]), path, at + 1, value);
    std::vector<ir::Values::Entry> entries{{path[at], inner}};
    for (const auto& e : game_.values.exceptions(map)) entries.push_back(e);
    return game_.values.map(game_.values.default_of(map), entries);
  }

  void store(State& s, const State& before, ir::ExprId lhs, ir::ValueId value) {
    const ir::VarId x = game_.assigned_variable(lhs);
    std::vector<SymbolId> path;
    keys(lhs, before, path);
    s.values[x.value] = replace(before.values[x.value], path, 0, value);
  }

  // Extensional equality over the keys of a type.
  bool equal(ir::ValueId a, ir::ValueId b, ir::TypeId type) {
    if (a == b) return true;
    if (game_.values.is_symbol(a) || game_.values.is_symbol(b)) return false;
    type = game_.resolve(type);
    for (SymbolId key : game_.members(game_.types.from(type))) {
      if (!equal(game_.values.at(a, key), game_.values.at(b, key), game_.types.to(type))) return false;
    }
    return true;
  }

  std::vector<State> step(const State& s, ir::EdgeId edge) {
    State next = s;
    next.node = game_.graph.target(edge);
    const ir::Label label = game_.graph.label(edge);
    if (const auto* c = std::get_if<ir::Compare>(&label)) {
      if (equal(eval(c->lhs, s), eval(c->rhs, s), game_.expressions().type(c->lhs)) == c->negated) return {};
    } else if (const auto* a = std::get_if<ir::Assign>(&label)) {
      store(next, s, a->lhs, eval(a->rhs, s));
    } else if (const auto* a = std::get_if<ir::AssignAny>(&label)) {
      std::vector<State> all;
      const auto span = game_.members(a->type);
      for (SymbolId m : std::vector<SymbolId>(span.begin(), span.end())) {
        store(next, s, a->lhs, game_.values.symbol(m));
        all.push_back(next);
      }
      return all;
    } else if (const auto* r = std::get_if<ir::Reachability>(&label)) {
      if (holds(*r, s) == r->negated) return {};
    }
    return {next};
  }

  bool holds(const ir::Reachability& check, const State& s) {
    if (++depth_ > 20) {
      depth_ = 0;
      throw TooHard("recursive check");
    }
    State start = s;
    start.node = check.from;
    std::set<State> seen{start};
    std::vector<State> work{start};
    bool found = false;
    while (!work.empty() && !found) {
      const State state = work.back();
      work.pop_back();
      if (state.node == check.to) {
        found = true;
        break;
      }
      for (ir::EdgeId edge : game_.graph.out_edges(state.node)) {
        for (State& next : step(state, edge)) {
          if (seen.size() > 4000) throw TooHard("large check");
          if (seen.insert(next).second) work.push_back(next);
        }
      }
    }
    --depth_;
    return found;
  }

  ir::Game game_;  // a copy: evaluating interns values
  int depth_ = 0;
};

// Plays both games in lock-step through all moves to some depth; "" or a description of the first difference. A
// game that is improper in this range (no move, several results of one labeling) is reported by TooHard.
inline std::string compare(Evaluator& a, Evaluator& b, const State& sa, const State& sb, int depth,
                           const std::string& path = "/") {
  if (a.final(sa) != b.final(sb)) return path + ": final differs";
  if (a.final(sa)) return a.goals(sa) == b.goals(sb) ? "" : path + ": goals " + a.goals(sa) + "vs " + b.goals(sb);
  if (a.mover(sa) != b.mover(sb)) return path + ": mover " + a.mover(sa) + " vs " + b.mover(sb);
  if (depth == 0) return "";
  const auto ma = a.moves(sa);
  if (ma.empty()) throw TooHard("no move");
  for (const auto& [tags, states] : ma) {
    if (states.size() > 1) throw TooHard("ambiguous");
  }
  const auto mb = b.moves(sb);
  for (const auto& [tags, states] : ma) {
    if (!mb.contains(tags)) return path + ": lost move" + tags;
  }
  for (const auto& [tags, states] : mb) {
    if (!ma.contains(tags)) return path + ": new move" + tags;
  }
  for (const auto& [tags, states] : ma) {
    // A pass may leave different values in variables that nobody reads: then every result has to do.
    std::string difference;
    int tried = 0;
    for (const State& result : mb.at(tags)) {
      if (!difference.empty() || ++tried > 3) break;
      difference = compare(a, b, *states.begin(), result, depth - 1, path + (tags.empty() ? "" : tags.substr(1)) + "/");
    }
    if (!difference.empty()) return difference;
  }
  return "";
}

inline std::string compare(const ir::Game& a, const ir::Game& b, int depth) {
  Evaluator ea(a);
  Evaluator eb(b);
  return compare(ea, eb, ea.initial(), eb.initial(), depth);
}

}  // namespace rgtrans::naive
