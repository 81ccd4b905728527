// The end of a game: conditions, results, ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

// The goal of a rank, where 1 is the best of n players.
int goal_of(double rank, int n) { return static_cast<int>(std::lround(100 * (n - rank) / std::max(1, n - 1))); }

}  // namespace

std::vector<SymbolId> Lowering::all_goals() {
  std::vector<SymbolId> result = {DefinedOnce::number(50)};
  for (int twice = 2; twice <= 2 * n_; ++twice) {
    const SymbolId goal = DefinedOnce::number(goal_of(twice / 2.0, n_));
    if (std::ranges::find(result, goal) == result.end()) result.push_back(goal);
  }
  return result;
}

NodeId Lowering::end_rules(const Node& end, NodeId at, const Env& env) {
  const Node& list = end.items.empty() ? end : end.items.front();
  for (const Node& rule : list.is_array() ? std::span(list.items) : std::span(end.items)) {
    const NodeId next = node();
    guarded([&] { jump(end_rule(rule, at, next, env), next); });
    at = next;
  }
  return at;
}

// Returns the node of a play that goes on.
NodeId Lowering::end_rule(const Node& rule, NodeId at, NodeId, const Env& env) {
  where_ = rule.where;
  if (rule.is_clause("forEach")) {
    const Call call(rule, "forEach", "[role] [word] if:bool any");
    if (call["word"] != nullptr ||
        (call["role"] != nullptr && !call["role"]->is_word("Player") && !call["role"]->is_word("NonMover")))
      refuse(rule);
    const bool others_only = call["role"] != nullptr && call["role"]->is_word("NonMover");
    for (const int p : players_) {
      if (others_only && p == env.mover) continue;
      Env inner = env;
      inner[Slot::player] = constant(p);
      const NodeId yes = node(), no = node();
      ask(call.need("if"), at, yes, no, inner);
      jump(result(call.need("any"), yes, inner), no);
      at = no;
    }
    return at;
  }
  if (!rule.is_clause("if")) refuse(rule);
  const NodeId open = node(), yes = node();
  ask(rule.items.front(), at, yes, open, env);
  const std::span<const Node> rest(rule.items.data() + 1, rule.items.size() - 1);
  NodeId here = yes;
  bool has_parts = false;
  for (const Node& item : rest) {
    for (const Node& part : item.is_array() ? std::span(item.items) : std::span(&item, 1)) {
      if (part.is_clause("if")) {
        has_parts = true;
        here = end_rule(part, here, NodeId(), env);
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
  const Node &who = clause.items[0], &what_ = clause.items[1];
  const NodeId open = node();
  // A result belongs to a single player.
  if (!is_role(who) || who.is_word("Each") || who.is_word("Shared") || who.is_word("Neutral") || who.is_word("Enemy") ||
      who.is_word("NonMover") || who.is_word("Friend") || who.is_word("Ally"))
    refuse(who);
  if (what_.is_word("Draw") || what_.is_word("Tie")) {
    if (n_ > 2 || who.text.starts_with("Team")) refuse(clause);
    if (!who.is_word("All")) {
      const Value named = player(who, env, at);
      if (std::ranges::any_of(named.domain, [this](int p) { return p < 1 || p > n_; })) refuse(who);
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
    if (n_ > 2) refuse(clause);
    std::vector<double> ranks(static_cast<std::size_t>(n_), wins ? 2 : 1);
    ranks[static_cast<std::size_t>(p - 1)] = wins ? 1 : n_;
    if (n_ == 1) ranks[0] = wins ? 0 : 1;
    finish(ranks, one);
  }
  return open;
}

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
  if (!scores_.valid()) refuse(clause);
  const auto score_of = [&](int p) { return value_of(g_.access(scores_, number(p)), domain("score")); };
  const bool misere = call.flag("misere");
  if (n_ == 1) {
    // The only player is the best one.
    finish({0}, here);
    return open;
  }
  // The numbers of players with more and with as many points decide the rank.
  const std::function<void(std::vector<int>, std::size_t, NodeId)> compare = [&](std::vector<int> signs,
                                                                                 std::size_t pair, NodeId from) {
    std::vector<std::pair<int, int>> pairs;
    for (int a = 1; a <= n_; ++a) {
      for (int b = a + 1; b <= n_; ++b) pairs.emplace_back(a, b);
    }
    if (pair == pairs.size()) {
      std::vector<double> ranks;
      for (int p = 1; p <= n_; ++p) {
        int better = 0, equal = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          const int sign = signs[i] * (misere ? -1 : 1);
          if (pairs[i].first == p) {
            better += sign < 0 ? 1 : 0;
            equal += sign == 0 ? 1 : 0;
          } else if (pairs[i].second == p) {
            better += sign > 0 ? 1 : 0;
            equal += sign == 0 ? 1 : 0;
          }
        }
        ranks.push_back(1 + better + equal / 2.0);
      }
      return finish(ranks, from);
    }
    const Value a = score_of(pairs[pair].first), b = score_of(pairs[pair].second);
    limit_size(clause, a.domain.size() * b.domain.size());
    const Value sign = table(a, b, [](int x, int y) { return x < y ? -1 : x > y ? 1 : 0; });
    for (const int s : sign.domain) {
      std::vector<int> next = signs;
      next.push_back(s);
      compare(next, pair + 1, sign.constant ? from : check(from, sign, s));
    }
  };
  if (n_ > 3) refuse(clause);
  compare({}, 0, here);
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
    edge(here, g_.end(), ir::Assign{mover(), g_.symbol(g_.keeper())});
  }
  jump(at, target);
}

NodeId Lowering::drawn() {
  if (!drawn_.valid()) {
    drawn_ = node();
    edge(drawn_, g_.end(), ir::Assign{mover(), g_.symbol(g_.keeper())});
  }
  return drawn_;
}

}  // namespace rgtrans::ludii
