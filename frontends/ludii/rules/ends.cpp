// The end of a game: conditions, results, ranks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

// The goal of a rank, where 1 is the best of n players.
int goal_of(double rank, int n) {
  return static_cast<int>(std::lround(100 * (n - std::clamp<double>(rank, 1, n)) / std::max(1, n - 1)));
}

}  // namespace

std::vector<SymbolId> Lowering::all_goals() {
  std::vector<SymbolId> result = {symbol(50)};
  for (int twice = 2; twice <= 2 * n_; ++twice) {
    const SymbolId goal = symbol(goal_of(twice / 2.0, n_));
    if (std::ranges::find(result, goal) == result.end()) result.push_back(goal);
  }
  return result;
}

NodeId Lowering::end_rules(const Node& end, NodeId at, const Env& env) {
  const Node& list = end.items.empty() ? end : end.item(0);
  for (const Node& rule : list.is_array() ? std::span(list.items) : std::span(end.items)) {
    const NodeId next = node();
    guarded([&] { jump(end_rule(rule, at, env), next); });
    at = next;
  }
  return at;
}

// Returns the node of a play that goes on.
NodeId Lowering::end_rule(const Node& rule, NodeId at, const Env& env) {
  where_ = rule.where;
  if (rule.is_clause("forEach")) {
    const Call call(rule, "forEach", "[role] [word] if:bool any");
    if (call["word"] != nullptr ||
        (call["role"] != nullptr && !call["role"]->is_word("Player") && !call["role"]->is_word("NonMover")))
      refuse(rule);
    const bool others_only = call["role"] != nullptr && call["role"]->is_word("NonMover");
    for (const int p : players_) {
      if (others_only && p == env.mover) continue;
      const Env inner = env.with(Slot::player, constant(p));
      const NodeId yes = node(), no = node();
      ask(call.need("if"), at, yes, no, inner);
      jump(result(call.need("any"), yes, inner), no);
      at = no;
    }
    return at;
  }
  if (!rule.is_clause("if") || rule.items.empty()) refuse(rule);
  const NodeId open = node(), yes = node();
  ask(rule.item(0), at, yes, open, env);
  const std::span<const Node> rest(rule.items.data() + 1, rule.items.size() - 1);
  NodeId here = yes;
  bool has_parts = false;
  for (const Node& item : rest) {
    for (const Node& part : item.each()) {
      if (part.is_clause("if")) {
        has_parts = true;
        here = end_rule(part, here, env);
      } else if (has_parts && part.is_clause("byScore")) {
        // Ludii ignores it there.
      } else {
        here = result(part, here, env);
      }
    }
  }
  jump(here, open);
  return open;
}

NodeId Lowering::result(const Node& clause, NodeId at, const Env& env) {
  where_ = clause.where;
  if (clause.is_clause("byScore")) return by_score(clause, at, env);
  if (!clause.is_clause("result") || clause.items.size() != 2) refuse(clause);
  const Node &who = clause.item(0), &what_ = clause.item(1);
  const NodeId open = node();
  // A result belongs to a single player.
  if (!is_role(who) || who.is_word("Each") || who.is_word("Shared") || who.is_word("Neutral") || who.is_word("Enemy") ||
      who.is_word("NonMover") || who.is_word("Friend") || who.is_word("Ally"))
    refuse(who);
  if (what_.is_word("Draw") || what_.is_word("Tie")) {
    if (who.text.starts_with("Team")) refuse(clause);
    if (!who.is_word("All")) {
      const Value named = player(who, env, at);
      if (std::ranges::any_of(named.domain, [this](int p) { return p < 1 || p > n_; })) refuse(who);
      if (may_eliminate_) {
        const NodeId active = node();
        ask_active(at, active, open, named.expr);
        at = active;
      }
    }
    jump(at, drawn());
    return open;
  }
  const bool wins = what_.is_word("Win");
  if (!wins && !what_.is_word("Loss")) refuse(what_);
  if (who.is_word("All") || who.text.starts_with("Team")) refuse(who);
  NodeId here = at;
  const Value player_ = player(who, env, here);
  for (const int p : player_.domain) {
    const NodeId one = player_.constant ? here : check(here, player_, p);
    if (p < 1 || p > n_) {
      jump(one, open);
      continue;
    }
    if (n_ > 2) {
      jump(eliminate(p, wins, one), open);
      continue;
    }
    std::vector<double> ranks(static_cast<std::size_t>(n_), wins ? 2 : 1);
    ranks[nth(p - 1)] = wins ? 1 : n_;
    if (n_ == 1) ranks[0] = wins ? 0 : 1;
    finish(ranks, one);
  }
  return open;
}

NodeId Lowering::set_goal(NodeId at, int player, const Value& goal) {
  return assign(at, g_.access(goals(), g_.symbol(player_symbols_[nth(player - 1)])), goal.expr);
}

// The next player of those who are still in the play.
NodeId Lowering::name_next(NodeId at, int after) {
  if (!may_eliminate_) return assign(at, next_.expr, number(others(after)));
  const NodeId behind = node();
  for (int p = others(after); p != after; p = others(p)) {
    const NodeId active = node(), other = node();
    ask_active(at, active, other, number(p));
    edge(active, behind, ir::Assign{next_.expr, number(p)});
    at = other;
  }
  edge(at, behind, ir::Assign{next_.expr, number(after)});
  return behind;
}

// Gives each of those who are still in the play the goal.
NodeId Lowering::give_rest(NodeId at, const Value& goal) {
  for (const int p : players_) {
    at = when(at, equals(marked(active_, constant(p)), 1), [&](NodeId active) { return set_goal(active, p, goal); });
  }
  return at;
}

// One of several players leaves the play. Returns the node of a play that goes on.
NodeId Lowering::eliminate(int player, bool wins, NodeId at) {
  const NodeId open = node(), active = node();
  ask_active(at, active, open, number(player));
  at = assign(active, g_.access(active_, number(player)), number(0));
  if (wins) {
    at = set_goal(at, player, table(winners_, [this](int w) { return goal_of(w + 1, n_); }));
    at = assign(at, winners_.expr, table(winners_, [this](int w) { return std::min(w + 1, n_); }).expr);
  } else {
    at = assign(at, g_.access(lost_now_, number(player)), number(1));
    at = assign(at, losers_.expr, table(losers_, [this](int l) { return std::min(l + 1, n_); }).expr);
    // Those who lose at once share their ranks.
    const Value shared = table(losers_before_, losers_, [this](int before, int now) {
      return goal_of(n_ - before - std::max(0, now - before - 1) / 2.0, n_);
    });
    for (const int p : players_) {
      at = when(at, equals(marked(lost_now_, constant(p)), 1), [&](NodeId lost) { return set_goal(lost, p, shared); });
    }
    at = when(at, equals(next_, player), [&](NodeId was_next) { return name_next(was_next, player); });
  }
  // The last one takes the best rank that is left.
  const NodeId last = node();
  ask_test(table(winners_, losers_, [this](int w, int l) { return n_ - w - l; }), at, last, open,
           [](int left) { return left <= 1; });
  end_play(give_rest(last, table(winners_, [this](int w) { return goal_of(w + 1, n_); })));
  return open;
}

void Lowering::end_play(NodeId at) { edge(at, g_.end(), ir::Assign{mover(), g_.symbol(g_.keeper())}); }

NodeId Lowering::by_score(const Node& clause, NodeId at, const Env& env) {
  const Call call(clause, "byScore", "[array] [misere:flag]");
  const NodeId open = node();
  NodeId here = at;
  if (call["array"] != nullptr) {
    for (const Node& item : call["array"]->items) {
      const Call score(item, "score", "player int");
      const Value who = player(score.need("player"), env, here);
      const Value amount = integer(score.need("int"), env, here);
      here = store(here, "score", g_.access(scores_, who.expr), amount);
    }
  }
  if (!scores_.valid() || may_eliminate_) refuse(clause);
  const auto score_of = [&](int p) { return value_of(g_.access(scores_, number(p)), domain("score")); };
  const bool misere = call.flag("misere");
  if (n_ == 1) {
    // The only player is the best one.
    finish({0}, here);
    return open;
  }
  const auto ask_better = [&](int a, int b, NodeId from, const std::array<NodeId, 3>& ends) {
    const Value first = score_of(a), second = score_of(b);
    ask_order(first, second, from, ends[misere ? 2 : 0], ends[1], ends[misere ? 0 : 2]);
  };
  if (n_ == 2) {
    const std::array<NodeId, 3> ends = {node(), node(), node()};
    ask_better(1, 2, here, ends);
    finish({2, 1}, ends[0]);
    finish({1.5, 1.5}, ends[1]);
    finish({1, 2}, ends[2]);
    return open;
  }
  // Each better player costs a rank, and each equal one half of a rank.
  const std::vector<int> halves = ascending(2, 2 * n_);
  for (const int p : players_) {
    const Value rank = temporary(constant(2), here, halves);
    for (const int q : players_) {
      if (p == q) continue;
      const std::array<NodeId, 3> ends = {node(), node(), node()};
      ask_better(p, q, here, ends);
      const auto worse = [&](NodeId at_, int by) {
        return assign(at_, rank.expr, table(rank, [&](int r) { return std::min(r + by, 2 * n_); }).expr);
      };
      jump(worse(ends[0], 2), ends[2]);
      jump(worse(ends[1], 1), ends[2]);
      here = ends[2];
    }
    here = set_goal(here, p, table(rank, [this](int r) { return goal_of(r / 2.0, n_); }));
  }
  end_play(here);
  return open;
}

void Lowering::finish(const std::vector<double>& ranks, NodeId at) {
  std::vector<int> goals_;
  for (const double rank : ranks) goals_.push_back(n_ == 1 ? (rank == 0 ? 100 : 0) : goal_of(rank, n_));
  if (has_swap_ && goals_[0] != goals_[1]) {
    const NodeId as_before = node(), exchanged = node();
    ask_equal(at, exchanged, as_before, swapped_, 1);
    finish_with({goals_[1], goals_[0]}, exchanged);
    return finish_with(goals_, as_before);
  }
  finish_with(goals_, at);
}

void Lowering::finish_with(const std::vector<int>& goals_, NodeId at) {
  NodeId& target = finished_[goals_];
  if (!target.valid()) {
    target = node();
    NodeId here = target;
    for (std::size_t i = 0; i < goals_.size(); ++i)
      here = assign(here, g_.access(goals(), g_.symbol(player_symbols_[i])), number(goals_[i]));
    end_play(here);
  }
  jump(at, target);
}

NodeId Lowering::drawn() {
  if (!drawn_.valid()) {
    drawn_ = node();
    end_play(!may_eliminate_ ? drawn_ : give_rest(drawn_, table(winners_, losers_, [this](int w, int l) {
                                                    return goal_of((std::max(0, n_ - w - l) + 1) / 2.0 + w, n_);
                                                  })));
  }
  return drawn_;
}

}  // namespace rgtrans::ludii
