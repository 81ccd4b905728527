// Names in RG for ground terms: readable, and injective, because a name that is taken gets a number.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground_program.hpp"

namespace rgtrans::gdl {

class Names {
 public:
  explicit Names(const GroundProgram& program);

  // The symbol of a term: `(mark 1 1)` is mark_1_1. The same term always has the same name.
  std::string term(TermId term);
  // The terms with their names, where names differ from what the description says.
  void add_words(ir::Words& words, Symbols& symbols) const;
  // A name that nothing else has, close to `wish`.
  std::string fresh(std::string_view wish);
  // Letters, digits and single underscores of a text.
  static std::string readable(std::string_view text);

 private:
  const GroundProgram& program_;
  std::unordered_set<std::string> used_;
  std::unordered_map<TermId, std::string> terms_;
};

}  // namespace rgtrans::gdl
