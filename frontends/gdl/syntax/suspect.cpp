// Warns about legal text that is nearly always a slip. Examples are names that are defined and never used, or used and
// never defined, if one looks like a misspelling of the other. Others are facts or moves with an unusual number of
// arguments.
#include <fmt/format.h>

#include <map>
#include <set>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

namespace {

std::string arguments(std::uint32_t count) {
  return count == 0 ? "without arguments" : count == 1 ? "with 1 argument" : fmt::format("with {} arguments", count);
}

class Suspicions {
 public:
  Suspicions(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void run() {
    relations();
    roles();
    const Terms made = look({Keyword::init, Keyword::next}, {}, 0);
    const Terms asked = look({}, {Keyword::fact}, 0);
    never_made(asked, made, "no rule for init or next makes the fact '{}' true");
    never_asked(made, asked);
    arities(made, asked, "fact");
    const Terms offered = look({Keyword::legal}, {}, 1);
    const Terms chosen = look({}, {Keyword::does}, 1);
    never_made(chosen, offered, "no role ever has a move '{}'");
    arities(offered, chosen, "move");
  }

 private:
  // The terms at one argument position of some keywords, by functor and arity, with their first mention.
  struct Terms {
    std::map<SymbolId, std::map<std::uint32_t, Range>> by_name;
    bool open = false;  // a variable occurs there, so the term can be anything
  };

  [[nodiscard]] Keyword keyword(PredId id) const { return program_[id].keyword; }
  [[nodiscard]] std::string text(SymbolId name) const { return program_.symbols.str(name); }

  Terms look(std::set<Keyword> heads, std::set<Keyword> bodies, std::size_t place) const {
    Terms terms;
    const auto add = [&](Pattern p, Range where) {
      if (p.is_variable()) {
        terms.open = true;
      } else {
        terms.by_name[program_.patterns.symbol(p)].try_emplace(program_.patterns.arity(p), where);
      }
    };
    for (const Fact& fact : program_.facts) {
      if (heads.contains(keyword(fact.predicate))) add(Pattern::ground(program_.arguments(fact)[place]), fact.where);
    }
    for (const Rule& rule : program_.rules) {
      if (heads.contains(keyword(rule.head.predicate))) add(rule.head.arguments[place], rule.head.where);
      for (const Literal& literal : rule.body) {
        if (bodies.contains(keyword(literal.predicate))) add(literal.arguments[place], literal.where);
      }
    }
    return terms;
  }

  // The most similar name in one collection that the other one lacks.
  [[nodiscard]] std::string near(SymbolId name, const Terms& candidates, const Terms& known) const {
    std::vector<std::string_view> names;
    for (const auto& [other, arities] : candidates.by_name) {
      if (!known.by_name.contains(other)) names.push_back(program_.symbols.text(other));
    }
    const std::string hint = did_you_mean(program_.symbols.text(name), names);
    if (!hint.empty()) return hint;
    names.clear();
    for (const auto& [other, arities] : candidates.by_name) names.push_back(program_.symbols.text(other));
    return did_you_mean(program_.symbols.text(name), names);
  }

  void never_made(const Terms& asked, const Terms& made, fmt::format_string<std::string> message) {
    if (made.open) return;
    for (const auto& [name, arities] : asked.by_name) {
      if (made.by_name.contains(name)) continue;
      diagnostics_.warning(arities.begin()->second, fmt::format(message, text(name)), near(name, made, asked));
    }
  }

  void never_asked(const Terms& made, const Terms& asked) {
    if (asked.open) return;
    for (const auto& [name, arities] : made.by_name) {
      if (asked.by_name.contains(name)) continue;
      diagnostics_.warning(arities.begin()->second,
                           fmt::format("nothing asks for the fact '{}' with 'true'", text(name)),
                           near(name, asked, made));
    }
  }

  // Arities that occur on one side only.
  void arities(const Terms& made, const Terms& asked, const char* what) {
    if (made.open || asked.open) return;
    for (const auto& [name, here] : asked.by_name) {
      const auto it = made.by_name.find(name);
      if (it == made.by_name.end()) continue;
      for (const auto& [count, where] : here) {
        if (it->second.contains(count)) continue;
        const auto& [other, place] = *it->second.begin();
        diagnostics_
            .warning(where,
                     fmt::format("the {} '{}' is asked for {}, but made {}", what, text(name), arguments(count),
                                 arguments(other)),
                     "they are taken for different terms, so that this is never true")
            .notes.push_back({place, "made here"});
      }
    }
  }

  // Relations that no body mentions and that are no keyword.
  void relations() {
    std::vector<bool> used(program_.predicates.size());
    for (const Rule& rule : program_.rules) {
      for (const Literal& literal : rule.body) used[literal.predicate.value] = true;
    }
    std::vector<std::string_view> wanted = {"role", "init", "next",  "legal",   "goal",
                                            "sees", "base", "input", "terminal"};
    for (std::size_t p = 0; p < used.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      if (predicate.keyword == Keyword::none && used[p] && !predicate.defined)
        wanted.push_back(program_.symbols.text(predicate.name));
    }
    for (std::uint32_t p = 0; p < used.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      if (predicate.keyword != Keyword::none || used[p]) continue;
      diagnostics_.warning(predicate.where, fmt::format("'{}' is defined but never used", program_.describe(PredId(p))),
                           did_you_mean(program_.symbols.text(predicate.name), wanted));
    }
  }

  // The first argument of legal, does, goal and sees must be a role.
  void roles() {
    std::set<TermId> known(program_.roles.begin(), program_.roles.end());
    std::vector<std::string> texts;
    for (const TermId role : program_.roles) texts.push_back(text(program_.patterns.terms.symbol(role)));
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    const auto check = [&](PredId predicate, Pattern first, Range where) {
      const Keyword k = keyword(predicate);
      if (k != Keyword::legal && k != Keyword::does && k != Keyword::goal && k != Keyword::sees) return;
      if (!first.is_ground() || !known.insert(first.term()).second) return;  // reports each name once
      const std::string name = text(program_.patterns.terms.symbol(first.term()));
      const std::string hint = did_you_mean(name, names);
      diagnostics_.warning(where, fmt::format("there is no role '{}'", name),
                           hint.empty() ? fmt::format("the roles are {}", fmt::join(texts, ", ")) : hint);
    };
    for (const Fact& fact : program_.facts) {
      if (program_[fact.predicate].arity > 0)
        check(fact.predicate, Pattern::ground(program_.arguments(fact)[0]), fact.where);
    }
    for (const Rule& rule : program_.rules) {
      if (!rule.head.arguments.empty()) check(rule.head.predicate, rule.head.arguments[0], rule.head.where);
      for (const Literal& literal : rule.body) {
        if (!literal.arguments.empty()) check(literal.predicate, literal.arguments[0], literal.where);
      }
    }
  }

  const Program& program_;
  Diagnostics& diagnostics_;
};

}  // namespace

void suspect(const Program& program, Diagnostics& diagnostics) { Suspicions(program, diagnostics).run(); }

}  // namespace rgtrans::gdl
