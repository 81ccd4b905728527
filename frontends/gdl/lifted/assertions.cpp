#include "frontends/gdl/lifted/assertions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "frontends/gdl/lifted/author.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Texts = AuthorTerms::Texts;

class Writer : AuthorTerms {
 public:
  Writer(Model& model, const Turns& turns, const Parted& parted, const Cells& cells, const Forms& forms)
      : AuthorTerms(model.program(), model.unground(), parted, cells, forms),
        m_(model),
        turns_(turns),
        parted_(parted) {}

  std::vector<ir::RuleClaim> run() {
    for (const auto& [fact, dependency] : parted_.dependencies)
      if (std::ranges::find(m_.facts(), fact) != m_.facts().end() && sayable(fact)) of_fact(fact, dependency);
    of_turns();
    for (const RelId shape : m_.moves())
      if (const auto holder = m_.holder(shape)) of_mover(shape, *holder);
    return std::move(result_);
  }

 private:
  void add(const char* kind, std::string rules) {
    for (const auto& [relation, column] : listed_)
      for (const std::uint32_t term : m_.terms(m_.column(relation, column)))
        rules += fmt::format("({} {})\n", values_of(relation, column), m_.text(TermId(term)));
    listed_.clear();
    if (!rules.empty()) result_.push_back({kind, std::move(rules)});
  }

  // --- Sentences. ---

  // A variable for each of the author's columns in a column.
  [[nodiscard]] Texts variables(RelId relation, std::uint32_t column, char name) const {
    Texts texts;
    for (std::size_t i = 0; i < width(relation, column); ++i) texts.push_back(fmt::format("?{}{}_{}", name, column, i));
    return texts;
  }
  // The name of a relation with the possible values of a column.
  static std::string values_of(RelId relation, std::uint32_t column) {
    return fmt::format("claim-values-{}-{}", relation.value, column);
  }
  // False if only the cells distinguish the facts from others of the functor.
  [[nodiscard]] bool sayable(RelId relation) const {
    for (std::uint32_t c = 0; c < m_.info(relation).tuples->arity() && partial(relation); ++c)
      if (width(relation, c) > 1) return false;
    return true;
  }
  template <class F>
  [[nodiscard]] std::string fact(RelId relation, F&& column) {
    std::vector<Texts> columns;
    std::string within;
    for (std::uint32_t c = 0; c < m_.info(relation).tuples->arity(); ++c) {
      columns.push_back(column(c));
      if (!partial(relation) || width(relation, c) > 1) continue;
      listed_.emplace(relation, c);
      within += fmt::format(" ({} {})", values_of(relation, c), columns.back()[0]);
    }
    return "(true " + term(relation, columns) + ")" + within;
  }
  [[nodiscard]] std::string any_fact(RelId relation, char name) {
    return fact(relation, [&](std::uint32_t c) { return variables(relation, c, name); });
  }

  // --- Claims. ---

  void of_fact(RelId relation, const Dependency& dependency) {
    const auto with_key = [&](char name) {
      return fact(relation, [&](std::uint32_t c) {
        const bool key = std::ranges::find(dependency.key, c) != dependency.key.end();
        return variables(relation, c, key ? 'k' : name);
      });
    };
    std::string rules;
    for (const std::uint32_t c : dependency.values) {
      const Texts a = variables(relation, c, 'a');
      const Texts b = variables(relation, c, 'b');
      for (std::size_t i = 0; i < a.size(); ++i)
        rules += fmt::format("(<= violated {} {} (distinct {} {}))\n", with_key('a'), with_key('b'), a[i], b[i]);
    }
    add("columns determine a value", std::move(rules));
    for (const RelId other : dependency.excludes)
      if (sayable(other))
        add("facts exclude each other",
            fmt::format("(<= violated {} {})\n", any_fact(relation, 'a'), any_fact(other, 'b')));
    for (const Dependency::Inclusion& inclusion : dependency.implies)
      if (sayable(inclusion.in)) implied(relation, inclusion);
  }

  // Inclusion dependency: some fact of the other functor has the same values in pairs of columns.
  void implied(RelId relation, const Dependency::Inclusion& inclusion) {
    std::string shared;
    const std::string other = fact(inclusion.in, [&](std::uint32_t c) {
      const auto same = inclusion.columns.find(c);
      if (same == inclusion.columns.end()) return variables(inclusion.in, c, 'b');
      const Texts own = variables(relation, same->second, 'a');
      for (const std::string& v : own) shared += " " + v;
      return own;
    });
    const std::string name = fmt::format("claim-implied-{}", result_.size());
    add("a fact implies another", fmt::format("(<= ({0}{1}) {2})\n(<= violated {3} (not ({0}{1})))\n", name, shared,
                                              other, any_fact(relation, 'a')));
  }

  // Exactly one of the scalars holds, and only the deciding roles have more than one move.
  void of_turns() {
    const auto sayable_scalar = [&](const Turns::Scalar& s) { return sayable(s.relation); };
    if (!std::ranges::all_of(turns_.scalars, sayable_scalar)) return;
    if (!turns_.scalars.empty()) {
      std::string rules;
      for (std::size_t i = 0; i < turns_.scalars.size(); ++i) {
        const std::string held = any_fact(turns_.scalars[i].relation, 'a');
        rules += fmt::format("(<= claim-held {})\n", held);
        for (std::size_t k = 0; k < i; ++k)
          rules += fmt::format("(<= violated {} {})\n", held, any_fact(turns_.scalars[k].relation, 'b'));
      }
      add("exactly one fact holds", rules + "(<= violated (not claim-held))\n");
    }
    for (const Turns::Phase& phase : turns_.phases) {
      Texts when;
      for (const auto& [scalar, term] : phase.values) {
        const Turns::Scalar& s = turns_.scalars[scalar];
        when.push_back(fact(s.relation, [&, term = term](std::uint32_t c) {
          return c == s.column ? value(TermId(term)) : variables(s.relation, c, 'a');
        }));
      }
      if (phase.values.empty()) when.emplace_back();
      std::string rules;
      for (std::size_t r = 0; r < phase.forced.size(); ++r) {
        if (!phase.forced[r]) continue;
        const std::string role = m_.text(m_.program().roles[r]);
        const std::string move = term(*phase.forced[r], {{role}});
        for (const std::string& condition : when) {
          rules += fmt::format("(<= violated {} (legal {} ?m) (distinct ?m {}))\n", condition, role, move);
          rules += fmt::format("(<= violated {} (not (legal {} {})))\n", condition, role, move);
        }
      }
      add("a role has one move", std::move(rules));
    }
  }

  // The scalar equals the role that makes the move, and that role makes no other moves.
  void of_mover(RelId shape, const std::pair<RelId, std::uint32_t>& holder) {
    const RelId scalar = holder.first;
    const std::uint32_t column = holder.second;
    if (!sayable(scalar)) return;
    std::string rules;
    for (const RelId move : m_.moves()) {
      if (m_.rules({move, true}).empty()) continue;
      const char name = move == shape ? 'h' : 'r';
      std::vector<Texts> columns = {{"?r"}};
      for (std::uint32_t c = 1; c < m_.info(move).tuples->arity(); ++c) columns.push_back(variables(move, c, 'm'));
      const std::string held = fact(scalar, [&](std::uint32_t c) {
        return c == column ? Texts{std::string("?") + name} : variables(scalar, c, 'a');
      });
      rules += fmt::format("(<= violated (does ?r {}) {}{})\n", term(move, columns), held,
                           move == shape ? " (distinct ?r ?h)" : "");
    }
    add("the turn determines the move", std::move(rules));
  }

  Model& m_;
  const Turns& turns_;
  const Parted& parted_;
  std::set<std::pair<RelId, std::uint32_t>> listed_;  // columns whose values the current rules need
  std::vector<ir::RuleClaim> result_;
};

}  // namespace

std::vector<ir::RuleClaim> assertions(Model& model, const Turns& turns, const Parted& parted, const Cells& cells,
                                      const Forms& forms) {
  return Writer(model, turns, parted, cells, forms).run();
}

}  // namespace rgtrans::gdl::lifted
