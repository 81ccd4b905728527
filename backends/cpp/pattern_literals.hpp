// Literals of clauses (patterns.hpp). The possible values of both sides of a comparison are known: a literal that
// always holds is left out, and a clause that cannot hold is dropped.
#pragma once

#include <map>
#include <vector>

#include "backends/cpp/patterns.hpp"

namespace rgtrans::cpp {

class PatternLiterals {
 public:
  PatternLiterals(NumberedGame& model, const CodeContext& check, CheckPatterns& found)
      : model_(model), check_(check), found_(found) {}
  // The number of a value among those of the check.
  std::uint32_t number(const PatternValue& value);
  // False when the clause cannot hold with it.
  bool add(std::vector<PatternLiteral>& literals, const PatternLiteral& literal);
  // Whether the check can begin with this value of a parameter.
  [[nodiscard]] bool starts_with(ExprId parameter, std::uint32_t code) const;

 private:
  // What a value can be; one that depends on one variable is known for each of its values.
  struct Known {
    Bits can_be;
    VarId variable;
    std::map<std::uint32_t, SymbolId> by_code;
  };

  void learn(ExprId value);
  [[nodiscard]] bool apart(std::uint32_t a, std::uint32_t b) const;
  bool assume(const PatternLiteral& literal);

  NumberedGame& model_;
  const CodeContext& check_;
  CheckPatterns& found_;
  std::vector<Known> known_;  // by value; of places nothing
};

// Variables that are handed to a check.
class HandedPlaces {
 public:
  HandedPlaces(NumberedGame& model, const GameFacts& facts, const CodeContext& check)
      : model_(model), facts_(facts), check_(check) {}
  // The check neither finds a cell by the variable nor assigns by it. It compares the variable or a lookup by it, or
  // copies it to other variables.
  bool never_index(VarId handed);

 private:
  bool tells(const Step& step, VarId v) const;

  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& check_;
  std::map<VarId, bool> never_used_as_index_;
};

// Gives the expression this value, whatever it had.
void bind(Bindings& bindings, ExprId expression, SymbolId symbol);

}  // namespace rgtrans::cpp
