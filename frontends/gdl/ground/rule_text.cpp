#include "frontends/gdl/ground/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace rgtrans::gdl {

namespace {

using Texts = std::vector<std::string>;

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// `(name a b)`, or the name alone.
std::string list(const std::string& name, const Texts& arguments) {
  return arguments.empty() ? name : fmt::format("({} {})", name, fmt::join(arguments, " "));
}

std::string negated_if(bool negated, std::string literal) {
  return negated ? "(not " + literal + ")" : std::move(literal);
}

std::string rule(const std::string& head, const Texts& body) {
  return body.empty() ? head + '\n' : fmt::format("(<= {}\n    {})\n", head, fmt::join(body, "\n    "));
}

class RulePrinter {
 public:
  explicit RulePrinter(const Program& program) : p_(program) {
    for (const Predicate& predicate : p_.predicates)
      if (is_keyword(predicate)) used_.insert(keyword(predicate));
    for (const char* const word : {"true", "does", "next", "legal", "not", "or", "and", "distinct", "<="})
      used_.insert(word);
  }

  std::string run() {
    std::string roles, out;
    for (const Fact& fact : p_.facts) {
      Texts arguments;
      for (const TermId term : p_.arguments(fact)) arguments.push_back(p_.text(term));
      (p_[fact.predicate].keyword == Keyword::role ? roles : out) += list(name(fact.predicate), arguments) + '\n';
    }
    for (const Rule& r : p_.rules) {
      name_variables(r.variables, r.variables.size());
      Texts body;
      for (const Literal& l : r.body)
        body.push_back(negated_if(l.negated, list(name(l.predicate), terms(l.arguments))));
      out += rule(list(name(r.head.predicate), terms(r.head.arguments)), body);
    }
    return roles + out;
  }

  std::string run(const Unground& unground, std::span<const EngineRule> rules) {
    std::string out;
    for (const TermId role : p_.roles) out += list("role", {p_.text(role)}) + '\n';
    std::set<RelId> queried;
    for (const EngineRule& r : rules)
      r.for_each_literal([&](const EngineLiteral& l) {
        if (l.relation.valid()) queried.insert(l.relation);
      });
    for (const RelId relation : queried) out += tuples(unground.info(relation));
    for (const EngineRule& r : rules) {
      name_variables(r.source->variables, r.variables);
      Texts body;
      for (const EngineLiteral& l : r.body) body.push_back(negated_if(l.negated, literal(unground, l)));
      out += rule(literal(unground, r.head), body);
    }
    return out;
  }

  std::string run(const Unground& unground, const EngineRule& rule, const EngineLiteral& l) {
    name_variables(rule.source->variables, rule.variables);
    return negated_if(l.negated, literal(unground, l));
  }
  std::string variable(const EngineRule& rule, std::uint32_t variable) {
    name_variables(rule.source->variables, rule.variables);
    return variables_[variable];
  }

 private:
  [[nodiscard]] static bool is_keyword(const Predicate& p) {
    return p.keyword != Keyword::none && p.keyword != Keyword::auxiliary;
  }
  [[nodiscard]] std::string keyword(const Predicate& p) const { return lower_case(p_.symbols.str(p.name)); }

  // Relations whose names differ only in characters that GDL does not allow get numbers.
  const std::string& name(PredId id) {
    std::string& result = names_[id];
    if (!result.empty()) return result;
    if (is_keyword(p_[id])) return result = keyword(p_[id]);
    std::string wish = p_.symbols.str(p_[id].name);
    for (char& c : wish)
      if (std::string_view(" #?;\"()").find(c) != std::string_view::npos) c = '_';
    result = wish;
    for (int i = 2; !used_.insert(result).second; ++i) result = fmt::format("{}_{}", wish, i);
    return result;
  }

  void name_variables(const std::vector<SymbolId>& names, std::size_t count) {
    variables_.clear();
    std::set<std::string> used;
    for (std::size_t v = 0; v < count; ++v) {
      std::string wish = v < names.size() ? std::string(p_.symbols.str(names[v])) : "v";
      if (!wish.starts_with('?')) wish = "?" + wish;
      std::string result = wish;
      for (int i = 2; !used.insert(result).second; ++i) result = fmt::format("{}_{}", wish, i);
      variables_.push_back(std::move(result));
    }
  }

  [[nodiscard]] std::string term(Pattern p) const {
    if (p.is_variable()) return variables_[p.number()];
    if (p.is_ground()) return p_.text(p.term());
    Texts arguments;
    for (std::uint32_t i = 0; i < p_.patterns.arity(p); ++i) arguments.push_back(term(p_.patterns.argument(p, i)));
    return list(std::string(p_.symbols.str(p_.patterns.symbol(p))), arguments);
  }
  [[nodiscard]] Texts terms(std::span<const Pattern> patterns) const {
    Texts result;
    for (const Pattern p : patterns) result.push_back(term(p));
    return result;
  }

  std::string literal(const Unground& unground, const EngineLiteral& l) {
    using Kind = RelationInfo::Kind;
    if (l.kind == Kind::ordinary)
      return list(l.relation.valid() ? name(unground.info(l.relation).predicate) : "distinct", terms(l.arguments));
    Texts arguments = terms(l.arguments);
    const bool move = l.kind == Kind::move;
    if (l.relation.valid()) {
      const auto first = arguments.begin() + (move ? 1 : 0);
      std::string inner = list(p_.symbols.str(unground.info(l.relation).functor), Texts(first, arguments.end()));
      arguments.erase(first, arguments.end());
      arguments.push_back(std::move(inner));
    }
    return list(move ? (l.derived ? "legal" : "does") : l.derived ? "next" : "true", arguments);
  }

  std::string tuples(const RelationInfo& info) {
    const bool fact = info.kind == RelationInfo::Kind::fact;
    if (!fact && (info.kind == RelationInfo::Kind::move || info.dynamic)) return {};
    std::string out;
    for (std::uint32_t row = 0; row < info.tuples->size(); ++row) {
      Texts arguments;
      for (std::uint32_t c = 0; c < info.tuples->arity(); ++c)
        arguments.push_back(p_.text(TermId(info.tuples->row(row)[c])));
      out += (fact ? list("init", {list(p_.symbols.str(info.functor), arguments)})
                   : list(name(info.predicate), arguments)) +
             '\n';
    }
    return out;
  }

  const Program& p_;
  std::map<PredId, std::string> names_;
  std::set<std::string> used_;
  Texts variables_;  // of the current rule
};

}  // namespace

std::string rule_text(const Program& program) { return RulePrinter(program).run(); }

std::string literal_text(const Program& program, const Unground& unground, const EngineRule& rule,
                         const EngineLiteral& literal) {
  return RulePrinter(program).run(unground, rule, literal);
}

std::string variable_name(const Program& program, const EngineRule& rule, std::uint32_t variable) {
  return RulePrinter(program).variable(rule, variable);
}

std::string rule_text(const Program& program, const Unground& unground, std::span<const EngineRule> rules) {
  return RulePrinter(program).run(unground, rules);
}

}  // namespace rgtrans::gdl
