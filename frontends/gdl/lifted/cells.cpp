#include "frontends/gdl/lifted/cells.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/support/coverage.hpp"
#include "core/support/letters.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/lifted/joins.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Kind = RelationInfo::Kind;
using Columns = std::vector<std::uint32_t>;
using Places = std::vector<Pattern>;  // the arguments in the columns of a cell

class CellSearch {
 public:
  CellSearch(Program& program, Unground& unground, Dependencies& dependencies, Forms& forms, Proofs& proofs)
      : program_(program),
        u_(unground),
        dependencies_(dependencies),
        forms_(forms),
        proofs_(proofs),
        joins_(program, unground) {}

  Cells run() {
    for (const std::size_t coordinates : {std::size_t{3}, std::size_t{2}}) {
      coordinates_ = coordinates;
      find_columns();
      if (groups_.empty()) continue;
      // On the second try, each pair outside the board that a rule must distinguish is a cell of its own.
      for (const bool distinguish_outside : {false, true}) {
        if (!collect(distinguish_outside)) break;
        if (auto found = replace_rules()) return std::move(*found);
        u_.domains->add_relations();  // adds the relations of the failed try
        if (!needs_outside_) break;
      }
    }
    return {};
  }

 private:
  struct Made {
    EngineRule rule;
    StaticJoins::Values given;
  };
  using Pair = std::vector<std::uint32_t>;             // the coordinates of a cell, two or three
  using Pairs = std::set<std::vector<std::uint32_t>>;  // of variables

  // Null if the rules stay as they are.
  std::optional<Cells> replace_rules() {
    make_cells();
    for (const EngineRule& rule : u_.rules())
      if (!needs_outside_) rewrite(rule);
    if (needs_outside_) return std::nullopt;
    unite();
    std::vector<EngineRule> rules;
    for (Made& made : made_) rules.push_back(std::move(made.rule));
    Unground::Before before = u_.replace_rules(std::move(rules));
    if (keeps_dependencies()) {
      reached("lifted", coordinates_ == 3 ? "cells: of three columns" : "cells: of two columns");
      return std::move(cells_);
    }
    u_.take_back(std::move(before));
    return std::nullopt;
  }

  // --- Columns. ---

  // A state-dependent relation other than the outputs of the game.
  [[nodiscard]] bool open(const EngineLiteral& literal) const {
    if (!literal.relation.valid() || !u_.info(literal.relation).dynamic) return false;
    if (u_.info(literal.relation).kind != Kind::ordinary) return true;
    const Keyword keyword = program_[u_.info(literal.relation).predicate].keyword;
    return keyword == Keyword::none || keyword == Keyword::auxiliary;
  }

  [[nodiscard]] static Places places(const EngineLiteral& literal, const Columns& columns) {
    Places result;
    for (const std::uint32_t c : columns) result.push_back(literal.arguments[c]);
    return result;
  }

  // The columns of the cell to which a column belongs; null if none.
  [[nodiscard]] const Columns* group_with(RelId relation, std::uint32_t column) const {
    const auto found = groups_.find(relation);
    if (found == groups_.end()) return nullptr;
    for (const Columns& columns : found->second)
      if (std::ranges::find(columns, column) != columns.end()) return &columns;
    return nullptr;
  }

  // The tuples of variables that occur as cells in a rule.
  [[nodiscard]] Pairs pairs_of(const EngineRule& rule) const {
    Pairs result;
    rule.for_each_literal([&](const EngineLiteral& literal) {
      const auto found = groups_.find(literal.relation);
      if (!literal.relation.valid() || found == groups_.end()) return;
      for (const Columns& columns : found->second) {
        Pair variables;
        for (const Pattern p : places(literal, columns))
          if (p.is_variable() && std::ranges::find(variables, p.number()) == variables.end())
            variables.push_back(p.number());
        if (variables.size() == coordinates_) result.insert(std::move(variables));
      }
    });
    return result;
  }

  // Starts with the keys of facts, or neighbouring columns of longer keys, and spreads to columns with the same pairs
  // of variables.
  void find_columns() {
    groups_.clear();
    board_.clear();
    others_.clear();
    const Model model(program_, u_);
    for (const RelId fact : model.facts()) {
      for (const Columns& columns : boards(fact)) {
        groups_[fact] = {columns};
        if (is_board(fact)) break;
        groups_.erase(fact);
      }
    }
    while (spread()) {
    }
    if (!go_together()) groups_.clear();
  }

  // In most rules with such pairs, no state-dependent literal mentions one half of a pair alone.
  [[nodiscard]] bool go_together() const {
    std::size_t together = 0;
    std::size_t apart = 0;
    for (const EngineRule& rule : u_.rules()) {
      const auto pairs = pairs_of(rule);
      if (pairs.empty()) continue;
      bool split = false;
      rule.for_each_literal([&](const EngineLiteral& literal) {
        if (!literal.relation.valid() || !u_.info(literal.relation).dynamic) return;
        for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
          const Pattern p = literal.arguments[c];
          if (!p.is_variable() || group_with(literal.relation, c) != nullptr) continue;
          split = split || std::ranges::any_of(pairs, [&](const Pair& pair) {
                    return std::ranges::find(pair, p.number()) != pair.end();
                  });
        }
      });
      (split ? apart : together) += 1;
    }
    return apart < together;
  }

  // The whole key if it has the right length, else neighbouring columns of a longer key.
  std::vector<Columns> boards(RelId fact) const {
    const auto dependency = dependencies_.find(fact);
    Columns key;
    if (dependency != dependencies_.end()) {
      key = dependency->second.key;
    } else {
      for (std::uint32_t c = 0; c < u_.info(fact).tuples->arity(); ++c) key.push_back(c);
    }
    std::vector<Columns> result;
    if (coordinates_ > 2 && key.size() != coordinates_) return result;
    for (std::size_t first = 0; first + coordinates_ <= key.size(); ++first) {
      const auto begin = key.begin() + static_cast<std::ptrdiff_t>(first);
      const Columns columns(begin, begin + static_cast<std::ptrdiff_t>(coordinates_));
      const bool neighbours = columns.back() - columns.front() + 1 == coordinates_;
      if ((key.size() == coordinates_ || neighbours) && can_be_board(fact, columns)) result.push_back(columns);
    }
    return result;
  }

  [[nodiscard]] bool can_be_board(RelId fact, const Columns& columns) const {
    double cells = 1;
    for (const std::uint32_t c : columns) {
      const Domain& domain = u_.domains->column(fact, c);
      if (!domain.only_constants() || domain.constants().size() < 2) return false;
      if (std::ranges::all_of(domain.constants(), [&](std::uint32_t t) { return is_role(t); })) return false;
      cells *= domain.size();
    }
    return cells >= kLiftedLimits.least_cells && cells <= kLiftedLimits.cells;
  }

  [[nodiscard]] bool is_role(std::uint32_t term) const {
    return std::ranges::find(program_.roles, TermId(term)) != program_.roles.end();
  }

  // Some move contains such a pair, or some rule contains several pairs.
  [[nodiscard]] bool is_board(RelId fact) {
    return std::ranges::any_of(u_.rules(), [&](const EngineRule& rule) {
      const auto pairs = pairs_of(rule);
      bool found = pairs.size() >= kLiftedLimits.cell_pairs;
      rule.for_each_literal([&](const EngineLiteral& literal) {
        if (literal.relation.valid() && literal.relation != fact && literal.kind == Kind::move)
          found = found || !columns_with(literal, pairs).empty();
      });
      return found;
    });
  }

  // The columns in which the literal contains one of the pairs, in order, and that belong to no cell yet.
  [[nodiscard]] std::vector<Columns> columns_with(const EngineLiteral& literal, const Pairs& pairs) const {
    std::vector<Columns> result;
    const auto count = static_cast<std::uint32_t>(literal.arguments.size());
    const std::function<void(const Pair&, Columns&)> find = [&](const Pair& pair, Columns& columns) {
      if (columns.size() == pair.size()) {
        if (literal.kind != Kind::move || written_together(literal.relation, columns)) result.push_back(columns);
        return;
      }
      const std::uint32_t first = literal.kind == Kind::move ? 1 : 0;
      for (std::uint32_t c = columns.empty() ? first : columns.back() + 1; c < count; ++c) {
        if (literal.arguments[c] != Pattern::variable(pair[columns.size()])) continue;
        if (group_with(literal.relation, c) != nullptr) continue;
        columns.push_back(c);
        find(pair, columns);
        columns.pop_back();
      }
    };
    for (const Pair& pair : pairs) {
      Columns columns;
      find(pair, columns);
    }
    std::ranges::sort(result);
    return result;
  }

  // The position of a column in the form of a move.
  [[nodiscard]] std::size_t place_in(const std::string& form, std::uint32_t column) const {
    std::size_t at = form.find(kPlaceholder);
    for (std::uint32_t c = 1; c < column; ++c) at = form.find(kPlaceholder, at + 1);
    return at;
  }
  // The columns are adjacent in the form, so the text of a cell can replace them.
  [[nodiscard]] bool written_together(RelId move, const Columns& columns) const {
    const std::string form = form_of(program_, u_.info(move), move, forms_);
    for (std::size_t i = 1; i < columns.size(); ++i)
      if (columns[i] != columns[i - 1] + 1 || place_in(form, columns[i]) != place_in(form, columns[i - 1]) + 2)
        return false;
    return true;
  }

  // Adds the columns of one more pair to each relation: those that occur in most literals.
  bool spread() {
    std::map<RelId, std::map<Columns, std::size_t>> votes;
    for (const EngineRule& rule : u_.rules()) {
      const auto pairs = pairs_of(rule);
      if (pairs.empty()) continue;
      rule.for_each_literal([&](const EngineLiteral& literal) {
        if (!open(literal)) return;
        for (const Columns& columns : columns_with(literal, pairs)) ++votes[literal.relation][columns];
      });
    }
    for (const auto& [relation, list] : votes) {
      const auto better = [](const auto& a, const auto& b) {
        const auto rank = [](const auto& entry) {
          return std::pair(entry.second, -static_cast<int>(entry.first.back() - entry.first.front()));
        };
        return rank(a) < rank(b);
      };
      std::vector<Columns>& groups = groups_[relation];
      groups.push_back(std::ranges::max_element(list, better)->first);
      std::ranges::sort(groups);
    }
    return !votes.empty();
  }

  // --- Cells. ---

  // Collects all pairs of values that the columns can contain, and pairs outside the board that rules mention. False if
  // there are too many, or if some are not constants.
  bool collect(bool distinguish_outside) {
    fits_ = true;
    cells_ = {};
    number_.clear();
    joined_.clear();
    made_.clear();
    needs_outside_ = false;
    for (const auto& group : groups_) {
      const auto values = [&](std::uint32_t c) { return u_.domains->column(group.first, c).listed(); };
      for (const Columns& columns : group.second) add(columns, values, board_);
    }
    for (const EngineRule& rule : u_.rules()) {
      if (!fits_) break;
      const std::vector<Domain> domains = u_.domains->variables(rule);
      const auto values = [&](Pattern p) {
        return p.is_ground() ? Pair{p.term().value} : p.is_variable() ? domains[p.number()].listed() : std::nullopt;
      };
      rule.for_each_literal([&](const EngineLiteral& literal) {
        const auto found = literal.relation.valid() ? groups_.find(literal.relation) : groups_.end();
        if (found == groups_.end()) return;
        for (const Columns& columns : found->second)
          add(
              columns, [&](std::uint32_t c) { return values(literal.arguments[c]); },
              distinguish_outside ? board_ : others_);
      });
    }
    return fits_;
  }

  template <class F>
  void add(const Columns& columns, F&& values, std::set<Pair>& to) {
    std::vector<Pair> all = {{}};
    for (const std::uint32_t c : columns) {
      const std::optional<Pair> own = values(c);
      fits_ = fits_ && own && all.size() * own->size() <= kLiftedLimits.cells;
      if (!fits_) return;
      std::vector<Pair> longer;
      for (const Pair& pair : all) {
        for (const std::uint32_t value : *own) {
          longer.push_back(pair);
          longer.back().push_back(value);
        }
      }
      all = std::move(longer);
    }
    to.insert(all.begin(), all.end());
    fits_ = fits_ && to.size() <= kLiftedLimits.cells;
  }

  // Sorts numbers by value, other words by occurrence.
  [[nodiscard]] std::pair<std::size_t, std::string> order(std::uint32_t term) const {
    const std::string text = program_.text(TermId(term));
    return all_digits(text) ? std::pair(text.size(), text) : std::pair<std::size_t, std::string>();
  }

  void make_cells() {
    std::vector<Pair> list(board_.begin(), board_.end());
    std::ranges::stable_sort(list, {}, [&](const Pair& pair) {
      std::vector<std::pair<std::size_t, std::string>> orders;
      for (const std::uint32_t term : pair) orders.push_back(order(term));
      return orders;
    });
    const auto arity = static_cast<std::uint32_t>(coordinates_ + 1);
    at_ = u_.engine().ordinary(program_.predicate(fresh_symbol(program_, "at"), arity, Keyword::none, {}), false);
    for (const Pair& pair : list) {
      std::string text;
      for (const std::uint32_t term : pair) text += (text.empty() ? "" : "_") + program_.text(TermId(term));
      make_cell(text, {pair});
      cells_.coordinates[number_.at(pair)] = pair;
    }
    std::erase_if(others_, [&](const Pair& pair) { return board_.contains(pair); });
    if (!others_.empty()) make_cell("beside", others_);
    outside_ = others_.empty() ? 0 : number_.at(*others_.begin());
  }

  void make_cell(const std::string& name, const std::set<Pair>& pairs) {
    const std::uint32_t cell = program_.patterns.constant(fresh_symbol(program_, name)).term().value;
    for (const Pair& pair : pairs) {
      number_[pair] = cell;
      Pair tuple = {cell};
      tuple.insert(tuple.end(), pair.begin(), pair.end());
      u_.engine().insert(at_, tuple.data());
    }
  }

  // The relation with cells that replaces a relation with pairs.
  RelId joined(RelId before) {
    const auto [it, fresh] = joined_.try_emplace(before);
    if (!fresh) return it->second;
    Joined made{before, {}};
    const std::vector<Columns>& groups = groups_.at(before);
    const std::uint32_t arity = u_.info(before).tuples->arity();
    for (std::uint32_t c = 0; c < arity; ++c) {
      const Columns* group = group_with(before, c);
      if (group == nullptr)
        made.columns.push_back({c});
      else if (group->front() == c)
        made.columns.push_back(*group);
    }
    const RelId id = declare(before, static_cast<std::uint32_t>(made.columns.size()));
    for (std::uint32_t row = 0; row < u_.info(before).tuples->size(); ++row) {
      std::vector<std::uint32_t> tuple;
      for (const Columns& columns : made.columns) {
        std::vector<std::uint32_t> values;
        for (const std::uint32_t c : columns) values.push_back(u_.info(before).tuples->row(row)[c]);
        tuple.push_back(columns.size() == 1 ? values[0] : number_.at(values));
      }
      u_.engine().insert(id, tuple.data());
    }
    if (u_.info(before).kind == Kind::move) {
      std::string form = form_of(program_, u_.info(before), before, forms_);
      for (std::size_t g = groups.size(); g-- > 0;) form.erase(place_in(form, groups[g][0]), 2 * (coordinates_ - 1));
      forms_[id] = form;
    }
    cells_.relations[id] = std::move(made);
    return it->second = id;
  }

  // Reuses the name, unless another relation with this arity has it.
  RelId declare(RelId before, std::uint32_t arity) {
    const Kind kind = u_.info(before).kind;
    if (kind == Kind::ordinary) {
      const Predicate& predicate = program_[u_.info(before).predicate];
      const SymbolId name = fresh_symbol(program_, program_.symbols.str(predicate.name));
      return u_.engine().ordinary(program_.predicate(name, arity, Keyword::none, predicate.where), true);
    }
    SymbolId functor = u_.info(before).functor;
    const bool taken = std::ranges::any_of(u_.engine().shapes(kind), [&](RelId other) {
      return u_.info(other).functor == functor && u_.info(other).tuples->arity() == arity;
    });
    if (taken) functor = fresh_symbol(program_, program_.symbols.str(functor));
    return u_.engine().shape(kind, functor, arity - (kind == Kind::move ? 1 : 0));
  }

  // --- Rules. ---
  void rewrite(const EngineRule& old) {
    std::vector<SymbolId> names = old.source->variables;
    names.resize(old.variables, names.empty() ? SymbolId(0U) : names[0]);
    Made made{old.unplanned(), StaticJoins::Values(old.variables)};
    std::vector<std::uint32_t> doubtful;  // cells that may be outside the board
    std::map<std::vector<std::uint32_t>, Pattern> known;
    std::vector<EngineLiteral> places_of;
    const auto cell = [&](const Places& p) {
      Pair constants;
      std::vector<std::uint32_t> bits;
      for (const Pattern q : p) {
        bits.push_back(q.bits);
        if (q.is_ground()) constants.push_back(q.term().value);
      }
      if (constants.size() == p.size()) return Pattern::ground(TermId(number_.at(constants)));
      const auto [it, fresh] = known.try_emplace(std::move(bits));
      if (!fresh) return it->second;
      it->second = Pattern::variable(made.rule.variables++);
      std::string name;
      for (const Pattern q : p) {
        const std::string own = q.is_variable() ? program_.symbols.str(names[q.number()]) : program_.text(q.term());
        name += name.empty() ? own : "_" + own.substr(own.starts_with('?') ? 1 : 0);
      }
      names.push_back(program_.symbols.intern(name));
      made.given.emplace_back();
      // Static literals know no domains: one can hold for the cell outside because of another pair.
      if (outside_ != 0 && std::ranges::any_of(others_, [&](const Pair& pair) { return fits_constants(p, pair); }))
        doubtful.push_back(it->second.number());
      EngineLiteral& at = places_of.emplace_back();
      at.relation = at_;
      at.arguments = {it->second};
      at.arguments.insert(at.arguments.end(), p.begin(), p.end());
      return it->second;
    };
    const auto replace = [&](EngineLiteral& literal) {
      if (!literal.relation.valid()) return;
      const RelId before = literal.relation;
      const bool gives = !literal.negated && u_.info(before).dynamic && &literal != &made.rule.head;
      const auto found = groups_.find(before);
      std::vector<std::vector<std::uint32_t>> columns;
      if (found == groups_.end()) {
        for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) columns.push_back({c});
      } else {
        literal.relation = joined(before);
        columns = cells_.relations.at(literal.relation).columns;
      }
      std::vector<Pattern> arguments;
      for (const Columns& own : columns) {
        arguments.push_back(own.size() == 1 ? literal.arguments[own[0]] : cell(places(literal, own)));
        if (gives && arguments.back().is_variable()) give(made.given, arguments.back().number(), before, own);
      }
      literal.arguments = std::move(arguments);
    };
    replace(made.rule.head);
    for (EngineLiteral& literal : made.rule.body) replace(literal);
    Rule& source = u_.source_like(*old.source, 0);
    source.variables = std::move(names);
    made.rule.source = &source;
    made.rule.body.insert(made.rule.body.end(), places_of.begin(), places_of.end());
    if (!joins_.join(made.rule, at_, made.given)) return;
    needs_outside_ = needs_outside_ ||
                     std::ranges::any_of(doubtful, [&](std::uint32_t v) { return constrained_twice(made.rule, v); });
    made_.push_back(std::move(made));
  }

  // Several static literals mention the variable, and each may hold for another pair outside the board.
  [[nodiscard]] bool constrained_twice(const EngineRule& rule, std::uint32_t variable) const {
    return std::ranges::count_if(rule.body, [&](const EngineLiteral& l) {
             return l.relation.valid() && !u_.info(l.relation).dynamic && l.mentions(Pattern::variable(variable));
           }) > 1;
  }

  template <class F>
  std::set<std::uint32_t> cells_where(F&& fits) const {
    std::set<std::uint32_t> result;
    for (const auto& [pair, cell] : number_)
      if (fits(pair)) result.insert(cell);
    return result;
  }

  static bool fits_constants(const Places& p, const Pair& pair) {
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p[i].is_ground() && p[i].term().value != pair[i]) return false;
    return true;
  }

  // Intersects the values of a variable with those that a state-dependent literal allows.
  void give(StaticJoins::Values& all, std::uint32_t variable, RelId before, const Columns& columns) {
    std::set<std::uint32_t> values;
    std::vector<const Domain*> domains;
    for (const std::uint32_t c : columns) domains.push_back(joins_.possible(before, c));
    if (std::ranges::count(domains, nullptr) > 0) return;
    if (columns.size() == 1) {
      if (!domains[0]->only_constants()) return;
      values.insert(domains[0]->constants().begin(), domains[0]->constants().end());
    } else {
      const Terms& terms = program_.patterns.terms;
      values = cells_where([&](const auto& pair) {
        for (std::size_t i = 0; i < columns.size(); ++i)
          if (!domains[i]->contains(terms, TermId(pair[i]))) return false;
        return true;
      });
    }
    auto& given = all[variable];
    if (given) std::erase_if(values, [&](std::uint32_t t) { return !given->contains(t); });
    given = std::move(values);
  }

  void unite() {
    for (std::size_t i = 0; i < made_.size(); ++i) {
      for (std::size_t j = i + 1; j < made_.size(); ++j) {
        auto both = joins_.unite(made_[i].rule, made_[j].rule, made_[i].given);
        if (!both) continue;
        made_[i].rule = std::move(*both);
        made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(j));
        --j;
      }
    }
  }

  // Keeps all dependencies except those of per-state relations, and then recomputes them for the new rules.
  bool keeps_dependencies() {
    if (!u_.domains->usable() || !u_.domains->complete()) return false;
    Model model(program_, u_);
    Dependencies found = find_dependencies(model, proofs_, kLiftedEfforts.cells);
    for (const RelId fact : model.facts()) {
      const auto made = cells_.relations.find(fact);
      const auto before = dependencies_.find(made == cells_.relations.end() ? fact : made->second.before);
      if (before == dependencies_.end()) continue;
      const auto now = found.find(fact);
      const bool less = now == found.end() || now->second.key.size() > before->second.key.size();
      if (less && model.kept(fact)) return false;
    }
    dependencies_ = std::move(found);
    return true;
  }

  Program& program_;
  Unground& u_;
  Dependencies& dependencies_;
  Forms& forms_;
  Proofs& proofs_;
  StaticJoins joins_;
  std::size_t coordinates_ = 2;  // of each cell
  std::map<RelId, std::vector<Columns>> groups_;
  bool fits_ = true;
  std::set<Pair> board_, others_;
  std::map<Pair, std::uint32_t> number_;  // the cell of a pair
  std::uint32_t outside_ = 0;             // the cell of all pairs outside the board; 0 if there are none
  bool needs_outside_ = false;
  std::map<RelId, RelId> joined_;
  RelId at_;
  std::vector<Made> made_;
  Cells cells_;
};

}  // namespace

Cells join_cells(Program& program, Unground& unground, Dependencies& dependencies, Forms& forms, Proofs& proofs) {
  return CellSearch(program, unground, dependencies, forms, proofs).run();
}

}  // namespace rgtrans::gdl::lifted
