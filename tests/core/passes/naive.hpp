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
  // With `trust` the search relies on the pragmas of the game, and promises that can be seen broken are reported.
  // `effort` multiplies the limits on the size of one exploration.
  explicit Evaluator(const ir::Game& game, bool trust = false, std::size_t effort = 1)
      : trust_(trust), effort_(effort), game_(game) {
    if (!trust) return;
    for (const ir::Pragma& pragma : game.pragmas) {
      if (const auto* p = std::get_if<ir::Unique>(&pragma.content)) {
        for (ir::NodeId n : p->nodes) keys_[n] = std::nullopt;
      } else if (const auto* p = std::get_if<ir::Repeat>(&pragma.content)) {
        for (ir::NodeId n : p->nodes) keys_[n] = p->variables;
      } else if (const auto* p = std::get_if<ir::Disjoint>(&pragma.content)) {
        disjoint_[p->node] = *p;
      } else if (const auto* p = std::get_if<ir::SimpleApply>(&pragma.content)) {
        apply_[p->from].push_back(*p);
      } else if (const auto* p = std::get_if<ir::TagIndex>(&pragma.content)) {
        for (ir::NodeId n : p->nodes) tag_index_[n] = *p;
      }
    }
  }

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
    seen.insert({key(from), ""});
    std::size_t steps = 0;
    while (!work.empty()) {
      auto [state, tags] = work.back();
      work.pop_back();
      for (ir::EdgeId edge : game_.graph.out_edges(state.node)) {
        const ir::Label& label = game_.graph.label(edge);
        const bool last = game_.is_player_assignment(label);
        if (++steps > 20000 * effort_) throw TooHard("many steps");
        if (trust_ && ir::is_tag(label)) check_tag_index(state.node, tags);
        for (State& next : step(state, edge)) {
          std::string text = tags;
          if (const auto* t = std::get_if<ir::Tag>(&label)) text += " " + game_.symbols.str(t->symbol) + hidden(state);
          if (const auto* t = std::get_if<ir::TagVariable>(&label)) {
            text += " " + game_.symbols.str(game_.values.as_symbol(state.values[t->variable.value])) + hidden(state);
          }
          if (last) {
            result[text].insert(next);
          } else {
            if (text.size() > 60 * effort_ || seen.size() > 4000 * effort_) throw TooHard("long move");
            if (trust_ && keys_.contains(next.node) && !keys_.at(next.node)) {
              work.emplace_back(next, text);
            } else if (seen.emplace(key(next), text).second) {
              work.emplace_back(next, text);
            }
          }
        }
      }
    }
    return result;
  }

  // What the patterns of @simpleApply make of a legal move; nothing where they do not tell.
  std::optional<State> apply(const State& from, const std::string& labeling) {
    std::vector<std::string> tags;
    for (std::size_t at = 0; at < labeling.size();) {
      const std::size_t end = std::min(labeling.find(' ', at + 1), labeling.size());
      tags.push_back(labeling.substr(at + 1, end - at - 1));
      tags.back() = tags.back().substr(0, tags.back().find('~'));
      at = end;
    }
    State state = from;
    std::size_t at = 0;
    for (int guard = 0; guard < 100; ++guard) {
      const auto it = apply_.find(state.node);
      if (it == apply_.end()) return std::nullopt;
      const ir::SimpleApply* match = nullptr;
      for (const ir::SimpleApply& p : it->second) {
        const bool ends = p.tags.empty();
        if (ends ? at != tags.size() : at + p.tags.size() > tags.size()) continue;
        bool fits = true;
        for (std::size_t i = 0; fits && i < p.tags.size(); ++i) {
          const SymbolId tag = game_.symbols.intern(tags[at + i]);
          fits = p.tags[i].type.valid() ? game_.index_of(p.tags[i].type, tag) >= 0 : p.tags[i].name == tag;
        }
        if (!fits) continue;
        // A plain tag is told from a variable one by its symbol, so the more exact pattern counts.
        if (match == nullptr || (!p.tags.empty() && !p.tags[0].type.valid())) match = &p;
      }
      if (match == nullptr) {
        if (it->second.front().exhaustive) throw std::logic_error("no pattern for a legal move at " + labeling);
        return std::nullopt;
      }
      bindings_.clear();
      for (std::size_t i = 0; i < match->tags.size(); ++i) {
        if (match->tags[i].type.valid()) bindings_[match->tags[i].name] = game_.symbols.intern(tags[at + i]);
      }
      bool done = false;
      for (const auto& effect : match->effects) {
        const State before = state;
        store(state, before, effect.lhs, eval(effect.rhs, before));
        done = game_.is_player_assignment(ir::Assign{effect.lhs, effect.rhs});
      }
      bindings_.clear();
      state.node = match->to;
      at += match->tags.size();
      if (done) return at == tags.size() ? std::optional(state) : std::nullopt;
    }
    return std::nullopt;
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
        if (const auto it = bindings_.find(e.symbol(id)); it != bindings_.end()) return game_.values.symbol(it->second);
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

  // The state as the visited test sees it.
  State key(const State& s) const {
    if (!trust_) return s;
    const auto it = keys_.find(s.node);
    if (it == keys_.end() || !it->second) return s;
    State k{s.node, {}};
    for (ir::VarId v : *it->second) k.values.push_back(s.values[v.value]);
    return k;
  }

  void check_tag_index(ir::NodeId node, const std::string& tags) const {
    const auto it = tag_index_.find(node);
    if (it == tag_index_.end()) return;
    const auto count = static_cast<std::uint32_t>(std::ranges::count(tags, ' '));
    if (count > it->second.index || (!it->second.maximum && count != it->second.index)) {
      throw std::logic_error("broken @tagIndex");
    }
  }

  std::vector<State> step(const State& s, ir::EdgeId edge) {
    if (trust_) {
      const auto it = disjoint_.find(s.node);
      if (it != disjoint_.end()) {
        std::size_t legal = 0;
        std::size_t listed = 0;
        for (ir::EdgeId other : game_.graph.out_edges(s.node)) {
          if (std::ranges::find(it->second.targets, game_.graph.target(other)) == it->second.targets.end()) continue;
          ++listed;
          legal += !plain_step(s, other).empty();
        }
        if (listed != it->second.targets.size() || legal > 1 || (it->second.exhaustive && legal != 1)) {
          throw std::logic_error("broken @disjoint at a node with " + std::to_string(legal) + " legal edges");
        }
      }
    }
    return plain_step(s, edge);
  }

  std::vector<State> plain_step(const State& s, ir::EdgeId edge) {
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
    std::set<State> seen{key(start)};
    std::vector<State> work{start};
    std::size_t steps = 0;
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
          if (seen.size() > 4000 * effort_ || ++steps > 20000 * effort_) throw TooHard("large check");
          if (trust_ && keys_.contains(next.node) && !keys_.at(next.node)) {
            work.push_back(next);
          } else if (seen.insert(key(next)).second) {
            work.push_back(next);
          }
        }
      }
    }
    --depth_;
    return found;
  }

  bool trust_ = false;
  std::size_t effort_ = 1;
  std::map<ir::NodeId, std::optional<std::vector<ir::VarId>>> keys_;  // nothing: no test at all
  std::map<ir::NodeId, ir::Disjoint> disjoint_;
  std::map<ir::NodeId, std::vector<ir::SimpleApply>> apply_;
  std::map<ir::NodeId, ir::TagIndex> tag_index_;
  std::map<SymbolId, SymbolId> bindings_;
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
    std::set<State> results = mb.at(tags);
    if (const auto applied = b.apply(sb, tags)) results = {*applied, *results.begin()};
    for (const State& result : results) {
      if (!difference.empty() || ++tried > 3) break;
      difference = compare(a, b, *states.begin(), result, depth - 1, path + (tags.empty() ? "" : tags.substr(1)) + "/");
    }
    if (!difference.empty()) return difference;
  }
  return "";
}

inline std::string compare(const ir::Game& a, const ir::Game& b, int depth, bool trust = false) {
  Evaluator ea(a);
  Evaluator eb(b, trust);
  return compare(ea, eb, ea.initial(), eb.initial(), depth);
}

// Whether some play from here ends; an endless game is improper, and passes may cut it short.
inline bool some_play_ends(Evaluator& evaluator, State state) {
  for (int moves = 0; moves < 12; ++moves) {
    if (evaluator.final(state)) return true;
    const auto all = evaluator.moves(state);
    if (all.empty()) return false;
    // The spine of a random game leads to the end: take the move with the largest node.
    const State* best = nullptr;
    for (const auto& [tags, states] : all) {
      if (best == nullptr || evaluator.final(*states.begin()) || best->node < states.begin()->node)
        best = &*states.begin();
      if (evaluator.final(*best)) break;
    }
    state = State(*best);
  }
  return evaluator.final(state);
}

inline bool all_plays_end(Evaluator& evaluator, const State& state, int depth) {
  if (!some_play_ends(evaluator, state)) return false;
  if (depth == 0 || evaluator.final(state)) return true;
  for (const auto& [tags, states] : evaluator.moves(state)) {
    if (!all_plays_end(evaluator, *states.begin(), depth - 1)) return false;
  }
  return true;
}

// A game that passes must keep: unambiguous, never stuck, with an end in sight of every state. Throws TooHard.
inline bool all_plays_end(const ir::Game& game, int depth) {
  Evaluator evaluator(game);
  return compare(game, game, depth).empty() && all_plays_end(evaluator, evaluator.initial(), depth);
}

}  // namespace rgtrans::naive
