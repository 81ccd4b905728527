#include "frontends/ludax/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rgtrans::ludax {

using ast::Kind;
using ast::Term;

namespace {

std::string edge_names(const Board& board) {
  std::vector<std::string_view> names;
  for (Edge edge : board.edges()) names.push_back(kEdgeNames[static_cast<std::size_t>(edge)]);
  return fmt::format("{}", fmt::join(names, ", "));
}

class Check {
 public:
  Check(const ast::Description& description, Diagnostics& diagnostics)
      : d_(description), board_(description.board), diagnostics_(diagnostics) {}

  void run() {
    start();
    for (const ast::Phase& phase : d_.phases) {
      term(phase.destination);
      if (phase.result) term(*phase.result);
      for (const ast::Effect& effect : phase.effects) {
        term(effect.term);
        using enum ast::Effect::Kind;
        scores_ = scores_ || effect.kind == increment_score || effect.kind == set_score || effect.scores;
      }
      passes_ = passes_ || phase.force_pass;
    }
    for (const ast::Rule& rule : d_.rules) {
      term(rule.condition);
      if (rule.result == ast::Rule::Result::by_score) reads_score_ = rule.where;
    }
    if (reads_score_.known() && !scores_) {
      diagnostics_.warning(reads_score_, "scores are never changed",
                           "set_score, increment_score and capture with increment_score:true change them");
    }
    if (reads_passed_.known() && !passes_) {
      diagnostics_.warning(reads_passed_, "nobody can ever pass", "(force_pass) behind a placement allows it");
    }
    phases();
  }

 private:
  void start() {
    std::map<std::int64_t, std::pair<ast::Side, Range>> given;
    for (const ast::Placement& placement : d_.start) {
      for (const auto& [cell, where] : placement.cells) {
        const auto [it, fresh] = given.try_emplace(cell, placement.who, where);
        if (!fresh && it->second.first != placement.who) {
          const auto name = [](ast::Side side) { return side == ast::Side::p1 ? "P1" : "P2"; };
          diagnostics_
              .warning(where, fmt::format("cell {} is given to {} and then to {}; the last one counts", cell,
                                          name(it->second.first), name(placement.who)))
              .notes.push_back({it->second.second, "first here"});
        }
        it->second = {placement.who, where};
      }
    }
  }

  void phases() {
    for (std::size_t i = 0; i < d_.phases.size(); ++i) {
      const ast::Phase& phase = d_.phases[i];
      if (!phase.once && i + 1 < d_.phases.size()) {
        diagnostics_.warning(d_.phases[i + 1].where, "this phase is never reached",
                             "the phase before it repeats for ever");
        break;
      }
      if (phase.once && i + 1 == d_.phases.size()) {
        diagnostics_.warning(phase.where, "a once-through phase that is the last one is treated as repeat");
      }
    }
  }

  void term(const Term& term) {
    switch (term.kind) {
      case Kind::edge:
        if (std::ranges::find(board_.edges(), term.edge) == board_.edges().end()) {
          diagnostics_.error(
              term.number_where,
              fmt::format("a {} has no {} edge", board_.shape_name(), kEdgeNames[static_cast<std::size_t>(term.edge)]),
              fmt::format("it has {}", edge_names(board_)));
        }
        break;
      case Kind::center:
        if (board_.center() == kNone) {
          diagnostics_.warning(term.where, "this board has no centre cell, `center` is empty");
        }
        break;
      case Kind::line:
      case Kind::custodial:
        length(term);
        break;
      case Kind::score:
        reads_score_ = term.where;
        break;
      case Kind::passed:
        reads_passed_ = term.where;
        break;
      case Kind::empty:
      case Kind::occupied:
      case Kind::corners:
      case Kind::every:
      case Kind::either:
      case Kind::except:
      case Kind::adjacent:
      case Kind::owned:
      case Kind::prev_move:
      case Kind::number:
      case Kind::add:
      case Kind::multiply:
      case Kind::subtract:
      case Kind::count:
      case Kind::connected:
      case Kind::all:
      case Kind::any:
      case Kind::negation:
      case Kind::equal:
      case Kind::at_least:
      case Kind::at_most:
      case Kind::exists:
      case Kind::full_board:
      case Kind::mover_is:
        break;
    }
    directions(term);
    for (const Term& part : term.parts) this->term(part);
  }

  void directions(const Term& term) {
    if (!term.directions_where.known()) return;
    if ((term.directions & board_.directions()) == 0) {
      diagnostics_.warning(term.directions_where,
                           fmt::format("a {} has no such direction: the {} is always {}", board_.shape_name(),
                                       term.kind == Kind::line || term.kind == Kind::connected ? "value" : "set",
                                       term.kind == Kind::line || term.kind == Kind::connected ? "0" : "empty"));
    } else if (term.kind == Kind::connected && reversed(term.directions) != term.directions) {
      diagnostics_.warning(term.directions_where, "cells are followed one way only, away from the last placement");
    }
  }

  void length(const Term& term) {
    if ((term.directions & board_.directions()) == 0) return;
    const bool line = term.kind == Kind::line;
    const std::int64_t cells = line ? term.number : std::max<std::int64_t>(term.number, 1) + 2;
    if (board_.line_count(term.directions, cells) > 0) return;
    if (line) {
      diagnostics_.warning(term.number_where,
                           fmt::format("no line of {} fits on this board, the value is always 0", term.number));
    } else {
      diagnostics_.warning(term.number_where.known() ? term.number_where : term.where,
                           "no such arrangement fits on this board, the set is always empty");
    }
  }

  const ast::Description& d_;
  const Board& board_;
  Diagnostics& diagnostics_;
  bool scores_ = false, passes_ = false;
  Range reads_score_, reads_passed_;
};

}  // namespace

void check(const ast::Description& description, Diagnostics& diagnostics) { Check(description, diagnostics).run(); }

namespace {

// Reports conditions with a constant value: rules after one that always holds, and rules that never hold.
void check_rules(const ast::Description& description, const Plan& plan, Diagnostics& diagnostics) {
  const Knowledge knowledge{[&](const Atom& atom) { return plan.bounds(atom); },
                            [&](Player) { return plan.passes ? Truth::unknown : Truth::no; }};
  std::size_t first_always = description.rules.size();
  for (std::size_t i = 0; i < description.rules.size(); ++i) {
    bool always = true, never = true;
    for (const Turn& turn : plan.turns) {
      const auto rule =
          std::ranges::find_if(turn.rules, [&](const Rule& r) { return r.where == description.rules[i].where; });
      const Truth known = rule == turn.rules.end() ? Truth::no : decide(rule->condition, knowledge);
      always = always && known == Truth::yes;
      never = never && known == Truth::no;
    }
    if (i > first_always) {
      diagnostics.warning(description.rules[i].where, "this rule is never used", "a rule before it always holds");
      return;
    }
    if (always) first_always = i;
    if (never) diagnostics.warning(description.rules[i].where, "this condition can never hold");
  }
}

}  // namespace

void check(const ast::Description& description, const Plan& plan, bool limited, Diagnostics& diagnostics) {
  check_rules(description, plan, diagnostics);
  std::optional<Range> replacing, stuck;
  for (const Position& position : plan.positions) {
    const Turn& next = plan.turns[plan.positions[position.next].turn];
    const ast::Phase& phase = description.phases[next.phase];
    if (!next.force_pass && !plan.always_has_move(position, next) && !stuck) stuck = phase.where;
    if (!Plan::implies_empty(next.destination) && !replacing) replacing = phase.destination.where;
  }
  if (stuck) {
    diagnostics.warning(*stuck, "the game may reach a position without moves; it is then a draw",
                        "(force_pass) behind the placement, or an end rule such as (if (full_board) (draw))");
  }
  if (replacing) {
    diagnostics.warning(*replacing, "the destination can include occupied cells: placing replaces pieces",
                        "(and empty …) keeps to empty cells");
  }
  if ((plan.captures || plan.replaces) && !limited) {
    diagnostics.warning(description.phases.front().where, "pieces can leave the board, so a play may go on for ever",
                        "--option max-plies=N makes a play of N moves a draw");
  }
}

}  // namespace rgtrans::ludax
