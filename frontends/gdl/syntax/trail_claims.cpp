#include "frontends/gdl/syntax/trail_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace rgtrans::gdl {

namespace {

class ClaimsAboutLists {
 public:
  ClaimsAboutLists(const Program& before, const Program& after)
      : p_(after), known_(before.predicates.size()), written_(after.predicates.size()) {}

  std::vector<ir::RuleClaim> run() {
    for (std::uint32_t id = 0; id < known_; ++id)
      if (can_be_asked(PredId(id)) && asks_made(PredId(id))) claim(PredId(id));
    return std::move(claims_);
  }

 private:
  // A relation that the author has not written.
  [[nodiscard]] bool made(PredId id) const { return id.value >= known_ || p_[id].keyword == Keyword::auxiliary; }
  [[nodiscard]] bool can_be_asked(PredId id) const {
    const Keyword k = p_[id].keyword;
    return k == Keyword::none || k == Keyword::legal || k == Keyword::goal || k == Keyword::terminal;
  }
  [[nodiscard]] bool asks_made(PredId id) const {
    return std::ranges::any_of(p_.rules, [&](const Rule& rule) {
      return rule.head.predicate == id &&
             std::ranges::any_of(rule.body, [&](const Literal& l) { return l.predicate.value >= known_; });
    });
  }

  void claim(PredId id) {
    text_.clear();
    written_.assign(written_.size(), false);
    const std::string other = fmt::format("without-lists-{}", id.value);
    for (const Rule& rule : p_.rules)
      if (rule.head.predicate == id) write(rule, other);
    std::string variables;
    for (std::uint32_t c = 0; c < p_[id].arity; ++c) variables += fmt::format(" ?v{}", c);
    const std::string one = fmt::format("({}{})", p_.symbols.text(p_[id].name), variables);
    text_ += fmt::format("(<= violated {} (not ({}{})))\n", one, other, variables);
    text_ += fmt::format("(<= violated ({}{}) (not {}))\n", other, variables, one);
    claims_.push_back({"lists make no difference", text_});
  }

  void write(const Rule& rule, const std::string& head) {
    std::string text = fmt::format("(<= {}", sentence(head, rule.head));
    for (const Literal& literal : rule.body) {
      const std::string own = sentence(name(literal.predicate), literal);
      text += literal.negated ? fmt::format(" (not {})", own) : " " + own;
    }
    text_ += text + ")\n";
    for (const Literal& literal : rule.body)
      if (made(literal.predicate)) define(literal.predicate);
  }
  void define(PredId id) {
    if (written_[id.value]) return;
    written_[id.value] = true;
    for (const Rule& rule : p_.rules)
      if (rule.head.predicate == id) write(rule, name(id));
    for (const Fact& fact : p_.facts) {
      if (fact.predicate != id) continue;
      std::string text = "(" + name(id);
      for (const TermId term : p_.arguments(fact)) text += " " + p_.text(term);
      text_ += text + ")\n";
    }
  }

  [[nodiscard]] std::string name(PredId id) const {
    return made(id) ? fmt::format("walk-{}", id.value) : std::string(p_.symbols.text(p_[id].name));
  }
  [[nodiscard]] std::string sentence(const std::string& relation, const Literal& literal) const {
    std::string text = "(" + relation;
    for (const Pattern p : literal.arguments) text += " " + term(p);
    return text + ")";
  }
  [[nodiscard]] std::string term(Pattern p) const {
    if (p.is_variable()) return fmt::format("?v{}", p.number());
    if (p.is_ground()) return p_.text(p.term());
    std::string text = fmt::format("({}", p_.symbols.text(p_.patterns.symbol(p)));
    for (std::uint32_t i = 0; i < p_.patterns.arity(p); ++i) text += " " + term(p_.patterns.argument(p, i));
    return text + ")";
  }

  const Program& p_;
  std::size_t known_;
  std::vector<bool> written_;
  std::string text_;
  std::vector<ir::RuleClaim> claims_;
};

}  // namespace

std::vector<ir::RuleClaim> claims_about_lists(const Program& before, const Program& after) {
  return ClaimsAboutLists(before, after).run();
}

}  // namespace rgtrans::gdl
