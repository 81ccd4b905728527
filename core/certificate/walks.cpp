// The walks of a pair: their steps, and how those of both games meet.
#include "core/certificate/walks.hpp"

#include <algorithm>
#include <utility>

#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

namespace {

constexpr std::size_t kMostWalks = 300;  // of a game from one pair

// A choice has values that were not counted so far.
struct MoreChoices {};

}  // namespace

// Whether the walk must meet another one where it is.
bool SideBySide::ends(const Tree& tree, const Walk& walk) const {
  return walk.move_ends || walk.node == (tree.target.valid() ? tree.target : tree.side.game.end());
}

// Whether the walk may meet one at the node in the other game that takes the place of its own.
bool SideBySide::shared(const Tree& tree, const Walk& walk) const {
  if (!tree.side.after) {
    const NodeId now = counterpart(walk.node);
    return now.valid() && !banned_.contains({now, walk.node, tree.other_target, tree.target});
  }
  const ir::Automaton& graph = before_.game.graph;
  return walk.node.value < graph.node_bound() && graph.alive(walk.node) &&
         !banned_.contains({walk.node, walk.node, tree.target, tree.other_target});
}

bool SideBySide::step(Tree& tree, const Walk& from, EdgeId edge, Walk& to) {
  Side& side = tree.side;
  const bool play = !tree.target.valid();
  const ir::Label& label = side.game.graph.label(edge);
  const auto in_type = [&](ExprId lhs, TermId value) {
    const auto it = doubtful_.find(side.game.assigned_variable(lhs));
    if (!side.after || it == doubtful_.end()) return;
    if (!side.game.is_set(side.game.expressions().type(lhs)) || !assumptions_.decide(value, it->second))
      throw TooHard();
  };
  to = Walk{side.game.graph.target(edge), from.changes, from.tags, from.choices};
  to.move_ends = play && side.game.is_player_assignment(label);
  // To arrive by a check that the target can be reached from a node is to arrive from that node.
  const auto* last = std::get_if<ir::Reachability>(&label);
  if (!play && last != nullptr && !last->negated && last->to == tree.target && to.node == tree.target) {
    to.node = last->from;
    return side.needs.until(tree.target).matters(to.node);
  }
  if (!to.move_ends && !side.needs.until(tree.target).matters(to.node)) return false;
  if (const auto* compare = std::get_if<ir::Compare>(&label)) return condition(side, from, *compare);
  if (const auto* check = std::get_if<ir::Reachability>(&label))
    return check_holds(side, from, *check) != check->negated;
  if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    const TermId value = evaluate(side, from, assign->rhs);
    in_type(assign->lhs, value);
    this->assign(side, to, assign->lhs, value);
    return true;
  }
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    const TermId choice = terms_.make(TermKind::choice, to.choices++);
    SymbolSet members;
    const auto all = side.game.members(any->type);
    members.symbols.assign(all.begin(), all.end());
    sort_unique(members.symbols);
    if (members.empty()) return false;
    if (const auto it = choices_.find(choice); it == choices_.end() || !inside(members, it->second)) {
      std::vector<SymbolId>& known = choices_[choice].symbols;
      known.insert(known.end(), members.symbols.begin(), members.symbols.end());
      sort_unique(known);
      throw MoreChoices();
    }
    if (!assumptions_.decide(choice, members)) return false;
    in_type(any->lhs, choice);
    this->assign(side, to, any->lhs, choice);
    return true;
  }
  if (!play || !ir::is_tag(label)) return true;
  if (const auto* tag = std::get_if<ir::Tag>(&label)) {
    if (tag->symbol.value < artificial_.size() && artificial_[tag->symbol.value]) return true;
    to.tags.push_back(terms_.symbol(tag->symbol));
  } else {
    to.tags.push_back(variable(side, from, std::get<ir::TagVariable>(label).variable));
  }
  if (hides_) to.tags.push_back(variable(side, from, side.game.visible()));
  return true;
}

void SideBySide::spend() {
  if (effort_ == 0 || work_ == 0) {
    limited_ = true;
    throw TooHard();
  }
  --effort_;
  --work_;
}

void SideBySide::expand(Tree& tree, std::size_t walk, const Edges& edges) {
  tree.walks[walk].expanded = true;
  for (const EdgeId edge : edges) {
    spend();
    if (tree.walks.size() > kMostWalks) throw TooHard();
    Walk next;
    if (!step(tree, tree.walks[walk], edge, next)) continue;
    next.spare = tree.walks[walk].matched || tree.walks[walk].spare;
    tree.walks[walk].next.push_back(tree.walks.size());
    tree.walks.push_back(std::move(next));
  }
}

bool SideBySide::covered(Tree& tree, std::size_t walk) const {
  const Walk& here = tree.walks[walk];
  if (here.matched) return true;
  if (walk > 0) tree.open.push_back(walk);
  bool all = here.expanded;
  for (const std::size_t next : here.next) all = covered(tree, next) && all;
  return all;
}

bool SideBySide::match(const Pair& from, const Walk& after, const Walk& before, bool deep, std::set<Pair>& used) {
  const Pair pair{after.node, before.node, from.after_target, from.before_target, kNone};
  if (after.move_ends != before.move_ends || !partners(pair)) return false;
  if (pair.after_target.valid() && pair.after == pair.after_target) return true;
  spend();
  const auto same = [&](TermId a, TermId b) {
    return a == b || (deep ? assumptions_.equal(a, b) : assumptions_.reduce(a) == assumptions_.reduce(b));
  };
  if (!std::ranges::equal(after.tags, before.tags, same)) return false;
  for (std::uint32_t delay = kNone; delay == kNone || delay < delays_.size(); ++delay) {
    const Pair to{pair.after, pair.before, pair.after_target, pair.before_target, delay};
    if (banned_.contains(to) || !agree(to, after, before, deep)) continue;
    used.insert(to);
    return true;
  }
  return false;
}

// Whether the walks agree on all variables that the game after needs.
bool SideBySide::agree(const Pair& pair, const Walk& after, const Walk& before, bool deep) {
  bool agree = true;
  const auto compare_values = [&](std::size_t v) {
    if (!agree) return;
    const TermId now = without_unread(after.node, VarId(v), variable(after_, after, VarId(v)));
    if (pair.delay != kNone && delays_[pair.delay].first == VarId(v)) {
      Walk moved = before;
      set(moved, VarId(v), now);
      const TermId expected = evaluate(before_, moved, delays_[pair.delay].second);
      agree = assumptions_.reduce(expected) == assumptions_.reduce(variable(before_, before, VarId(v)));
      return;
    }
    const TermId then =
        without_unread(after.node, VarId(v), origin(VarId(v), before.node, pair.before_target, &before));
    agree =
        now == then || (deep ? assumptions_.equal(now, then) : assumptions_.reduce(now) == assumptions_.reduce(then));
  };
  const Bits& live = after_.needs.until(pair.after_target).live(after.node);
  if (pair.delay != kNone) {
    const VarId delayed = delays_[pair.delay].first;
    if (!live.contains(delayed.value)) return false;
    compare_values(delayed.value);
    if (!agree) return false;
  }
  for (const std::size_t v : live) compare_values(v);
  if (agree && after.move_ends) compare_values(after_.game.player().value);
  return agree;
}

bool SideBySide::compare(const Pair& pair, const Question& question, std::set<Pair>& used) {
  Tree now{after_, {Walk{pair.after}}, pair.after_target, pair.before_target, question.of_after};
  Tree then{before_, {Walk{pair.before}}, pair.before_target, pair.after_target, question.of_before};
  expand(now, 0, question.after);
  expand(then, 0, question.before);
  bool deep = false;
  for (;;) {
    for (Tree* tree : {&now, &then}) {
      tree->open.clear();
      tree->done = covered(*tree, 0) || !tree->asked;
      std::ranges::sort(tree->open);
    }
    if (now.done && then.done) return true;
    bool matched = false;
    for (Tree* tree : {&now, &then}) {
      if (!tree->asked) continue;
      const std::vector<Walk>& others = tree == &now ? then.walks : now.walks;
      for (const std::size_t i : tree->open) {
        Walk& walk = tree->walks[i];
        // Each two walks are compared once, and once more in depth.
        for (std::size_t& k = walk.tried[deep ? 1 : 0]; k < others.size() && !walk.matched; ++k) {
          walk.matched =
              tree == &now ? match(pair, walk, others[k], deep, used) : match(pair, others[k], walk, deep, used);
          walk.late = walk.matched && k == 0;
        }
        matched |= walk.matched;
      }
    }
    if (matched) continue;
    // Walks at nodes of one game alone go on first, with those of the other game that are late; then all, at first
    // those that are not asked for.
    bool moved = false;
    for (const int stage : {0, 1, 2}) {
      if (moved || (stage > 0 && !deep)) break;
      for (Tree* tree : {&now, &then}) {
        if (stage == 1 && tree->asked) continue;
        const bool others_open = !(tree == &now ? then : now).done;
        for (std::size_t i = 0, size = tree->walks.size(); i < size; ++i) {
          const Walk& walk = tree->walks[i];
          if (walk.expanded || ends(*tree, walk)) continue;
          const bool is_open = std::ranges::binary_search(tree->open, i);
          const bool may = stage > 0 || walk.late || !shared(*tree, walk);
          if (!may || !(walk.matched || walk.spare ? others_open : is_open)) continue;
          expand(*tree, i, tree->side.game.graph.out_edge_list(walk.node));
          moved = true;
        }
      }
    }
    if (!moved && deep) return false;
    deep = !moved;
  }
}

bool SideBySide::by_cases(const Pair& pair, const Question& question, const Assumptions& assumptions,
                          std::set<Pair>& used) {
  assumptions_ = assumptions;
  nested_ = 0;
  Split split;
  spend();
  try {
    return compare(pair, question, used);
  } catch (const Split& open) {
    split = open;
  }
  for (const bool answer : {true, false}) {
    Assumptions next = assumptions;
    if (next.add(split, answer) && !by_cases(pair, question, next, used)) return false;
  }
  return true;
}

TermId SideBySide::value_by(const Side& side, const Facts::Condition& condition, VarId variable) {
  Walk here{side.after ? root_after_ : root_};
  if (condition.inner != kNone) {
    const Facts::Condition& inner = side.facts.condition(condition.inner);
    set(here, condition.variable, value_by(side, inner, condition.variable));
  }
  return evaluate(side, here, side.facts.equal_to(variable, condition));
}

// What is known of the states at a pair: the facts of both games. Of the game after, they count for the needed
// variables, because the games may differ in others.
Assumptions SideBySide::at(const Pair& pair) {
  Assumptions known(terms_);
  terms_.begin_at(before_.facts, pair.before);
  const auto assume = [&](Side& side, NodeId node, const Facts::Condition& condition) {
    const auto& [left, right, negated] = condition.compare;
    if (!side.game.is_set(side.game.expressions().type(left))) return;
    const Walk here{node};
    TermId lhs = evaluate(side, here, left);
    TermId rhs = condition.inner == kNone ? evaluate(side, here, right) : value_by(side, condition, condition.variable);
    if (terms_.is(lhs, TermKind::symbol)) std::swap(lhs, rhs);
    if (terms_.is(rhs, TermKind::symbol)) {
      const SymbolSet values{{SymbolId(terms_.row(rhs).a)}, negated};
      known.restrict_to(lhs, values);
    } else {
      known.equate(lhs, rhs, !negated);
    }
  };
  before_.facts.for_each_condition(pair.before, [&](const Facts::Condition& c) { assume(before_, pair.before, c); });
  const Bits& live = after_.needs.until(pair.after_target).live(pair.after);
  after_.facts.for_each_condition(pair.after, [&](const Facts::Condition& c) {
    bool counts = true;
    after_.facts.for_each_read(c, [&](VarId v) { counts = counts && live.contains(v.value); });
    if (counts) assume(after_, pair.after, c);
  });
  return known;
}

bool SideBySide::keeps_unread(const Pair& from, const Pair& to, const ir::Label& label) const {
  const auto it = unread_.find(from.after);
  if (it == unread_.end()) return true;
  const auto has_all = [&](NodeId node) {
    const auto there = unread_.find(node);
    return there != unread_.end() && std::ranges::includes(there->second, it->second);
  };
  const VarId written = ir::written_variable(after_.game, label);
  const auto* check = std::get_if<ir::Reachability>(&label);
  if (!has_all(to.after) || (check != nullptr && !has_all(check->from))) return false;
  return std::ranges::none_of(it->second, [&](std::size_t i) {
    const VarId map = cells_[i].variable;
    return map == written || (ir::is_tag(label) && map == after_.game.visible()) || ir::reads(after_.game, label, map);
  });
}

// Edges with the same label between paired nodes need no walks: the states of a pair agree on all that the label reads,
// so both pass it or neither does, and they agree behind it.
bool SideBySide::same_label(const Pair& from, const Pair& to, EdgeId after, EdgeId before, std::set<Pair>& used) {
  const ir::Label& now = after_.game.graph.label(after);
  const ir::Label& then = before_.game.graph.label(before);
  if (!partners(to) || banned_.contains(to) || now.index() != then.index()) return false;
  if (const auto* check = std::get_if<ir::Reachability>(&then)) {
    const auto& other = std::get<ir::Reachability>(now);
    const std::pair key(counterpart(check->from), counterpart(check->to));
    if (key != std::pair(other.from, other.to) || check->negated != other.negated || !in_both(key)) return false;
    used.insert({key.first, check->from, key.second, check->to});
  } else if (now != then && ir::canonical(after_.game, now) != ir::canonical(before_.game, then)) {
    return false;
  } else if (const auto* any = std::get_if<ir::AssignAny>(&now)) {
    if (!std::ranges::equal(after_.game.members(any->type), before_.game.members(any->type))) return false;
  }
  const VarId assigned = ir::written_variable(after_.game, now);
  if (!keeps_unread(from, to, now) || (assigned.valid() && doubtful_.contains(assigned))) return false;
  // Variables with another origin or a delay are compared as terms.
  if (origins_.empty() && from.delay == kNone) return true;
  bool own = true;
  if (from.delay != kNone) {
    const VarId delayed = delays_[from.delay].first;
    const ExprId value = delays_[from.delay].second;
    own = !ir::reads(after_.game, now, delayed) && !std::holds_alternative<ir::Reachability>(now) &&
          !(assigned.valid() && ir::reads(before_.game, value, assigned));
  }
  const auto look = [&](VarId v) { own = own && !origins_.contains(v); };
  ir::for_each_read(after_.game, now, look);
  if (assigned.valid()) look(assigned);
  for (const Pair& pair : {from, to})
    for (const std::size_t v : after_.needs.until(pair.after_target).live(pair.after)) look(VarId(v));
  return own;
}

// Leaves the edges that differ. An edge corresponds to an equal one that leads to a paired node. `skip`: an empty edge
// without such a partner is replaced by the edges behind it.
void SideBySide::match_edges(const Pair& pair, Edges& after, Edges& before, bool skip, std::set<Pair>& used) {
  Tree now{after_, {}, pair.after_target, pair.before_target}, then{before_, {}, pair.before_target, pair.after_target};
  std::set<EdgeId> met_after, met_before;
  std::set<NodeId> skipped[2];
  const auto unfold_empty = [&](const Tree& tree, Edges& edges, const std::set<EdgeId>& met,
                                std::set<NodeId>& skipped) {
    const ir::Automaton& graph = tree.side.game.graph;
    Edges more;
    const bool any = std::erase_if(edges, [&](EdgeId edge) {
      const NodeId next = graph.target(edge);
      if (met.contains(edge) || !std::holds_alternative<ir::Empty>(graph.label(edge)) || ends(tree, {next}))
        return false;
      if (skipped.insert(next).second) std::ranges::copy(useful_edges(tree, next), std::back_inserter(more));
      return true;
    });
    edges.insert(edges.end(), more.begin(), more.end());
    return any;
  };
  for (bool again = true; again;) {
    for (const EdgeId edge : after) {
      for (const EdgeId other : before) {
        if (met_after.contains(edge) && met_before.contains(other)) continue;
        const Pair to{after_.game.graph.target(edge), before_.game.graph.target(other), pair.after_target,
                      pair.before_target, pair.delay};
        if (!same_label(pair, to, edge, other, used)) continue;
        used.insert(to);
        met_after.insert(edge);
        met_before.insert(other);
      }
    }
    again = skip && unfold_empty(now, after, met_after, skipped[0]);
    again |= skip && unfold_empty(then, before, met_before, skipped[1]);
  }
  std::erase_if(after, [&](EdgeId edge) { return met_after.contains(edge); });
  std::erase_if(before, [&](EdgeId edge) { return met_before.contains(edge); });
}

// The edges that lead to a node that matters, or end a move.
SideBySide::Edges SideBySide::useful_edges(const Tree& tree, NodeId node) {
  const ir::Automaton& graph = tree.side.game.graph;
  const Needs::At& needs = tree.side.needs.until(tree.target);
  Edges edges = graph.out_edge_list(node);
  std::erase_if(edges, [&](EdgeId edge) {
    const bool move_ends = !tree.target.valid() && tree.side.game.is_player_assignment(graph.label(edge));
    return !move_ends && !needs.matters(graph.target(edge));
  });
  return edges;
}

bool SideBySide::correspond(const Pair& pair, std::set<Pair>& used) {
  const bool there = pair.after_target.valid() && pair.after == pair.after_target;
  if (there || (pair.before_target.valid() && pair.before == pair.before_target))
    return there && pair.before == pair.before_target;
  root_ = pair.before;
  root_after_ = pair.after;
  root_target_ = pair.before_target;
  delay_ = pair.delay;
  used_ = &used;
  limited_ = false;
  known_.reset();
  Edges after = useful_edges({after_, {}, pair.after_target, pair.before_target}, pair.after);
  Edges before = useful_edges({before_, {}, pair.before_target, pair.after_target}, pair.before);
  const Edges all_after = after, all_before = before;
  match_edges(pair, after, before, false, used);
  if (after.empty() && before.empty()) return true;
  std::vector<Question> refuted;
  const auto tried = [&](const Question& question, std::size_t effort) {
    if (std::ranges::find(refuted, question) != refuted.end()) return false;
    const std::set<Pair> matched = used;
    const bool was_limited = std::exchange(limited_, false);
    bool found = false;
    for (const bool concrete : {false, true}) {
      if (found || (concrete && !terms_.asked_for_concrete())) break;
      terms_.set_concrete(concrete);
      found = correspond(pair, question, effort, used);
      if (!found) used = matched;
    }
    if (!found && !limited_) refuted.push_back(question);
    limited_ = limited_ || was_limited;
    return found;
  };
  // Edges with one number are compared alone, so that the conditions of others open no cases; then each edge with all
  // of the other game.
  // Where there is another way.
  const std::size_t small = std::min<std::size_t>(500, most_effort_ / 2);
  const std::size_t middle = std::min<std::size_t>(2'000, most_effort_);
  const std::size_t left = after.size() + before.size();
  if (left <= 4 && tried({after, before}, left == 2 ? most_effort_ : middle)) return true;
  if (after.size() != 1 || before.size() != 1) {
    Edges rest;
    const auto among = [](EdgeId edge, const Edges& edges) { return std::ranges::find(edges, edge) != edges.end(); };
    for (const EdgeId edge : after)
      if (!among(edge, before) || !tried({{edge}, {edge}}, small)) rest.push_back(edge);
    std::erase_if(before, [&](EdgeId edge) { return among(edge, after) && !among(edge, rest); });
    after = rest;
    match_edges(pair, after, before, true, used);
    const std::set<Pair> matched = used;
    const auto all_met = [&](const Side& side, const Edges& edges, const Edges& others, const Edges& all_others) {
      return std::ranges::all_of(edges, [&](EdgeId edge) {
        Edges alike = all_others;
        const ir::Label& label = side.game.graph.label(edge);
        const ir::Automaton& graph = (side.after ? before_ : after_).game.graph;
        std::erase_if(alike, [&](EdgeId other) { return graph.label(other) != label; });
        for (const Edges* to : {static_cast<const Edges*>(&alike), &others, &all_others}) {
          if (to->empty()) continue;
          const Question question =
              side.after ? Question{{edge}, *to, true, false} : Question{*to, {edge}, false, true};
          if (tried(question, to == &all_others ? most_effort_ : middle)) return true;
        }
        return false;
      });
    };
    if (all_met(after_, after, before, all_before) && all_met(before_, before, after, all_after)) return true;
    used = matched;
    if (tried({after, before}, most_effort_)) return true;
  }
  used.clear();
  return tried({all_after, all_before}, most_effort_);
}

// Choices are compared value by value: the same value is taken by both games. All values of all choices count.
bool SideBySide::correspond(const Pair& pair, const Question& question, std::size_t effort, std::set<Pair>& used) {
  choices_.clear();
  for (;;) {
    effort_ = effort;
    try {
      if (!known_) known_ = at(pair);
      terms_.choose(choices_);
      return by_cases(pair, question, *known_, used);
    } catch (const MoreChoices&) {
    } catch (const TooHard&) {
      return false;
    }
  }
}

bool SideBySide::same_begin() {
  const NodeId begin = before_.game.begin();
  root_ = begin;
  delay_ = kNone;
  Walk initial{begin};
  for (const VarId v : before_.game.living_variables()) set(initial, v, terms_.value(before_.game.variable(v).initial));
  bool same = true;
  Bits live = after_.needs.until({}).live(after_.game.begin());
  live.set(after_.game.player().value);
  for (const std::size_t v : live)
    same = same && origin(VarId(v), begin, {}, &initial) == terms_.value(after_.game.variable(VarId(v)).initial);
  return same;
}

}  // namespace rgtrans::certificate
