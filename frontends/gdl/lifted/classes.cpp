#include "frontends/gdl/lifted/classes.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/support/coverage.hpp"
#include "frontends/gdl/lifted/flatten.hpp"
#include "frontends/gdl/lifted/model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Kind = RelationInfo::Kind;

class Parting {
 public:
  Parting(Program& program, Unground& unground, Proofs& proofs) : program_(program), u_(unground), proofs_(proofs) {}

  Parted run() {
    Model model(program_, u_);
    Dependencies whole = find_dependencies(model, proofs_, kLiftedEfforts.classes);
    for (const RelId fact : model.facts())
      if (!whole.contains(fact)) find_classes(fact);
    // If some candidates are useless, tries the others once more.
    for (int tries = 0; tries < 2 && !candidates_.empty(); ++tries)
      if (auto found = apply()) return {std::move(*found), parts()};
    return {std::move(whole), {}};
  }

 private:
  struct Class {
    std::vector<std::uint32_t> values;
    RelId part;
  };
  struct Candidate {
    std::uint32_t column = 0;
    std::vector<Class> classes;
  };
  using Chosen = std::map<std::uint32_t, std::pair<RelId, std::size_t>>;  // variable -> fact and class

  // The dependencies, if every candidate has a class with a smaller key. Otherwise restores the rules and removes the
  // useless candidates.
  std::optional<Dependencies> apply() {
    make_parts();
    made_.clear();
    for (const EngineRule& rule : u_.rules()) {
      variants_ = 0;
      values_ = u_.domains->variables(rule);
      rewrite(rule.unplanned(), 0, {});
    }
    Unground::Before before = u_.replace_rules(std::move(made_));
    if (too_many_ || !u_.domains->usable()) {
      candidates_.clear();
    } else {
      Model model(program_, u_);
      Dependencies found = find_dependencies(model, proofs_, kLiftedEfforts.classes);
      const auto useless = [&](const auto& candidate) {
        return std::ranges::none_of(candidate.second.classes, [&](const Class& c) { return found.contains(c.part); });
      };
      if (std::erase_if(candidates_, useless) == 0) return found;
    }
    u_.take_back(std::move(before));
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Part> parts() const {
    std::vector<Part> result;
    for (const auto& [fact, candidate] : candidates_) {
      for (const Class& c : candidate.classes) {
        Part& part = result.emplace_back(Part{fact, c.part, candidate.column, {}});
        if (c.values.size() == 1) part.value = TermId(c.values[0]);
      }
    }
    return result;
  }

  // --- Candidates. ---
  void find_classes(RelId fact) {
    const std::uint32_t arity = u_.info(fact).tuples->arity();
    for (std::uint32_t c = 0; c < arity && arity > 1; ++c) {
      std::vector<Class> classes = classes_of(fact, c);
      if (classes.size() < 2 || classes.size() > kLiftedLimits.classes) continue;
      candidates_[fact] = {c, std::move(classes)};
      return;
    }
  }

  // Partitions the values: the values that one rule assigns to the column are in one class. Frames do not count.
  std::vector<Class> classes_of(RelId fact, std::uint32_t column) const {
    const Domain& domain = u_.domains->column(fact, column);
    if (!domain.only_constants() || domain.constants().size() > kLiftedLimits.class_values) return {};
    const std::vector<std::uint32_t> values(domain.constants().begin(), domain.constants().end());
    const auto place = [&](std::uint32_t value) {
      return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    };
    boost::disjoint_sets_with_storage<> sets(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sets.make_set(i);
    for (const EngineRule& rule : u_.rules()) {
      if (rule.head.relation != fact || !rule.head.derived) continue;
      const Pattern p = rule.head.arguments[column];
      if (!p.is_variable() || Model::frame_literal(rule)) continue;
      const Domain given = u_.domains->variables(rule)[p.number()];
      for (const std::uint32_t value : given.constants())
        if (place(value) < values.size()) sets.union_set(place(value), place(given.constants()[0]));
    }
    std::map<std::size_t, Class> found;
    for (std::size_t i = 0; i < values.size(); ++i) found[sets.find_set(i)].values.push_back(values[i]);
    std::vector<Class> result;
    for (auto& [set, part] : found) result.push_back(std::move(part));
    return result;
  }

  // --- Parts. ---
  void make_parts() {
    for (auto& [fact, candidate] : candidates_) {
      const std::string functor = program_.symbols.str(u_.info(fact).functor);
      const std::uint32_t arity = u_.info(fact).tuples->arity();
      if (candidate.classes[0].part.valid()) continue;
      reached("lifted", "classes");
      for (Class& part : candidate.classes) {
        const bool single = part.values.size() == 1;
        const std::string wish =
            functor + "_" + (single ? program_.text(TermId(part.values[0])) : std::string("other"));
        part.part = u_.engine().shape(Kind::fact, fresh_symbol(program_, wish), single ? arity - 1 : arity);
      }
      for (std::uint32_t row = 0; row < u_.info(fact).tuples->size(); ++row) {
        const std::uint32_t* const old = u_.info(fact).tuples->row(row);
        std::vector<std::uint32_t> tuple(old, old + arity);
        const Class& part = candidate.classes[class_of(candidate, tuple[candidate.column])];
        if (part.values.size() == 1) tuple.erase(tuple.begin() + candidate.column);
        u_.engine().insert(part.part, tuple.data());
      }
    }
  }
  static std::size_t class_of(const Candidate& candidate, std::uint32_t value) {
    const auto has = [&](const Class& c) { return std::ranges::find(c.values, value) != c.values.end(); };
    return static_cast<std::size_t>(std::ranges::find_if(candidate.classes, has) - candidate.classes.begin());
  }

  // --- Rules. ---
  // Rewrites the literals from `at` on, with the head as number 0. `chosen` contains the classes of the variables that
  // stay.
  void rewrite(EngineRule rule, std::size_t at, Chosen chosen) {
    if (too_many_) return;
    if (at > rule.body.size()) {
      too_many_ = ++variants_ > kLiftedLimits.class_variants;
      made_.push_back(std::move(rule));
      return;
    }
    const EngineLiteral& literal = at == 0 ? rule.head : rule.body[at - 1];
    const auto found = literal.relation.valid() ? candidates_.find(literal.relation) : candidates_.end();
    if (found == candidates_.end()) return rewrite(std::move(rule), at + 1, std::move(chosen));
    const auto& [fact, candidate] = *found;
    const Pattern p = literal.arguments[candidate.column];
    if (p.is_ground()) return with_class(std::move(rule), at, candidate, class_of(candidate, p.term().value), chosen);
    const auto known = chosen.find(p.number());
    if (known != chosen.end() && known->second.first == fact)
      return with_class(std::move(rule), at, candidate, known->second.second, chosen);
    // A negated literal does not restrict its variable to a class, and no variable has classes of two facts, so these
    // are instantiated.
    const bool one_by_one = literal.negated || known != chosen.end();
    for (std::size_t c = 0; c < candidate.classes.size(); ++c) {
      std::vector<std::uint32_t> values = candidate.classes[c].values;
      const std::span<const std::uint32_t> possible = values_[p.number()].constants();
      std::erase_if(values, [&](std::uint32_t v) { return std::ranges::find(possible, v) == possible.end(); });
      if (one_by_one || candidate.classes[c].values.size() == 1) {
        for (const std::uint32_t value : values) rewrite(substituted(rule, p, value), at, chosen);
      } else if (!values.empty()) {
        Chosen more = chosen;
        more[p.number()] = {fact, c};
        with_class(rule.unplanned(), at, candidate, c, more);
      }
    }
    if (literal.negated) without_class(rule, at, candidate, p, chosen);
  }

  // A negated literal is true for values that no fact has.
  void without_class(const EngineRule& rule, std::size_t at, const Candidate& candidate, Pattern p,
                     const Chosen& chosen) {
    const Domain& possible = values_[p.number()];
    too_many_ = too_many_ || !possible.only_constants();
    for (const std::uint32_t value : possible.constants())
      if (class_of(candidate, value) == candidate.classes.size())
        with_class(substituted(rule, p, value), at, candidate, candidate.classes.size(), chosen);
  }

  void with_class(EngineRule rule, std::size_t at, const Candidate& candidate, std::size_t number,
                  const Chosen& chosen) {
    EngineLiteral& literal = at == 0 ? rule.head : rule.body[at - 1];
    if (number == candidate.classes.size()) {  // no fact has this value
      if (!literal.negated) return;
      rule.body.erase(rule.body.begin() + static_cast<std::ptrdiff_t>(at) - 1);
      return rewrite(std::move(rule), at, chosen);
    }
    const Class& part = candidate.classes[number];
    literal.relation = part.part;
    if (part.values.size() == 1) literal.arguments.erase(literal.arguments.begin() + candidate.column);
    rewrite(std::move(rule), at + 1, chosen);
  }

  static EngineRule substituted(const EngineRule& rule, Pattern variable, std::uint32_t value) {
    EngineRule result = rule.unplanned();
    result.for_each_literal(
        [&](EngineLiteral& l) { std::ranges::replace(l.arguments, variable, Pattern::ground(TermId(value))); });
    return result;
  }

  Program& program_;
  Unground& u_;
  Proofs& proofs_;
  std::map<RelId, Candidate> candidates_;
  std::vector<Domain> values_;  // of the variables of the current rule
  std::size_t variants_ = 0;
  bool too_many_ = false;
  std::vector<EngineRule> made_;
};

}  // namespace

Parted part_classes(Program& program, Unground& unground, Proofs& proofs) {
  return Parting(program, unground, proofs).run();
}

}  // namespace rgtrans::gdl::lifted
