#include "tests/support/naive_evaluator.hpp"

#include <algorithm>
#include <utility>

namespace rgtrans::naive {

namespace {

constexpr std::size_t kMaxSteps = 20'000;
constexpr std::size_t kMaxWalks = 4'000;
constexpr std::size_t kMaxTags = 8;         // in plain labelings
constexpr std::size_t kMaxCharacters = 60;  // in other labelings

std::vector<std::string> tags_of(const std::string& labeling) {
  std::vector<std::string> tags;
  for (std::size_t at = 0; at < labeling.size();) {
    const std::size_t end = std::min(labeling.find(' ', at), labeling.size());
    tags.push_back(labeling.substr(at, end - at));
    at = end + 1;
  }
  return tags;
}

}  // namespace

Evaluator::Evaluator(const ir::Game& game, const Options& options)
    : options_(options), game_(game), artificial_(ir::artificial_tags(game)) {
  for (const ir::Constant& constant : game.constants()) constants_.push_back(fit(constant.value, constant.type));
  if (options.trust) read_pragmas();
}

void Evaluator::read_pragmas() {
  for (const ir::Pragma& pragma : game_.pragmas) {
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

State Evaluator::initial() {
  State s{game_.begin(), {}};
  for (const ir::Variable& v : game_.variables()) s.values.push_back(fit(v.initial, v.type));
  return s;
}

// A mark for each player from whom the tag is hidden.
std::string Evaluator::hidden(const State& s) const {
  std::string marks;
  for (SymbolId p : game_.players()) {
    if (text(game_.values.at(s.values[game_.visible().value], p)) == "0") marks += "~" + game_.symbols.str(p);
  }
  return marks;
}

// The tag that the edge shows, or none.
std::string Evaluator::shown(const State& s, const ir::Label& label) const {
  std::string tag;
  if (const auto* t = std::get_if<ir::Tag>(&label)) {
    if (options_.plain && artificial_[t->symbol.value]) return "";
    tag = game_.symbols.str(t->symbol);
  } else if (const auto* t = std::get_if<ir::TagVariable>(&label)) {
    tag = text(s.values[t->variable.value]);
  } else {
    return "";
  }
  return options_.plain ? tag : tag + hidden(s);
}

std::map<std::string, std::set<State>> Evaluator::moves(const State& from) {
  std::map<std::string, std::set<State>> result;
  pending_.clear();
  if (final(from)) return result;
  std::set<Walk> seen{{key(from), ""}};
  std::vector<Walk> work{{from, ""}};
  std::size_t steps = 0;
  while (!work.empty()) {
    const auto [state, tags] = work.back();
    work.pop_back();
    for (ir::EdgeId edge : game_.graph.out_edges(state.node)) {
      const ir::Label label = game_.graph.label(edge);
      if (++steps > kMaxSteps * options_.effort || ++steps_ > options_.steps) throw TooHard("many steps");
      if (options_.trust && ir::is_tag(label)) check_tag_index(state.node, tags);
      const std::string tag = shown(state, label);
      const std::string longer = tags + (tags.empty() || tag.empty() ? "" : " ") + tag;
      for (State& next : step(state, edge)) {
        if (game_.is_player_assignment(label)) {
          result[longer].insert(next);
          continue;
        }
        const bool too_long =
            options_.plain ? tags_of(longer).size() > kMaxTags : longer.size() >= kMaxCharacters * options_.effort;
        if (too_long || seen.size() > kMaxWalks * options_.effort) throw TooHard("long move");
        const bool unique = options_.trust && keys_.contains(next.node) && !keys_.at(next.node);
        if (unique || seen.emplace(key(next), longer).second) work.emplace_back(std::move(next), longer);
      }
    }
  }
  return result;
}

std::map<std::string, std::set<State>> Evaluator::marked_moves(const State& from) {
  const bool plain = std::exchange(options_.plain, false);
  try {
    auto result = moves(from);
    options_.plain = plain;
    return result;
  } catch (...) {
    options_.plain = plain;
    throw;
  }
}

// The matching pattern. A tag can match both a plain and a variable pattern; the plain one is more specific.
const ir::SimpleApply* Evaluator::match(const std::vector<ir::SimpleApply>& patterns,
                                        const std::vector<std::string>& tags, std::size_t at) {
  const ir::SimpleApply* found = nullptr;
  for (const ir::SimpleApply& p : patterns) {
    if (p.tags.empty() ? at != tags.size() : at + p.tags.size() > tags.size()) continue;
    bool fits = true;
    for (std::size_t i = 0; fits && i < p.tags.size(); ++i) {
      const SymbolId tag = game_.symbols.intern(tags[at + i]);
      fits = p.tags[i].type.valid() ? game_.index_of(p.tags[i].type, tag) >= 0 : p.tags[i].name == tag;
    }
    if (fits && (found == nullptr || (!p.tags.empty() && !p.tags[0].type.valid()))) found = &p;
  }
  return found;
}

std::optional<State> Evaluator::apply(const State& from, const std::string& labeling) {
  std::vector<std::string> tags = tags_of(labeling);
  for (std::string& tag : tags) tag = tag.substr(0, tag.find('~'));
  State state = from;
  std::size_t at = 0;
  for (int guard = 0; guard < 100; ++guard) {
    const auto it = apply_.find(state.node);
    if (it == apply_.end()) return std::nullopt;
    const ir::SimpleApply* pattern = match(it->second, tags, at);
    if (pattern == nullptr) {
      if (it->second.front().exhaustive) throw std::logic_error("no pattern for a legal move at " + labeling);
      return std::nullopt;
    }
    bindings_.clear();
    for (std::size_t i = 0; i < pattern->tags.size(); ++i) {
      if (pattern->tags[i].type.valid()) bindings_[pattern->tags[i].name] = game_.symbols.intern(tags[at + i]);
    }
    bool done = false;
    for (const auto& effect : pattern->effects) {
      const State before = state;
      store(state, before, effect.lhs, eval(effect.rhs, before));
      done = game_.is_player_assignment(ir::Assign{effect.lhs, effect.rhs});
    }
    bindings_.clear();
    state.node = pattern->to;
    at += pattern->tags.size();
    if (done) return at == tags.size() ? std::optional(state) : std::nullopt;
  }
  return std::nullopt;
}

// As defined in rg.md 11.5.
std::uint64_t Evaluator::perft(const State& state, unsigned depth) {
  if (depth == 0) return 1;
  const std::string who = mover(state);
  std::set<State> results;
  std::uint64_t sum = 0;
  for (const auto& [tags, states] : moves(state)) {
    const State& next = *states.begin();
    if (who == "random" && !results.insert(next).second) continue;
    sum += perft(next, who == "keeper" ? depth : depth - 1);
  }
  return sum;
}

std::string Evaluator::goals(const State& s) const {
  std::string all;
  for (SymbolId p : game_.players()) {
    all += game_.symbols.str(p) + ":" + text(game_.values.at(s.values[game_.goals().value], p)) + " ";
  }
  return all;
}

std::map<std::vector<std::string>, std::string> Evaluator::cells(const State& s, ir::VarId variable) const {
  std::map<std::vector<std::string>, std::string> all;
  const auto add = [&](auto&& self, ir::ValueId value, ir::TypeId type, const std::vector<std::string>& keys) -> void {
    if (game_.values.is_symbol(value)) {
      all[keys] = text(value);
      return;
    }
    type = game_.resolve(type);
    for (SymbolId key : game_.members(game_.types.from(type))) {
      std::vector<std::string> longer = keys;
      longer.push_back(game_.symbols.str(key));
      self(self, game_.values.at(value, key), game_.types.to(type), longer);
    }
  };
  add(add, s.values[variable.value], game_.variable(variable).type, {});
  return all;
}

// The map restricted to the keys of a type; other keys get its default.
ir::ValueId Evaluator::fit(ir::ValueId value, ir::TypeId type) {
  type = game_.resolve(type);
  if (game_.values.is_symbol(value) || !game_.is_arrow(type)) return value;
  std::vector<ir::Values::Entry> entries;
  for (SymbolId key : game_.members(game_.types.from(type))) {
    entries.push_back({key, fit(game_.values.at(value, key), game_.types.to(type))});
  }
  return game_.values.map(game_.values.default_of(value), entries);
}

ir::ValueId Evaluator::eval(ir::ExprId id, const State& s) {
  const ir::Expressions& e = game_.expressions();
  switch (e.kind(id)) {
    case ir::ExprKind::symbol:
      if (const auto it = bindings_.find(e.symbol(id)); it != bindings_.end()) return game_.values.symbol(it->second);
      return game_.values.symbol(e.symbol(id));
    case ir::ExprKind::constant:
      return constants_[e.constant(id).value];
    case ir::ExprKind::variable:
      return s.values[e.variable(id).value];
    case ir::ExprKind::cast:
      return eval(e.operand(id), s);
    case ir::ExprKind::access:
      return game_.values.at(eval(e.map(id), s), game_.values.as_symbol(eval(e.index(id), s)));
  }
  return {};
}

void Evaluator::keys(ir::ExprId lhs, const State& s, std::vector<SymbolId>& out) {
  const ir::Expressions& e = game_.expressions();
  if (e.kind(lhs) == ir::ExprKind::cast) return keys(e.operand(lhs), s, out);
  if (e.kind(lhs) != ir::ExprKind::access) return;
  keys(e.map(lhs), s, out);
  out.push_back(game_.values.as_symbol(eval(e.index(lhs), s)));
}

// Replaces the value at the end of a path. The map is unchanged if a key of the path is outside of its type.
ir::ValueId Evaluator::replace(ir::ValueId map, ir::TypeId type, const std::vector<SymbolId>& path, std::size_t at,
                               ir::ValueId value) {
  type = game_.resolve(type);
  if (at == path.size()) return fit(value, type);
  if (game_.index_of(game_.types.from(type), path[at]) < 0) return map;
  const ir::ValueId inner = replace(game_.values.at(map, path[at]), game_.types.to(type), path, at + 1, value);
  std::vector<ir::Values::Entry> entries{{path[at], inner}};
  for (const auto& e : game_.values.exceptions(map)) {
    if (e.key != path[at]) entries.push_back(e);
  }
  return game_.values.map(game_.values.default_of(map), entries);
}

void Evaluator::store(State& s, const State& before, ir::ExprId lhs, ir::ValueId value) {
  const ir::VarId x = game_.assigned_variable(lhs);
  std::vector<SymbolId> path;
  keys(lhs, before, path);
  s.values[x.value] = replace(before.values[x.value], game_.variable(x).type, path, 0, value);
}

// Compares maps over the keys of both types, at every level.
bool Evaluator::equal(ir::ValueId a, ir::ValueId b, ir::TypeId type_of_a, ir::TypeId type_of_b) const {
  if (a == b) return true;
  if (game_.values.is_symbol(a) || game_.values.is_symbol(b)) return false;
  const ir::TypeId x = game_.resolve(type_of_a), y = game_.resolve(type_of_b);
  const auto same = [&](SymbolId key) {
    return equal(game_.values.at(a, key), game_.values.at(b, key), game_.types.to(x), game_.types.to(y));
  };
  return std::ranges::all_of(game_.members(game_.types.from(x)), same) &&
         std::ranges::all_of(game_.members(game_.types.from(y)), same);
}

// The part of the state that the test for second visits compares.
State Evaluator::key(const State& s) const {
  const auto it = keys_.find(s.node);
  if (it == keys_.end() || !it->second) return s;
  State k{s.node, {}};
  for (ir::VarId v : *it->second) k.values.push_back(s.values[v.value]);
  return k;
}

void Evaluator::check_tag_index(ir::NodeId node, const std::string& tags) const {
  const auto it = tag_index_.find(node);
  if (it == tag_index_.end()) return;
  const std::size_t count = tags_of(tags).size();
  if (count > it->second.index || (!it->second.maximum && count != it->second.index)) {
    throw std::logic_error("broken @tagIndex");
  }
}

void Evaluator::check_disjoint(const State& s) {
  const auto it = disjoint_.find(s.node);
  if (it == disjoint_.end()) return;
  const ir::Disjoint& promise = it->second;
  std::size_t legal = 0;
  std::size_t listed = 0;
  for (ir::EdgeId edge : game_.graph.out_edges(s.node)) {
    if (std::ranges::find(promise.targets, game_.graph.target(edge)) == promise.targets.end()) continue;
    ++listed;
    legal += !plain_step(s, edge).empty();
  }
  if (listed != promise.targets.size() || legal > 1 || (promise.exhaustive && legal != 1)) {
    throw std::logic_error("broken @disjoint at a node with " + std::to_string(legal) + " legal edges");
  }
}

std::vector<State> Evaluator::step(const State& s, ir::EdgeId edge) {
  check_disjoint(s);
  return plain_step(s, edge);
}

std::vector<State> Evaluator::plain_step(const State& s, ir::EdgeId edge) {
  State next = s;
  next.node = game_.graph.target(edge);
  const ir::Label label = game_.graph.label(edge);
  if (const auto* c = std::get_if<ir::Compare>(&label)) {
    const ir::Expressions& e = game_.expressions();
    const ir::ValueId left = eval(c->lhs, s);
    const ir::ValueId right = eval(c->rhs, s);
    if (equal(left, right, e.type(c->lhs), e.type(c->rhs)) == c->negated) return {};
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

bool Evaluator::holds(const ir::Reachability& check, const State& s) {
  const std::pair asked(check.from, check.to);
  if (std::ranges::find(pending_, asked) != pending_.end()) throw TooHard("recursive check");
  pending_.push_back(asked);
  State start = s;
  start.node = check.from;
  std::set<State> seen{key(start)};
  std::vector<State> work{start};
  std::size_t steps = 0;
  bool found = false;
  while (!work.empty()) {
    const State state = work.back();
    work.pop_back();
    found = state.node == check.to;
    if (found) break;
    for (ir::EdgeId edge : game_.graph.out_edges(state.node)) {
      for (State& next : step(state, edge)) {
        if (seen.size() > kMaxWalks * options_.effort || ++steps > kMaxSteps * options_.effort ||
            ++steps_ > options_.steps) {
          throw TooHard("large check");
        }
        const bool unique = keys_.contains(next.node) && !keys_.at(next.node);
        if (unique || seen.insert(key(next)).second) work.push_back(next);
      }
    }
  }
  pending_.pop_back();
  return found;
}

std::string compare(Evaluator& a, Evaluator& b, const State& sa, const State& sb, int depth, const std::string& path) {
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
    if (!mb.contains(tags)) return path + ": lost move " + tags;
  }
  for (const auto& [tags, states] : mb) {
    if (!ma.contains(tags)) return path + ": new move " + tags;
  }
  for (const auto& [tags, states] : ma) {
    // A pass may change the values of variables that are never read: then every result must be accepted.
    std::string difference;
    int tried = 0;
    std::set<State> results = mb.at(tags);
    if (const auto applied = b.apply(sb, tags)) results = {*applied, *results.begin()};
    for (const State& result : results) {
      if (!difference.empty() || ++tried > 3) break;
      difference = compare(a, b, *states.begin(), result, depth - 1, path + tags + "/");
    }
    if (!difference.empty()) return difference;
  }
  return "";
}

std::string compare(const ir::Game& a, const ir::Game& b, int depth, bool trust) {
  Evaluator ea(a);
  Evaluator eb(b, {.trust = trust});
  return compare(ea, eb, ea.initial(), eb.initial(), depth, "/");
}

namespace {

// An endless game is improper, and passes may shorten it.
class Ends {
 public:
  explicit Ends(const ir::Game& game, std::size_t steps) : evaluator_(game, {.steps = steps}) {}

  bool run(int depth) { return all(evaluator_.initial(), depth); }

 private:
  static constexpr int kLongestPlay = 60;

  // Whether a play from this state ends that always moves to the largest node: the spine of a random game leads to the
  // end.
  bool some_play_ends(State state) {
    std::vector<State> play;
    while (!evaluator_.final(state) && !ending_.contains(state)) {
      if (play.size() == kLongestPlay) return false;
      const auto moves = evaluator_.moves(state);
      if (moves.empty()) return false;
      const State* best = nullptr;
      for (const auto& [tags, states] : moves) {
        if (best == nullptr || evaluator_.final(*states.begin()) || best->node < states.begin()->node)
          best = &*states.begin();
        if (evaluator_.final(*best)) break;
      }
      play.push_back(std::exchange(state, State(*best)));
    }
    ending_.insert(play.begin(), play.end());
    return true;
  }

  bool all(const State& state, int depth) {
    const auto [known, fresh] = depth_.try_emplace(state, depth);
    if (!fresh && known->second >= depth) return true;
    known->second = depth;
    if (fresh && !some_play_ends(state)) return false;
    if (depth == 0 || evaluator_.final(state)) return true;
    const auto moves = evaluator_.moves(state);
    if (moves.empty()) throw TooHard("no move");
    for (const auto& [tags, states] : moves)
      if (states.size() > 1) throw TooHard("ambiguous");
    return std::ranges::all_of(moves, [&](const auto& move) { return all(*move.second.begin(), depth - 1); });
  }

  Evaluator evaluator_;
  std::set<State> ending_;      // a play from here ends
  std::map<State, int> depth_;  // to which it has been looked at
};

}  // namespace

bool all_plays_end(const ir::Game& game, int depth, std::size_t steps) { return Ends(game, steps).run(depth); }

}  // namespace rgtrans::naive
