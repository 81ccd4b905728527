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
#include <range/v3/view/chunk_by.hpp>
#include <set>

#include "core/support/coverage.hpp"
#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"
#include "core/support/text.hpp"
#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/answers.hpp"
#include "frontends/gdl/lifted/assertions.hpp"
#include "frontends/gdl/lifted/changes.hpp"
#include "frontends/gdl/lifted/rewrites.hpp"
#include "frontends/gdl/lifted/step.hpp"
#include "frontends/gdl/lifted/turns.hpp"
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
        solutions_(m_, t_, w_, game),
        step_(m_, parted_.dependencies, t_, w_, game),
        changes_(m_, t_, w_),
        show_steps_(options.show_steps),
        plans_(options.plans) {}

  void run(Diagnostics& diagnostics) {
    m_.widen([&](SortId sort) { return cells_.coordinates.contains(m_.terms(sort)[0]); });
    find_goals();
    terminal_ = m_.keyword(Keyword::terminal);
    if (!terminal_.valid() || m_.rules({terminal_, true}).empty()) throw NotLifted{"the game never ends"};
    declare(diagnostics);
    if (plans_ != nullptr) *plans_ = plans();
    emit();
  }

  // Positions consist of the facts; terms print as in the description.
  [[nodiscard]] std::shared_ptr<const ir::Words> words() {
    auto words = std::make_shared<ir::Words>();
    std::set<ir::VarId> facts;
    for (const RelId fact : m_.facts()) facts.insert(t_.stored_of(fact).maps.begin(), t_.stored_of(fact).maps.end());
    for (std::size_t i = 0; i < game_.variables().size(); ++i) {
      const ir::VarId id(i);
      if (!facts.contains(id)) words->asides.insert(game_.variable(id).name);
    }
    if (turn_is_mover()) words->asides.insert(game_.variable(turn()).name);
    for (const std::uint32_t term : shown_terms()) {
      const SymbolId symbol = t_.symbol(term);
      if (text(term) != game_.symbols.str(symbol)) words->texts[symbol] = text(term);
    }
    for (const TermId role : roles()) words->texts[t_.symbol(role.value)] = m_.text(role);
    const auto same = [](const Part& a, const Part& b) { return a.whole == b.whole; };
    for (const auto parts : parted_.parts | ranges::views::chunk_by(same))
      if (ir::Words::Relation relation = relation_of(std::span(parts)); !relation.parts.empty())
        words->relations.push_back(std::move(relation));
    for (const RelId fact : m_.facts()) {
      const bool parted = std::ranges::find(parted_.parts, fact, &Part::relation) != parted_.parts.end();
      const Stored& stored = t_.stored_of(fact);
      const std::array whole = {Part{fact, fact, 0, std::nullopt}};
      if (!parted && !stored.never && stored.maps.size() > 1) words->relations.push_back(relation_of(whole));
    }
    place_cells(*words);
    return words;
  }

  void claim(const Forms& forms) {
    for (ir::RuleClaim& claim : assertions(m_, turns_, parted_, cells_, forms))
      game_.claims.add("lifted form", std::move(claim));
  }

  void export_names(const Forms& forms, LiftedNames& names) {
    for (const TermId role : m_.program().roles) names.roles.push_back(game_.symbols.str(t_.symbol(role.value)));
    for (const RelId shape : m_.moves())
      names.functors[game_.symbols.str(w_.does.symbol(shape))] = form_of(m_.program(), m_.info(shape), shape, forms);
    for (const std::uint32_t term : shown_terms()) names.terms[game_.symbols.str(t_.symbol(term))] = text(term);
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
  // The plan of each rule: of `legal` for a role, of `next` for its facts, of other rules as a test of their heads.
  [[nodiscard]] std::string plans() {
    std::string text;
    for (const auto& [key, rules] : m_.rules()) {
      const RelationInfo::Kind kind = m_.info(key.relation).kind;
      for (const LiftedRule& rule : rules) {
        BodyState f = w_.body_state(rule, 0);
        const std::vector<Pattern>& head = rule.rule->head.arguments;
        for (std::size_t c = 0; c < head.size(); ++c) {
          if (kind == RelationInfo::Kind::fact || (kind == RelationInfo::Kind::move && c > 0))
            f.want(head[c]);
          else
            w_.planner.suppose(f, head[c]);
        }
        text += fmt::format("{}  {}\n{}", literal_text(m_.program(), m_.unground(), *rule.rule, rule.rule->head),
                            game_.sources()->describe(rule.rule->source->where),
                            w_.planner.plan_text(rule, w_.planner.plan_body(std::move(f))));
      }
    }
    return text;
  }
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
  // Places cells by their coordinates, in the natural order of the coordinates' texts.
  void place_cells(ir::Words& words) {
    if (std::ranges::any_of(cells_.coordinates, [](const auto& cell) { return cell.second.size() != 2; })) return;
    const auto before = [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; };
    std::array<std::vector<std::string>, 2> values;
    for (const auto& [cell, coordinates] : cells_.coordinates)
      for (std::size_t i = 0; i < 2; ++i) values[i].push_back(m_.text(TermId(coordinates[i])));
    for (auto& texts : values) sort_unique(texts, before);
    const auto number = [&](std::uint32_t coordinate, const std::vector<std::string>& texts) {
      const auto found = std::ranges::lower_bound(texts, m_.text(TermId(coordinate)), before);
      return static_cast<double>(found - texts.begin());
    };
    for (const auto& [cell, coordinates] : cells_.coordinates)  // y grows downwards
      words.places[t_.symbol(cell)] = {number(coordinates[0], values[0]), -number(coordinates[1], values[1])};
  }
  // The variable of a scalar that determines the phase.
  [[nodiscard]] ir::VarId turn(std::size_t scalar = 0) const {
    const Stored& s = t_.stored_of(turns_.scalars[scalar].relation);
    return s.maps[s.map_of(turns_.scalars[scalar].column)];
  }
  // In each phase one role decides and equals the scalar, so the scalar repeats the player to move.
  [[nodiscard]] bool turn_is_mover() const {
    return turns_.scalars.size() == 1 && m_.info(turns_.scalars[0].relation).tuples->arity() == 1 &&
           std::ranges::all_of(turns_.phases, [&](const Turns::Phase& phase) {
             const auto decides = [](const std::optional<RelId>& forced) { return !forced; };
             if (std::ranges::count_if(phase.forced, decides) != 1) return false;
             const auto mover = std::ranges::find_if(phase.forced, decides) - phase.forced.begin();
             const std::uint32_t role = roles()[static_cast<std::size_t>(mover)].value;
             return std::ranges::all_of(phase.values, [&](const auto& value) { return value.second == role; });
           });
  }
  // The terms that appear as tags of moves.
  [[nodiscard]] std::set<std::uint32_t> shown_terms() {
    std::set<std::uint32_t> result;
    for (const RelId shape : m_.moves())
      for (std::uint32_t c = 1; c < m_.info(shape).tuples->arity(); ++c)
        for (const std::uint32_t term : m_.terms(m_.column(shape, c))) result.insert(term);
    return result;
  }
  // Cells print as their coordinates.
  [[nodiscard]] std::string text(std::uint32_t term) const {
    const auto cell = cells_.coordinates.find(term);
    if (cell == cells_.coordinates.end()) return m_.text(TermId(term));
    std::string text;
    for (const std::uint32_t coordinate : cell->second) text += (text.empty() ? "" : " ") + m_.text(TermId(coordinate));
    return text;
  }
  // A relation whose facts are stored in parts.
  [[nodiscard]] ir::Words::Relation relation_of(std::span<const Part> parts) {
    ir::Words::Relation relation;
    relation.name = game_.symbols.intern(Names::readable(m_.name(parts[0].whole)));
    const std::uint32_t arity = m_.info(parts[0].whole).tuples->arity();
    std::vector<std::set<std::uint32_t>> terms(arity);
    for (const Part& part : parts) {
      // Skips a part on which nothing depends.
      if (std::ranges::find(m_.facts(), part.relation) == m_.facts().end()) continue;
      const Stored& s = t_.stored_of(part.relation);
      if (s.never) continue;
      ir::Words::Relation::Part& kept = relation.parts.emplace_back();
      for (const ir::VarId map : s.maps) kept.variables.push_back(game_.variable(map).name);
      for (std::uint32_t c = 0; c < arity; ++c) {
        ir::Words::Relation::Column& column = kept.columns.emplace_back();
        if (part.value && c == part.column) {
          column.constant = t_.symbol(part.value->value);
          terms[c].insert(part.value->value);
          continue;
        }
        const std::uint32_t own = part.value && c > part.column ? c - 1 : c;
        if (const auto key = std::ranges::find(s.key, own); key != s.key.end())
          column.key = static_cast<int>(key - s.key.begin());
        else
          column.variable = static_cast<int>(s.map_of(own));
        const auto& possible = m_.terms(s.columns[own]);
        terms[c].insert(possible.begin(), possible.end());
      }
    }
    for (const auto& column : terms) {
      auto& symbols = relation.columns.emplace_back();
      for (const std::uint32_t term : column) symbols.push_back(t_.symbol(term));
    }
    return relation;
  }
  [[nodiscard]] const std::vector<TermId>& roles() const { return m_.program().roles; }

  // --- Declarations. ---
  void find_goals() {
    const RelId goal = m_.keyword(Keyword::goal);
    goal_ = goal;
    if (!goal.valid()) return;
    for (const std::uint32_t term : m_.terms(m_.column(goal, 1))) {
      const std::optional<int> value = goal_number(m_.text(TermId(term)));
      if (!value) throw NotLifted{"a goal is no number"};
      scores_.emplace_back(*value, TermId(term));
    }
    std::ranges::sort(scores_, std::greater<>(), [](const auto& s) { return s.first; });
  }

  void declare(Diagnostics& diagnostics) {
    std::vector<int> values = {0};
    for (const auto& [value, term] : scores_) values.push_back(value);
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
    remove_unreachable();
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

  // Removes the parts of bodies that can never hold.
  void remove_unreachable() {
    ir::Automaton& g = game_.graph;
    const std::vector<std::uint32_t> ends{game_.begin().value, game_.end().value};
    const std::vector<bool> seen = reached_from(g.node_bound(), ends, [&](std::uint32_t n, auto&& reach) {
      for (const ir::EdgeId e : g.out_edges(NodeId(n))) {
        reach(g.target(e).value);
        if (const auto* check = std::get_if<ir::Reachability>(&g.label(e))) {
          reach(check->from.value);
          reach(check->to.value);
        }
      }
    });
    std::vector<NodeId> dead;
    for (const NodeId n : g.nodes())
      if (!seen[n.value]) dead.push_back(n);
    for (const NodeId n : dead) {
      for (const ir::EdgeId e : g.out_edge_list(n)) g.remove_edge(e);
    }
    for (const NodeId n : dead) g.remove_node(n);
  }

  [[nodiscard]] static std::size_t deciders(const Turns::Phase& phase) {
    return static_cast<std::size_t>(std::ranges::count_if(phase.forced, [](const auto& m) { return !m; }));
  }

  // Phases that differ only in the deciding role share their moves, if the rules of `legal` mention that role only to
  // test its turn.
  void emit_phases(NodeId choose, NodeId step) {
    std::map<std::size_t, NodeId> shared;  // by scalar
    for (const Turns::Phase& phase : turns_.phases) {
      NodeId at = begin_phase(phase, choose);
      const std::optional<std::size_t> decider = free_decider(phase);
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
      if (free_decider(other) && other.values[0].first == phase.values[0].first)
        std::erase_if(result.never, [&](const LiftedRule* rule) { return !other.never.contains(rule); });
    return result;
  }

  // The only deciding role, if it equals the scalar and the applicable rules of `legal` test only its turn.
  [[nodiscard]] std::optional<std::size_t> free_decider(const Turns::Phase& phase) const {
    const auto decides = std::ranges::find(phase.forced, std::optional<RelId>());
    if (!turns_.single || deciders(phase) != 1 || phase.values.size() != 1) return std::nullopt;
    const auto decider = static_cast<std::size_t>(decides - phase.forced.begin());
    const std::size_t which = phase.values[0].first;
    if (phase.values[0].second != roles()[decider].value) return std::nullopt;
    const RelId scalar = turns_.scalars[which].relation;
    for (const RelId shape : m_.moves()) {
      for (const LiftedRule& rule : m_.rules({shape, true})) {
        if (phase.never.contains(&rule)) continue;
        const Pattern own = rule.rule->head.arguments[0];
        const auto all_are = [&](const EngineLiteral& l) {
          return l.arguments.size() == 1 && m_.kind(l) == LiteralKind::fixed && !l.negated &&
                 std::ranges::all_of(roles(),
                                     [&](TermId r) { return m_.info(l.relation).tuples->find(&r.value) != kNone; });
        };
        const auto asks = [&](const EngineLiteral& l) {
          return !all_are(l) && std::ranges::find(l.arguments, own) != l.arguments.end() &&
                 (l.negated || l.relation != scalar || m_.kind(l) != LiteralKind::fact ||
                  l.arguments[turns_.scalars[which].column] != own);
        };
        if (!own.is_variable() || std::ranges::count(rule.rule->head.arguments, own) > 1 ||
            std::ranges::any_of(rule.rule->body, asks))
          return std::nullopt;
      }
    }
    return decider;
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
  // Evaluates the conditions that several goals share, before the goals.
  NodeId emit_answers(NodeId at) {
    if (scores_.empty()) return at;
    Walks::Answers answers;
    for (const GoalQuestion& question : shared_conditions(m_, goal_, scores_.back().second)) {
      const RelKey key = question.key;
      const ExprId flag = t_.flag(fmt::format("answer_{}", answers.size() + 1));
      const std::vector<TermId> arguments(question.arguments.begin(), question.arguments.end());
      const NodeId yes = w_.node();
      const NodeId no = w_.node();
      w_.branch_shared(key, arguments, at, yes, no);
      at = w_.node();
      w_.edge(yes, at, ir::Assign{flag, t_.one()});
      w_.edge(no, at, ir::Assign{flag, t_.zero()});
      answers.emplace(std::pair(key, question.arguments), flag);
    }
    w_.take_answers(std::move(answers));
    return at;
  }

  // The rule determines the score of the role without any choice.
  [[nodiscard]] bool determines_score(const LiftedRule& rule, std::size_t r) {
    const std::vector<Pattern>& head = rule.rule->head.arguments;
    if (!head[1].is_variable()) return false;
    BodyState f = w_.body_state(rule, w_.new_region());
    f.wanted[head[1].number()] = true;
    NodeId at = w_.unify(f, rule.rule->head, {t_.constant(roles()[r])}, w_.node());
    if (at.valid()) at = w_.run_certain(f, at);
    return at.valid() && w_.value(f, head[1]);
  }

  // Writes the goal of a role. If the role determines its score and rules compute it, one query replaces a test per
  // score.
  NodeId emit_goals(std::size_t r, NodeId at) {
    const ExprId cell = game_.access(game_.variable_ref(game_.goals()), game_.symbol(role(r)));
    const NodeId out = w_.node();
    std::set<const LiftedRule*> determining;
    const bool plain = std::ranges::all_of(
        scores_, [&](const auto& s) { return t_.symbol(s.second.value) == t_.symbol(std::to_string(s.first)); });
    if (goal_.valid() && plain && scores_.size() > 2)
      for (const LiftedRule& rule : m_.rules({goal_, true}))
        if (determines_score(rule, r)) determining.insert(&rule);
    if (!determining.empty() && !w_.planner.determines({goal_, true}, {0}, {1})) determining.clear();
    for (const LiftedRule* rule : determining) {
      const Pattern score = rule->rule->head.arguments[1];
      BodyState f = w_.body_state(*rule, w_.new_region());
      f.wanted[score.number()] = true;
      const NodeId otherwise = w_.node();
      const NodeId begin = w_.unify(f, rule->rule->head, {t_.constant(roles()[r])}, at);
      solutions_.each(f, begin, otherwise, [&](BodyState& g, NodeId from, NodeId) {
        w_.edge(from, out, ir::Assign{cell, t_.expression(*w_.value(g, score))});
      });
      at = otherwise;
    }
    for (const auto& [value, term] : scores_) {
      const NodeId yes = w_.node();
      const NodeId no = w_.node();
      const auto asked = [&](const LiftedRule& rule) { return !determining.contains(&rule); };
      w_.branch({goal_, true}, {t_.constant(roles()[r]), t_.constant(term)}, at, yes, no, asked);
      if (game_.graph.in_degree(yes) > 0)
        w_.edge(yes, out, ir::Assign{cell, game_.symbol(t_.symbol(std::to_string(value)))});
      at = no;
    }
    w_.edge(at, out, ir::Assign{cell, t_.zero()});
    return out;
  }

  void emit_finish(NodeId at) {
    w_.emit_procedures();
    if (goal_.valid()) w_.at(m_.where({goal_, true}));
    at = emit_answers(at);
    for (std::size_t r = 0; r < roles().size(); ++r) at = emit_goals(r, at);
    w_.take_answers({});
    game_.graph.set_where(game_.node("end"), m_.where({goal_.valid() ? goal_ : terminal_, true}));
    w_.edge(at, game_.node("end"), ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
  }

  Model m_;
  ir::Game& game_;
  Parted parted_;
  Cells cells_;
  Turns turns_;
  Tables t_;
  Walks w_;
  Solutions solutions_;
  LiftedStep step_;
  Changes changes_;
  bool show_steps_ = false;
  std::string* plans_;
  std::string step_tag_;
  std::size_t saving_ = 0;
  RelId terminal_, goal_;
  std::vector<std::pair<int, TermId>> scores_;  // highest first
  std::vector<Register> places_;                // registers for the arguments of a move
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
    game.words = lift.words();
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
