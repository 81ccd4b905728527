// Scores of a plan. RG has no numbers, so each score needs a range. A score that every turn sets anew needs no
// variable: its value is computed where it is read. For other scores, ranges are propagated along the turns. An end
// rule that certainly applies above some value bounds the range.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/plan.hpp"

namespace rgtrans::ludax {

using EffectKind = ast::Effect::Kind;

namespace {

constexpr std::int64_t kLargestScore = 10'000;  // every value becomes a symbol
constexpr std::int64_t kStandardLimit = 1'000;
constexpr int kRounds = 20'000;

using Ranges = std::array<Interval, 2>;

bool mentions_score(const Linear& value, Player player) {
  bool found = false;
  for_each_atom(value,
                [&](const Atom& atom) { found = found || (atom.kind == Atom::Kind::score && atom.player == player); });
  return found;
}
bool mentions_score(const Condition& condition, Player player) {
  bool found = false;
  for_each_atom(condition,
                [&](const Atom& atom) { found = found || (atom.kind == Atom::Kind::score && atom.player == player); });
  return found;
}

Interval joined(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace

// --- Scores that every turn sets. ---

// The score when the end rules of the turn are tested, if it can be computed without a variable.
std::optional<Linear> Plan::derived_score(const Turn& turn, Player player) const {
  std::optional<Linear> value;
  for (const Effect& effect : turn.effects) {
    switch (effect.kind) {
      case EffectKind::set_score:
        if (effect.player != player) break;
        if (mentions_score(effect.value, Player::p1) || mentions_score(effect.value, Player::p2)) return std::nullopt;
        value = effect.value;
        break;
      case EffectKind::increment_score:
        if (effect.player == player) value.reset();
        break;
      case EffectKind::capture:
      case EffectKind::flip:  // the board changes
        value.reset();
        break;
    }
  }
  return value;
}

// Whether the turn reads the score before its end rules are tested.
bool Plan::reads_score(const Turn& turn, Player player) const {
  return (turn.result && mentions_score(*turn.result, player)) ||
         std::ranges::any_of(turn.effects, [&](const Effect& effect) { return mentions_score(effect.value, player); });
}

void Plan::derive_scores() {
  for (Player player : kPlayers) {
    std::vector<std::optional<Linear>> values;
    bool variable = false;
    for (const Turn& turn : turns) {
      values.push_back(derived_score(turn, player));
      variable = variable || reads_score(turn, player) || !values.back();
    }
    bool read = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      for (Rule& rule : turns[i].rules) {
        if (!variable) {
          const Replacement derived = [&](const Atom& atom) {
            return atom.kind == Atom::Kind::score && atom.player == player ? values[i] : std::nullopt;
          };
          rule.condition = replaced(rule.condition, derived);
          rule.lead = replaced(rule.lead, derived);
        }
        read = read || mentions_score(rule.condition, player) || mentions_score(rule.lead, player);
      }
      read = read || reads_score(turns[i], player);
    }
    if (variable && read) scores[index(player)] = Interval{};
  }
  // Removes effects on scores that are never read.
  for (Turn& turn : turns) {
    std::erase_if(turn.effects, [&](const Effect& effect) {
      return (effect.kind == EffectKind::set_score || effect.kind == EffectKind::increment_score) &&
             !scores[index(effect.player)];
    });
    for (Effect& effect : turn.effects) effect.scores = effect.scores && scores[index(turn.mover)].has_value();
  }
}

// --- Ranges. ---

// If an end rule certainly applies from some value on, play continues only below it; likewise from below.
void Plan::cap(const Turn& turn, Player player, Ranges& range) const {
  Interval& own = range[index(player)];
  const auto ends = [&](Interval assumed) {
    const Knowledge knowledge{[&](const Atom& atom) {
      return ludax::bounds(board, atom, [&](Player who) { return who == player ? assumed : range[index(who)]; });
    }};
    return certainly_ends(turn, knowledge);
  };
  // How many values from one side on certainly end the play: larger steps where they do, smaller ones at the border.
  const auto ending = [&](const auto& values_at) {
    std::int64_t count = 0;
    for (std::int64_t step = 1; step > 0 && count < own.high - own.low;) {
      step = std::min(step, own.high - own.low - count);
      const bool all = ends(values_at(count, step));
      count += all ? step : 0;
      step = all ? 2 * step : step / 2;
    }
    return count;
  };
  own.high -= ending([&](std::int64_t from, std::int64_t step) {
    return Interval{own.high - from - step + 1, own.high - from};
  });
  own.low += ending([&](std::int64_t from, std::int64_t step) {
    return Interval{own.low + from, own.low + from + step - 1};
  });
}

Ranges Plan::play_scores(const Turn& turn, Ranges before, Ranges& extremes,
                         const std::optional<std::int64_t>& limit) const {
  Ranges now = before;
  const Knowledge knowledge{
      [&](const Atom& atom) { return ludax::bounds(board, atom, [&](Player who) { return now[index(who)]; }); }};
  const auto put = [&](Player player, Interval range) {
    if (!scores[index(player)]) return;
    if (limit) range = {std::clamp(range.low, -*limit, *limit), std::clamp(range.high, -*limit, *limit)};
    now[index(player)] = range;
    extremes[index(player)] = joined(extremes[index(player)], range);
  };
  for (const Effect& effect : turn.effects) {
    const Interval& own = now[index(effect.player)];
    if (effect.kind == EffectKind::set_score) {
      put(effect.player, interval(effect.value, knowledge));
    } else if (effect.kind == EffectKind::increment_score) {
      const Interval gain = interval(effect.value, knowledge);
      put(effect.player, {own.low + gain.low, own.high + gain.high});
    } else if (effect.scores) {
      const Interval& mover = now[index(turn.mover)];
      put(turn.mover, {mover.low, mover.high + most_cells(board, effect.mask)});
    }
  }
  for (Player player : kPlayers) {
    if (scores[index(player)]) cap(turn, player, now);
  }
  return now;
}

// Returns false if the ranges grow without bound.
bool Plan::follow_scores(const std::optional<std::int64_t>& limit) {
  const std::optional<std::int64_t> longest = longest_play();
  std::vector<std::optional<Ranges>> at(positions.size());
  at[0] = Ranges{};
  Ranges extremes{};
  std::vector<bool> open(positions.size());  // the ranges there grew in the last round
  open[0] = true;
  bool changed = true;
  for (int round = 0; changed && (!longest || round < *longest); ++round) {
    changed = false;
    std::vector<std::optional<Ranges>> next = at;
    std::vector<bool> grown(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (!open[i]) continue;
      const Ranges after = play_scores(turns[positions[i].turn], *at[i], extremes, limit);
      std::optional<Ranges>& there = next[positions[i].next];
      const Ranges both = there ? Ranges{joined((*there)[0], after[0]), joined((*there)[1], after[1])} : after;
      if (both == there) continue;
      changed = grown[positions[i].next] = true;
      there = both;
    }
    at = std::move(next);
    open = std::move(grown);
    for (const Interval& range : extremes) {
      if (std::max(range.high, -range.low) > kLargestScore) return false;
    }
    if (round == kRounds && changed) {
      if (!limit) return false;
      extremes.fill({-*limit, *limit});  // the ranges still grow, but no further than the limit
      break;
    }
  }
  for (std::size_t p = 0; p < 2; ++p) {
    if (scores[p]) scores[p] = extremes[p];
  }
  return true;
}

void Plan::bound_scores(const PlanOptions& options, Diagnostics& diagnostics) {
  if (!scores[0] && !scores[1]) return;
  if (follow_scores(options.score_limit)) return;
  const auto turn = std::ranges::find_if(turns, [](const Turn& t) { return !t.effects.empty(); });
  diagnostics.warning(
      turn->effects.front().where,
      fmt::format("scores have no bound that can be found; they are kept between -{0} and {0}", kStandardLimit),
      "--option score-limit=K keeps them between -K and K");
  follow_scores(kStandardLimit);
}

}  // namespace rgtrans::ludax
