// The play: plies, phases, and the order in which a ply ends.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "frontends/ludii/rules/lower.hpp"
#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

// Not yet exact: the sites of triangles on a board with five sides.
bool has_five_sides(const Node& node) {
  return node.is_clause("tri") && node.begins_with_array() && node.item(0).items.size() == 5;
}

}  // namespace

Lowering::Lowering(const Description& description, const Equipment& equipment, ir::Game& game, Domains& domains)
    : DefinedOnce(game),
      d_(description),
      e_(equipment),
      g_(game),
      domains_(domains),
      statics_(equipment),
      n_(equipment.player_count()) {
  where_ = description.rules->where;
  if (n_ == 0) throw Refused(description.players->where, "`(players 0)` is not translated yet");
  for (int p = 1; p <= n_; ++p) {
    players_.push_back(p);
    player_symbols_.push_back(game.symbols.intern(fmt::format("P{}", p)));
  }
  player_keys_ = players_;
  player_keys_.insert(player_keys_.begin(), 0);
  player_keys_.insert(player_keys_.begin(), kOff);
  player_keys_.push_back(n_ + 1);
  std::vector<SymbolId> goals_ = {symbol(50), symbol(0), symbol(100)};
  if (n_ > 2) goals_ = all_goals();
  declare_play(player_symbols_, goals_);
  places_.push_back(kOff);
  for (int site = 0; site < e_.site_end(); ++site) {
    if (!e_.is_site(site)) continue;
    places_.push_back(site);
    all_sites_.push_back(site);
  }
  for (int i = 0; i <= static_cast<int>(e_.components.size()); ++i) pieces_.push_back(i);
}

void Lowering::record(const Refused& refused) {
  if (!refused_.emplace(refused.what(), 0).second) return;
  refusals_.push_back({refused.where, refused.what(), refused.hint});
}

void Lowering::read_rules() {
  if (d_.mode != nullptr && !d_.mode->items.empty() && !d_.mode->item(0).is_word("Alternating")) refuse(*d_.mode);
  if (e_.large_stacks) record({e_.where->where, "`largeStack` is not translated yet"});
  if (e_.boardless) record({e_.where->where, "`(boardless` is not translated yet"});
  std::set<int> owners;
  bool one_each = true, plain_numbers = true;
  for (std::size_t i = 0; i < e_.components.size(); ++i) {
    const Component& one = e_.components[i];
    if (one.is_large || one.where->is_clause("tile")) record({one.where->where, "`(tile` is not translated yet"});
    one_each = owners.insert(one.owner).second && one_each;
    plain_numbers = plain_numbers && one.owner == static_cast<int>(i) + 1;
  }
  // Such a game stores one number for piece and owner, which changes what (who …) gives.
  if (one_each && !plain_numbers && e_.use == SiteType::cell && mentions("who"))
    record({e_.where->where, "the owners of these pieces are not translated yet",
            "each player has one kind of piece, and their order differs"});
  // Constructs with an effect on the whole game.
  static constexpr std::array<std::string_view, 7> kWords = {"Hidden", "rotation", "Rotation", "Domino",
                                                             "replay", "Team",     "rotations"};
  for (const std::string_view word : kWords) {
    if (mentions(word) && (word != "Team" || mentions_clause("set", "Team")) &&
        (word != "rotations" || mentions_clause("rotations")))
      record({d_.rules->where, fmt::format("`{}` is not translated yet", word)});
  }
  // Not yet exact: the order of the sites that have equal places before the turn decides about labels.
  if (mentions_clause("merge") && mentions_clause("rotate") && mentions("coord"))
    record({e_.where->where, "`(merge` with `(rotate` is not translated yet where labels matter"});
  if (d_.equipment->find(has_five_sides) != nullptr)
    record({e_.where->where, "`(tri` with five sides is not translated yet"});
  read_stacks();
  if (e_.has_dice) read_dice();
  const Call call(*d_.rules, "rules", "[meta] [start] [play] [phases:array] [end]");
  play_ = call["play"];
  end_ = call["end"];
  meta_ = call["meta"];
  if (meta_ != nullptr) {
    for (const Node& item : meta_->items) {
      for (const Node& rule : item.each()) {
        if (rule.is_clause("swap") && n_ == 2) {
          has_swap_ = true;
        } else if (!rule.is_clause("passEnd"))
          record({rule.where, fmt::format("`{}` is not translated yet", rule.shown())});
      }
    }
  }
  if (call["start"] != nullptr) {
    for (const Node& rule : call["start"]->items) guarded([&] { start_rule(rule, {}); });
  }
  if (call["phases"] == nullptr) {
    phases_.push_back({"", std::nullopt, play_, nullptr, {}});
  } else {
    for (const Node& item : call["phases"]->items) read_phase(item);
  }
  for (Phase& phase : phases_) {
    if (phase.play == nullptr || phase.play->items.size() != 1)
      throw Refused(d_.rules->where, "the rules have no (play …)");
    phase.play = &phase.play->item(0);
  }
  read_state();
  refuse_open_bounds();
  if (phases_.size() > 1) {
    for (const int p : players_) {
      int first = 0;
      while (first + 1 < static_cast<int>(phases_.size()) && phases_[nth(first)].owner &&
             phases_[nth(first)].owner != p)
        ++first;
      phase_of_.push_back(found(fmt::format("phase_{}", p), first));
    }
  }
}

void Lowering::read_phase(const Node& item) {
  const Call call(item, "phase", "str [role] [mode] [play] [end] [nextPhase] [array]");
  if (call["mode"] != nullptr) refuse(*call["mode"]);
  Phase phase{call.need("str").text, std::nullopt, call["play"], call["end"], {}};
  if (const Node* const role = call["role"]; role != nullptr && !role->is_word("Shared") && !role->is_word("All"))
    phase.owner = statics_.role(role->text, {});
  if (phase.play == nullptr) {
    phase.play = play_;
  } else if (play_ != nullptr) {
    // The moves of the phase, and those of all phases.
    Node both{Node::Kind::clause, play_->where, {}, "play", {}};
    Node list{Node::Kind::clause, play_->where, {}, "or", {phase.play->item(0), play_->item(0)}};
    both.items.push_back(std::move(list));
    phase.play = &keep(std::move(both));
  }
  if (call["nextPhase"] != nullptr) phase.next.push_back(call["nextPhase"]);
  if (call["array"] != nullptr) {
    for (const Node& next : call["array"]->items) phase.next.push_back(&next);
  }
  phases_.push_back(std::move(phase));
}

std::vector<Refusal> Lowering::run() {
  guarded([&] {
    read_rules();
    for (const int player : players_) begin_[player] = node();
    for (const int player : players_) lower_player(player);
    jump(g_.begin(), begin_[1]);
    auto words = std::make_shared<ir::Words>();
    const auto& sites = e_.topology->sites(e_.use);
    for (std::size_t i = 0; i < sites.size(); ++i)
      words->places[symbol(static_cast<int>(i))] = {sites[i].at.x, -sites[i].at.y};
    words->shape = ir::CellShape::point;
    words->asides.insert(asides_.begin(), asides_.end());
    g_.words = std::move(words);
  });
  return std::move(refusals_);
}

void Lowering::play_of_phase(int player, NodeId at, const std::function<void(const Node&, NodeId)>& body) {
  if (phases_.size() == 1) return body(*phases_.front().play, at);
  const Value& phase = phase_of_[nth(player - 1)];
  for (const int index : phase.domain) body(*phases_[nth(index)].play, check(at, phase, index));
}

void Lowering::lower_player(int player) {
  where_ = d_.rules->where;
  NodeId at = begin_[player];
  if (uses_next_) at = name_next(at, player);
  if (made_pass_.valid()) at = assign(at, made_pass_, number(0));
  if (named_next_.valid()) at = assign(at, named_next_, number(0));
  Env env;
  env.mover = player;
  at = throw_dice(player, at, env);
  env.thrown = true;
  const auto seat = [&](NodeId from, int number_) {
    return assign(from, mover(), g_.symbol(player_symbols_[nth(number_ - 1)]));
  };
  if (has_swap_) {
    const NodeId joined = node(), as_before = node(), exchanged = node();
    ask_equal(at, exchanged, as_before, swapped_, 1);
    jump(seat(as_before, player), joined);
    jump(seat(exchanged, others(player)), joined);
    at = joined;
  } else {
    at = seat(at, player);
  }
  const NodeId after = node(), stuck = node();
  play_of_phase(player, at, [&](const Node& play, NodeId here) {
    moves(play, here, env, [&](NodeId made, const Made&) { jump(made, after); });
    tell_outcomes_apart();
    // Without a move the player must pass, unless it can take the other side.
    ask_can_move(play, has_swap_ ? check(here, plies_, 1, false) : here, NodeId(), stuck, env);
  });
  where_ = d_.rules->where;
  if (has_swap_) {
    // The second player may take the other side; the same side moves.
    const NodeId may = check(at, plies_, 1), shown = node();
    edge(may, shown, ir::Tag{g_.symbols.intern("swap")});
    NodeId here = assign(shown, mover(), g_.symbol(g_.keeper()));
    here = assign(assign(here, swapped_.expr, number(1)), next_.expr, number(player));
    here = assign(assign(here, last_from_.expr, number(kOff)), last_to_.expr, number(kOff));
    if (swaps_.expr.valid()) here = assign(here, swaps_.expr, number(1));
    jump(clear(note_site(here, constant(kOff)), pending_), after);
  }
  NodeId passed = node();
  edge(stuck, passed, ir::Tag{g_.symbols.intern("pass")});
  passed = assign(passed, mover(), g_.symbol(g_.keeper()));
  passed = assign(passed, last_from_.expr, number(kOff));
  passed = note_site(assign(passed, last_to_.expr, number(kOff)), constant(kOff));
  passed = clear(passed, pending_);
  Env behind;
  behind.mover = player;
  behind.after_move = behind.counted = true;
  if (made_pass_.valid()) {
    const NodeId plain = node(), voluntary = node();
    ask_equal(after, voluntary, plain, value_of(made_pass_, {0, 1}), 1);
    finish_ply(plain, behind);
    behind.passed = true;
    finish_ply(voluntary, behind);
  } else {
    finish_ply(after, behind);
  }
  behind.passed = behind.forced_pass = true;
  finish_ply(passed, behind);
}

void Lowering::finish_ply(NodeId at, const Env& env) {
  const int player = env.mover;
  where_ = d_.rules->where;
  if (limit_reached_.expr.valid()) {
    // A number is beyond its limit: the play stops without a result.
    jump(check(at, limit_reached_, 1), drawn());
    at = check(at, limit_reached_, 0);
  }
  if (may_eliminate_) {
    at = assign(at, losers_before_.expr, losers_.expr);
    for (const int p : players_) at = assign(at, g_.access(lost_now_, number(p)), number(0));
  }
  if (to_clear_.valid()) {
    // Pieces that were captured in this turn leave now, unless the turn goes on.
    at = when(at, equals(value_of(named_next_, {0, 1}), 0), [&](NodeId ends) {
      return clear(
          each_marked(to_clear_, all_sites_, ends, [&](NodeId in, const Value& site) { return clear_site(in, site); }),
          to_clear_);
    });
  }
  if (phases_.size() > 1) {
    const NodeId joined = node();
    const Value& phase = phase_of_[nth(player - 1)];
    for (const int index : phase.domain) {
      const Phase& one = phases_[nth(index)];
      NodeId here = check(at, phase, index);
      if (one.end != nullptr) here = end_rules(*one.end, here, env);
      jump(here, joined);
    }
    at = joined;
  } else if (phases_.front().end != nullptr) {
    at = end_rules(*phases_.front().end, at, env);
  }
  if (end_ != nullptr) at = end_rules(*end_, at, env);
  where_ = d_.rules->where;
  // The conditions of phases count passes as the end rules do.
  if (phases_.size() > 1) at = phases(at, env);
  where_ = d_.rules->where;
  if (!env.passed) {
    at = assign(at, passes_.expr, number(0));
  } else {
    NodeId single = at;
    const NodeId joined = node();
    if (uses_prev_) {
      // A pass that continues a turn is no turn of its own.
      single = check(at, prev_, player, false);
      jump(assign(check(at, prev_, player), passes_.expr, number(0)), joined);
    }
    const NodeId last = node(), first = node();
    ask_test(passes_, single, last, first, [this](int k) { return k + 1 >= n_; });
    jump(all_pass_ ? last : assign(last, passes_.expr, one_more(passes_).expr), all_pass_ ? drawn() : joined);
    jump(assign(first, passes_.expr, one_more(passes_).expr), joined);
    at = joined;
  }
  if (const ExprId stuck = stuck_[nth(player)]; stuck.valid()) at = assign(at, stuck, number(env.forced_pass ? 1 : 0));
  at = count_up(count_up(at, "counter"), "Moves");
  if (has_swap_) at = assign(at, plies_.expr, one_more(plies_).expr);
  if (passed_before_.expr.valid()) at = assign(at, passed_before_.expr, number(env.passed ? 1 : 0));
  if (uses_prev_) at = assign(at, prev_.expr, number(player));
  const auto end_turn = [&](NodeId here) {
    const auto it = variables_.find("count_MovesThisTurn");
    here = count_up(here, "Turns");
    return it == variables_.end() ? here : assign(here, it->second.first, number(0));
  };
  const auto hand_over = [&](int next, NodeId here) {
    const bool goes_on = next == player;
    if (goes_on && swaps_.expr.valid()) {
      // The turn of a player who takes the other side is over.
      const NodeId swapped = node(), plain = node(), joined = node();
      ask_equal(here, swapped, plain, swaps_, 1);
      jump(end_turn(assign(swapped, swaps_.expr, number(0))), joined);
      jump(count_up(plain, "MovesThisTurn"), joined);
      here = joined;
    } else if (goes_on) {
      here = count_up(here, "MovesThisTurn");
    }
    if (goes_on) {
      if (visited_.valid() && !env.passed) {
        here = assign(here, g_.access(visited_, last_from_.expr), number(1));
        here = assign(here, g_.access(visited_, last_to_.expr), number(1));
      }
    } else {
      here = clear(end_turn(here), visited_);
    }
    jump(here, begin_[next]);
  };
  if (!uses_next_) return hand_over(others(player), at);
  for (const int p : players_) hand_over(p, check(at, next_, p));
}

// The first transition of its phase whose condition holds, for each player.
NodeId Lowering::phases(NodeId at, const Env& env) {
  const auto size = static_cast<int>(phases_.size());
  for (const int p : players_) {
    const Value phase = phase_of_[nth(p - 1)];
    const NodeId joined = node();
    for (const int index : phase.domain) {
      NodeId here = check(at, phase, index);
      for (const Node* entry : phases_[nth(index)].next) {
        where_ = entry->where;
        const Call call(*entry, "nextPhase", "[player] [bool] [str]");
        std::optional<int> named;
        if (const Node* const role = call["player"];
            role != nullptr && !role->is_word("Shared") && !role->is_word("All")) {
          named = role->is_word() ? statics_.role(role->text, known(env)) : statics_.integer(role->item(0), known(env));
          if (!named) refuse(*role);
          if (*named != p) continue;
        }
        const NodeId yes = node(), no = node();
        if (call["bool"] != nullptr) {
          ask(*call["bool"], here, yes, no, env);
        } else {
          jump(here, yes);
        }
        here = no;
        const std::string name = fmt::format("phase_{}", p);
        if (call["str"] != nullptr) {
          const auto target = std::ranges::find(phases_, call["str"]->text, &Phase::name);
          if (target == phases_.end()) throw Refused(call["str"]->where, "there is no such phase");
          jump(store(yes, name, phase.expr, constant(static_cast<int>(target - phases_.begin()))), joined);
        } else if (named) {
          jump(store(yes, name, phase.expr, constant((index + 1) % size)), joined);
        } else {
          // The phase of the mover may have changed already.
          const Value& movers = phase_of_[nth(env.mover - 1)];
          jump(store(yes, name, phase.expr, table(movers, [&](int i) { return (i + 1) % size; })), joined);
        }
      }
      jump(here, joined);
    }
    at = joined;
  }
  return at;
}

std::vector<Refusal> lower(const Description& description, const Equipment& equipment, ir::Game& game) {
  Domains domains;
  for (;; ++domains.round) {
    domains.grown = false;
    ir::Game attempt(game.sources());
    std::vector<Refusal> refusals;
    try {
      refusals = Lowering(description, equipment, attempt, domains).run();
    } catch (const Refused& refused) {
      refusals = {{refused.where, refused.what(), refused.hint}};
    }
    if (!refusals.empty() || !domains.grown) {
      game = std::move(attempt);
      return refusals;
    }
  }
}

}  // namespace rgtrans::ludii
