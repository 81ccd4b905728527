#include "frontends/gdl/syntax/separate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/support/coverage.hpp"

namespace rgtrans::gdl {

namespace {

class Separation {
 public:
  explicit Separation(Program& program) : p_(program), component_(program.components()) {}

  void run() {
    const auto count = static_cast<std::uint32_t>(component_.size());
    for (std::uint32_t p = 0; p < count; ++p)
      if (const auto column = column_of(PredId(p))) apply(PredId(p), *column);
  }

 private:
  // The column that is a constant in all rules for a relation, and in all uses within its recursive component.
  [[nodiscard]] std::optional<std::size_t> column_of(PredId p) const {
    const Keyword k = p_[p].keyword;
    if (k != Keyword::none && k != Keyword::auxiliary && k != Keyword::goal) return std::nullopt;
    if (std::ranges::any_of(p_.facts, [&](const Fact& f) { return f.predicate == p; })) return std::nullopt;
    std::vector<bool> fits(p_[p].arity, true);
    bool asks_itself = false;
    const auto look = [&](const Literal& l) {
      for (std::size_t c = 0; c < fits.size(); ++c) fits[c] = fits[c] && l.arguments[c].is_ground();
    };
    for (const Rule& rule : p_.rules) {
      if (rule.head.predicate == p) look(rule.head);
      // Relations created here have no component; their rules use constants only.
      const PredId head = rule.head.predicate;
      const bool inside = head.value >= component_.size() || component_[head.value] == component_[p.value];
      for (const Literal& l : rule.body) {
        if (l.predicate != p || !inside) continue;
        look(l);
        asks_itself = true;
      }
    }
    const auto found = std::ranges::find(fits, true);
    if (!asks_itself || found == fits.end()) return std::nullopt;
    return static_cast<std::size_t>(found - fits.begin());
  }

  void apply(PredId p, std::size_t column) {
    reached("lifted", "separate");
    std::map<TermId, PredId> parts;
    const auto part_of = [&](TermId value) {
      const auto [it, fresh] = parts.try_emplace(value);
      if (fresh) it->second = make(p, value);
      return it->second;
    };
    for (Rule& rule : p_.rules) {
      const auto replace = [&](Literal& l) {
        if (l.predicate != p || !l.arguments[column].is_ground()) return;
        l.predicate = part_of(l.arguments[column].term());
        l.arguments.erase(l.arguments.begin() + static_cast<std::ptrdiff_t>(column));
      };
      replace(rule.head);
      for (Literal& l : rule.body) replace(l);
    }
    for (const auto& [value, part] : parts) collect(p, column, value, part);
  }

  PredId make(PredId p, TermId value) {
    const std::string name = p_.symbols.str(p_[p].name) + " " + p_.text(value);
    const PredId part = p_.predicate(p_.symbols.intern(name), p_[p].arity - 1, Keyword::auxiliary, p_[p].where);
    p_.predicates[part.value].defined = true;
    return part;
  }

  // The original relation contains its part.
  void collect(PredId p, std::size_t column, TermId value, PredId part) {
    Rule& rule = p_.rules.emplace_back();
    rule.where = p_[p].where;
    rule.head = {p, false, {}, rule.where};
    rule.body.push_back({part, false, {}, rule.where});
    for (std::size_t c = 0; c < p_[p].arity; ++c) {
      if (c == column) {
        rule.head.arguments.push_back(Pattern::ground(value));
        continue;
      }
      const Pattern variable = Pattern::variable(static_cast<std::uint32_t>(rule.variables.size()));
      rule.variables.push_back(p_.symbols.intern(fmt::format("?{}", rule.variables.size() + 1)));
      rule.head.arguments.push_back(variable);
      rule.body[0].arguments.push_back(variable);
    }
  }

  Program& p_;
  std::vector<std::uint32_t> component_;
};

}  // namespace

void separate(Program& program) { Separation(program).run(); }

}  // namespace rgtrans::gdl
