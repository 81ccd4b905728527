// The automaton of a lifted game. As in the ground form, one cycle of it is one step:
//
//   start:   if terminal, finish.
//   choose:  per phase, the decisions of its roles in sequence.
//   reveal:  if several roles decide, show the joint move to all.
//   step:    keeper applies the rules of `next`.
#include "frontends/gdl/lifted/lifted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "core/support/coverage.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/assertions.hpp"
#include "frontends/gdl/lifted/changes.hpp"
#include "frontends/gdl/lifted/goals.hpp"
#include "frontends/gdl/lifted/rewrites.hpp"
#include "frontends/gdl/lifted/step.hpp"
#include "frontends/gdl/lifted/turns.hpp"
#include "frontends/gdl/lifted/wording.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using ir::ExprId;
using ir::NodeId;

class Lift {
 public:
  Lift(Program& program, Unground& unground, Parted parted, Cells cells, ir::Game& game, const LiftOptions& options)
      : m_(program, unground),
        game_(game),
        parted_(std::move(parted)),
        cells_(std::move(cells)),
        turns_(find_turns(m_, parted_.dependencies, options.keep_forced)),
        t_(m_, game),
        w_(m_, parted_.dependencies, t_, game),
        goals_(m_, t_, w_, game),
        step_(m_, parted_.dependencies, t_, w_, game),
        changes_(m_, t_, w_),
        wording_(m_, t_, parted_, cells_, turns_, game),
        show_steps_(options.show_steps),
        plans_(options.plans) {}

  void run(Diagnostics& diagnostics) {
    m_.widen([&](SortId sort) { return cells_.coordinates.contains(m_.terms(sort)[0]); });
    goals_.find();
    terminal_ = m_.keyword(Keyword::terminal);
    if (!terminal_.valid() || m_.rules({terminal_, true}).empty()) throw NotLifted{"the game never ends"};
    declare(diagnostics);
    if (plans_ != nullptr) *plans_ = w_.planner.plans(*game_.sources());
    emit();
  }

  [[nodiscard]] LiftedWords& wording() { return wording_; }

  void claim(const Forms& forms) {
    for (ir::RuleClaim& claim : assertions(m_, turns_, parted_, cells_, forms))
      game_.claims.add("lifted form", std::move(claim));
  }

  void export_names(const Forms& forms, LiftedNames& names) {
    for (const TermId role : m_.program().roles) names.roles.push_back(game_.symbols.str(t_.symbol(role.value)));
    for (const RelId shape : m_.moves())
      names.functors[game_.symbols.str(w_.does.symbol(shape))] = form_of(m_.program(), m_.info(shape), shape, forms);
    for (const std::uint32_t term : wording_.shown_terms())
      names.terms[game_.symbols.str(t_.symbol(term))] = wording_.text(term);
    names.saving = saving_;
    names.step = step_tag_;
    names.board = !cells_.coordinates.empty() && turns_.single;
    for (const RelId fact : m_.facts()) {
      const Stored& s = t_.stored_of(fact);
      std::string note = m_.name(fact) + ":";
      for (const std::uint32_t c : s.key) note += fmt::format(" {}", c + 1);
      note += s.values.empty() ? " -> Bool" : " ->";
      for (const std::uint32_t c : s.values) note += fmt::format(" {}", c + 1);
      names.notes.push_back(std::move(note));
      reached("lifted", s.values.empty() ? "stored: Bools"
                        : s.key.empty()  ? "stored: a scalar"
                                         : "stored: a map to values");
      if (!s.values.empty()) continue;
      if (const auto undetermined = why_undetermined(m_, parted_.dependencies, fact))
        names.notes.push_back(reason(fact, *undetermined));
    }
  }

 private:
  // A message about the dependency that was not proved.
  [[nodiscard]] std::string reason(RelId fact, const Undetermined& undetermined) const {
    const std::string begin = fmt::format("{}: the other columns do not determine its last column", m_.name(fact));
    if (undetermined.first == nullptr) return begin + ", because the initial state has several values";
    const std::string one = game_.sources()->describe(undetermined.first->rule->source->where);
    const std::string other = game_.sources()->describe(undetermined.second->rule->source->where);
    if (undetermined.unfinished) return begin + ", as far as the effort for proofs (gdl-effort) goes";
    if (one.empty() || other.empty()) return begin + ", as far as the rules show";
    if (one == other) return fmt::format("{}: the rule at {} may give several", begin, one);
    return fmt::format("{}: the rules at {} and {} may give two", begin, one, other);
  }
  // The variable of a scalar that determines the phase.
  [[nodiscard]] ir::VarId turn(std::size_t scalar) const {
    const Stored& s = t_.stored_of(turns_.scalars[scalar].relation);
    return s.maps[s.map_of(turns_.scalars[scalar].column)];
  }
  [[nodiscard]] const std::vector<TermId>& roles() const { return m_.program().roles; }

  // --- Declarations. ---
  void declare(Diagnostics& diagnostics) {
    std::vector<int> values = {0};
    for (const auto& [value, term] : goals_.scores()) values.push_back(value);
    sort_unique(values);
    t_.players_and_scores(values);
    for (const RelId fact : m_.facts())
      for (std::uint32_t c = 0; c < m_.info(fact).tuples->arity(); ++c)
        if (const SortId sort = m_.column(fact, c);
            std::ranges::all_of(m_.terms(sort), [&](std::uint32_t t) { return cells_.coordinates.contains(t); }))
          t_.board(sort);
    t_.stored(parted_.dependencies);
    w_.does.declare(turns_.single);
    ir::add_builtins(game_, diagnostics);
    for (std::size_t i = 0; i < w_.does.arguments.size(); ++i) {
      if (turns_.single) {
        const ExprId e = game_.variable_ref(w_.does.arguments[i]);
        places_.push_back({w_.does.arguments[i], e, w_.does.sort(i), {}});
      } else {
        Register r = t_.declare(fmt::format("choice_{}", i + 1), w_.does.sort(i));
        t_.add_scratch(r.variable, r.initial);
        places_.push_back(r);
      }
    }
  }

  // --- The cycle. ---
  void emit() {
    const NodeId begin = game_.node("begin");
    w_.at(m_.where({terminal_, true}));
    game_.graph.set_where(begin, m_.where({terminal_, true}));
    const NodeId start = w_.node();
    w_.edge(begin, start, ir::Empty());
    const NodeId finish = w_.node();
    const NodeId choose = w_.node();
    w_.branch({terminal_, true}, {}, start, finish, choose);
    if (game_.graph.in_degree(finish) == 0) throw NotLifted{"the game never ends"};
    const NodeId step = w_.node();
    emit_phases(choose, step);
    const std::optional<Changes::AfterStep> after = changes_.after_step({terminal_, true});
    if (after) {
      for (const RelId fact : after->recorded) step_.record(fact);
      for (const auto& [scalar, column] : after->before) step_.before(scalar, column);
    }
    const NodeId begun = show_steps_ ? show_step(step) : step;
    NodeId end = step_.emit(begun);
    w_.emit_procedures();
    end = w_.forget(begun, end);
    const std::size_t before = game_.graph.edge_count();
    emit_turn(after, end, start, finish, choose);
    saving_ = game_.graph.edge_count() - before + step_.claim_edges();
    emit_finish(finish);
    w_.emit_procedures();
    w_.define_return_types();
    w_.remove_unreachable();
  }

  // Marks the end of a step for callers that count steps. Decisions alone do not show it: decisions in turn and in the
  // same step look alike, and in some steps nobody decides.
  NodeId show_step(NodeId at) {
    step_tag_ = "joint_move";
    while (game_.symbols.find(step_tag_).valid()) step_tag_ += '_';
    const NodeId shown = w_.then(at, ir::Tag{game_.symbols.intern(step_tag_)});
    return w_.then(shown, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
  }

  // Writes the transition to the next step. If it saves work, tests for the end only changed facts, while the moves are
  // known.
  void emit_turn(const std::optional<Changes::AfterStep>& after, NodeId at, NodeId start, NodeId finish,
                 NodeId choose) {
    if (!after) {
      w_.edge(forget_moves(at), start, ir::Empty());
      return;
    }
    const NodeId begin = w_.node();
    const NodeId end = w_.node();
    const std::size_t region = w_.new_region();
    for (const Changes::Look& look : after->looks) {
      BodyState f = w_.body_state(*look.rule, region);
      NodeId last = look.recorded ? at_record(f, *look.recorded, begin) : begin;
      for (const auto& [variable, scalar] : look.before) {
        const Register& r = step_.before(scalar.first, scalar.second);
        if (last.valid()) last = w_.bind(f, variable, {{}, r.expression, r.sort, true}, last);
      }
      if (last.valid()) last = w_.run(f, last);
      if (last.valid()) w_.edge(last, end, ir::Empty());
    }
    if (!after->recorded.empty()) {
      const NodeId whole = w_.node();
      for (const auto& [fact, record] : step_.records())
        w_.edge(begin, whole, ir::Compare{game_.variable_ref(record.several), t_.one(), false});
      for (const LiftedRule& rule : m_.rules({terminal_, true})) {
        BodyState f = w_.body_state(rule, region);
        if (const NodeId last = w_.run(f, whole); last.valid()) w_.edge(last, end, ir::Empty());
      }
    }
    const NodeId over = w_.then(at, ir::Reachability{begin, end, false});
    const NodeId on = w_.then(at, ir::Reachability{begin, end, true});
    if (game_.claims.wanted()) claim_end(at, over);
    w_.edge(forget_moves(over), finish, ir::Empty());
    w_.edge(forget_moves(on), choose, ir::Empty());
  }

  // Claims that the incremental test for the end equals the test by all rules.
  void claim_end(NodeId at, NodeId over) {
    const ir::Reachability all{w_.node(), w_.node(), false};
    const std::size_t region = w_.new_region();
    for (const LiftedRule& rule : m_.rules({terminal_, true})) {
      BodyState f = w_.body_state(rule, region);
      if (const NodeId last = w_.run(f, all.from); last.valid()) w_.edge(last, all.to, ir::Empty());
    }
    w_.edge(at, w_.node(), all);  // a dead end that keeps the check in the automaton
    game_.claims.add("the end after a step", ir::SameEffect{game_.graph.in_edge_list(over)[0], all});
  }

  // The literal equals the only fact that the step has added, so it needs no test.
  NodeId at_record(BodyState& f, std::uint32_t literal, NodeId at) {
    const EngineLiteral& fact = f.rule->rule->body[literal];
    const LiftedStep::Record& record = step_.record(fact.relation);
    at = w_.then(at, ir::Compare{game_.variable_ref(record.one), t_.one(), false});
    at = w_.then(at, ir::Compare{game_.variable_ref(record.several), t_.zero(), false});
    std::vector<std::optional<Value>> values;
    for (const Register& r : record.columns) {
      values.emplace_back(Value{{}, r.expression, r.sort, false});
      f.busy.insert(r.variable);
    }
    std::erase(f.open, literal);
    return w_.unify(f, fact, values, at);
  }

  // Phases that differ only in the deciding role share their moves, if the rules of `legal` mention that role only to
  // test its turn.
  void emit_phases(NodeId choose, NodeId step) {
    std::map<std::size_t, NodeId> shared;  // by scalar
    for (const Turns::Phase& phase : turns_.phases) {
      NodeId at = begin_phase(phase, choose);
      const std::optional<std::size_t> decider = free_decider(m_, turns_, phase);
      if (!decider) {
        emit_phase(phase, at, step);
        continue;
      }
      const std::size_t scalar = phase.values[0].first;
      const auto [it, fresh] = shared.try_emplace(scalar);
      if (fresh) it->second = w_.node();
      w_.edge(at, it->second, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(role(*decider))});
      if (!fresh) continue;
      const Turns::Scalar& s = turns_.scalars[scalar];
      const Value mover{{}, game_.variable_ref(turn(scalar)), m_.column(s.relation, s.column), false};
      w_.edge(moves_of(mover, shared_by_all(phase), it->second), step, ir::Empty());
    }
  }

  // The phase with the rules that never hold in any phase with the same moves.
  [[nodiscard]] Turns::Phase shared_by_all(const Turns::Phase& phase) const {
    Turns::Phase result = phase;
    for (const Turns::Phase& other : turns_.phases)
      if (free_decider(m_, turns_, other) && other.values[0].first == phase.values[0].first)
        std::erase_if(result.never, [&](const LiftedRule* rule) { return !other.never.contains(rule); });
    return result;
  }

  // Tests the scalar and sets the moves of roles without a choice.
  NodeId begin_phase(const Turns::Phase& phase, NodeId choose) {
    NodeId at = choose;
    if (turns_.phases.size() > 1) {
      at = w_.node();
      for (const auto& [scalar, value] : phase.values)
        w_.edge(choose, at, ir::Compare{game_.variable_ref(turn(scalar)), game_.symbol(t_.symbol(value)), false});
    }
    for (std::size_t r = 0; r < roles().size(); ++r)
      if (phase.forced[r]) at = set_functor(t_.constant(roles()[r]), *phase.forced[r], at);
    return at;
  }

  void emit_phase(const Turns::Phase& phase, NodeId at, NodeId step) {
    const bool hidden = deciders(phase) > 1;
    for (std::size_t r = 0; r < roles().size(); ++r)
      if (!phase.forced[r]) at = decision(r, phase, hidden, at);
    if (!turns_.single) at = show(at, roles().size());
    if (hidden)
      for (std::size_t r = 0; r < roles().size(); ++r) at = reveal(r, at);
    w_.edge(at, step, ir::Empty());
  }

  [[nodiscard]] SymbolId role(std::size_t r) { return t_.symbol(roles()[r].value); }

  NodeId set_functor(const Value& who, RelId shape, NodeId at) {
    const ExprId cell = game_.access(game_.variable_ref(w_.does.functor), t_.expression(who));
    return w_.then(at, ir::Assign{cell, game_.symbol(w_.does.symbol(shape))});
  }

  // Makes tags visible to one role only, or to all.
  NodeId show(NodeId at, std::size_t to) {
    if (turns_.single) return at;
    for (std::size_t r = 0; r < roles().size(); ++r) {
      const ExprId cell = game_.access(game_.variable_ref(game_.visible()), game_.symbol(role(r)));
      at = w_.then(at, ir::Assign{cell, to == roles().size() || to == r ? t_.one() : t_.zero()});
    }
    return at;
  }

  NodeId decision(std::size_t r, const Turns::Phase& phase, bool hidden, NodeId at) {
    at = show(at, hidden ? r : roles().size());
    at = w_.then(at, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(role(r))});
    return moves_of(t_.constant(roles()[r]), phase, at);
  }

  // Writes all moves of the role; returns the node after them.
  NodeId moves_of(const Value& who, const Turns::Phase& phase, NodeId at) {
    const NodeId chosen = w_.node();
    const std::size_t region = w_.new_region();
    for (const RelId shape : m_.moves()) {
      w_.at(m_.where({shape, true}));
      const NodeId tail = w_.node();
      for (const LiftedRule& rule : m_.rules({shape, true}))
        if (!phase.never.contains(&rule)) legal(shape, rule, who, region, at, tail);
      if (game_.graph.in_degree(tail) == 0) {
        game_.graph.remove_node(tail);
        continue;
      }
      w_.at(m_.where({shape, true}));
      NodeId end = w_.then(tail, ir::Tag{w_.does.symbol(shape)});
      const std::uint32_t count = m_.info(shape).tuples->arity() - 1;
      for (std::uint32_t i = 0; i < count; ++i) end = w_.then(end, ir::TagVariable{place(shape, i).variable});
      end = set_functor(who, shape, end);
      for (std::uint32_t i = 0; i < count && !turns_.single; ++i)
        end = w_.then(end, ir::Assign{w_.does.argument(who, w_.does.place(shape, i + 1)), place(shape, i).expression});
      w_.emit_procedures();
      end = w_.forget(at, end);
      w_.edge(end, chosen, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
    }
    return chosen;
  }

  // The register for an argument of a move.
  [[nodiscard]] const Register& place(RelId shape, std::uint32_t argument) const {
    return places_[w_.does.place(shape, argument + 1)];
  }

  // Writes a rule of `legal` as a walk that stores the arguments of the move in their registers.
  void legal(RelId shape, const LiftedRule& rule, const Value& who, std::size_t region, NodeId at, NodeId tail) {
    BodyState f = w_.body_state(rule, region);
    const auto& head = rule.rule->head.arguments;
    for (std::size_t c = 1; c < head.size(); ++c) {
      f.busy.insert(place(shape, c - 1).variable);
      if (!head[c].is_variable()) continue;
      f.wanted[head[c].number()] = true;
      f.places.try_emplace(head[c].number(), &place(shape, c - 1));
    }
    at = w_.unify(f, rule.rule->head, {who}, at);
    if (at.valid()) at = w_.run(f, at);
    if (!at.valid()) return;
    for (std::size_t c = 1; c < head.size(); ++c) {
      const ExprId e = t_.expression(*w_.value(f, head[c]));
      if (e != place(shape, c - 1).expression) at = w_.then(at, ir::Assign{place(shape, c - 1).expression, e});
    }
    w_.edge(at, tail, ir::Empty());
  }

  // Keeper reveals the choice of a role.
  NodeId reveal(std::size_t r, NodeId at) {
    const NodeId out = w_.node();
    const Value who = t_.constant(roles()[r]);
    const ExprId functor = game_.access(game_.variable_ref(w_.does.functor), game_.symbol(role(r)));
    for (const RelId shape : m_.moves()) {
      if (m_.rules({shape, true}).empty()) continue;
      NodeId own = w_.then(at, ir::Compare{functor, game_.symbol(w_.does.symbol(shape)), false});
      own = w_.then(own, ir::Tag{w_.does.symbol(shape)});
      const std::uint32_t count = m_.info(shape).tuples->arity() - 1;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Register& shown = place(shape, i);
        own = w_.then(own, ir::Assign{shown.expression, w_.does.argument(who, w_.does.place(shape, i + 1))});
        own = w_.then(own, ir::TagVariable{shown.variable});
        own = w_.then(own, ir::Assign{shown.expression, game_.symbol(shown.initial)});
      }
      w_.edge(own, out, ir::Empty());
    }
    return out;
  }

  // Resets the variables of moves, so that equal states of the description are equal states of the game.
  NodeId forget_moves(NodeId at) {
    std::vector<ir::VarId> variables = {w_.does.functor};
    variables.insert(variables.end(), w_.does.arguments.begin(), w_.does.arguments.end());
    for (const auto& [fact, record] : step_.records()) {
      for (const Register& r : record.columns) variables.push_back(r.variable);
      variables.insert(variables.end(), {record.one, record.several});
    }
    for (const auto& [scalar, r] : step_.all_before()) variables.push_back(r.variable);
    for (const ir::VarId v : variables) {
      const ir::ValueId initial = game_.variable(v).initial;
      ExprId value;
      if (game_.values.is_symbol(initial)) {
        value = game_.symbol(game_.values.as_symbol(initial));
      } else {
        value = t_.constant("no_" + game_.symbols.str(game_.variable(v).name), game_.variable(v).type, initial);
      }
      at = w_.then(at, ir::Assign{game_.variable_ref(v), value});
    }
    return at;
  }

  // --- The end. ---
  void emit_finish(NodeId at) {
    w_.emit_procedures();
    if (goals_.relation().valid()) w_.at(m_.where({goals_.relation(), true}));
    at = goals_.emit(at);
    game_.graph.set_where(game_.node("end"),
                          m_.where({goals_.relation().valid() ? goals_.relation() : terminal_, true}));
    w_.edge(at, game_.node("end"), ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
  }

  Model m_;
  ir::Game& game_;
  Parted parted_;
  Cells cells_;
  Turns turns_;
  Tables t_;
  Walks w_;
  Goals goals_;
  LiftedStep step_;
  Changes changes_;
  LiftedWords wording_;
  bool show_steps_ = false;
  std::string* plans_;
  std::string step_tag_;
  std::size_t saving_ = 0;
  RelId terminal_;
  std::vector<Register> places_;  // registers for the arguments of a move
};

}  // namespace

std::optional<ir::Game> lift(const Program& description, const std::shared_ptr<Sources>& sources,
                             const GroundOptions& ground, const LiftOptions& options, std::string& why,
                             LiftedNames* names) {
  Program program = description;  // relations are added to it
  if (program.random.valid() && std::ranges::any_of(program.roles, [&](TermId r) {
        return program.patterns.terms.symbol(r) == program.random;
      })) {
    why = "a role is random";
    return std::nullopt;
  }
  if (const PredId sees = program.find_keyword(Keyword::sees); sees.valid() && program[sees].defined) {
    why = "players see different things";
    return std::nullopt;
  }
  Diagnostics diagnostics(sources);
  RuleDraft draft{program, ground, diagnostics, options.keep_forced};
  try {
    rewrite_rules(draft, options.watch);
    if (diagnostics.has_errors()) {
      why = diagnostics.all().back().message;
      return std::nullopt;
    }
    ir::Game game(sources);
    game.claims.want(options.claims);
    Lift lift(program, *draft.unground, std::move(draft.parted), std::move(draft.cells), game, options);
    lift.run(diagnostics);
    if (diagnostics.has_errors()) {
      why = diagnostics.all().back().message;
      return std::nullopt;
    }
    game.words = lift.wording().words();
    if (options.claims) lift.claim(draft.forms);
    if (names != nullptr) lift.export_names(draft.forms, *names);
    return game;
  } catch (const NotLifted& reason) {
    why = reason.why;
  } catch (const Walks::TooLarge&) {
    why = "the automaton would be too large";
  }
  return std::nullopt;
}

}  // namespace rgtrans::gdl::lifted
