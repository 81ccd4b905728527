// Names in RG for ground terms: readable, and injective, because a name that is taken gets a number.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/syntax/terms.hpp"

namespace rgtrans::gdl {

class Names {
 public:
  // `text` prints a term.
  explicit Names(std::function<std::string(TermId)> text);

  // The symbol of a term: `(mark 1 1)` is mark_1_1. The same term always has the same name.
  std::string term(TermId term);
  // The terms with their names, where names differ from what the description says.
  void add_words(ir::Words& words, Symbols& symbols) const;
  // A name that nothing else has, close to `wish`.
  std::string fresh(std::string_view wish);
  // Letters, digits and single underscores of a text.
  static std::string readable(std::string_view text);

 private:
  std::function<std::string(TermId)> text_;
  std::unordered_set<std::string> used_;
  std::unordered_map<TermId, std::string> terms_;
};

// What every lowered game declares, whatever its form: the players and scores, Bool, `none`; and more under new names.
class GameWords {
 public:
  GameWords(ir::Game& game, std::function<std::string(TermId)> text)
      : game_(game), names_(std::move(text)), zero_(symbol("0")), one_(symbol("1")) {}

  [[nodiscard]] SymbolId symbol(std::string_view text) { return game_.symbols.intern(text); }
  ir::VarId variable(std::string_view wish, ir::TypeId type, ir::ValueId initial) {
    return game_.define_variable(symbol(names_.fresh(wish)), type, initial);
  }
  ir::ExprId constant(std::string_view wish, ir::TypeId type, ir::ValueId value) {
    return game_.constant_ref(game_.define_constant(symbol(names_.fresh(wish)), type, value));
  }
  // A map with a level for each symbol of the paths, which are different.
  using Paths = std::vector<std::pair<std::vector<SymbolId>, ir::ValueId>>;
  ir::ValueId map_value(Paths values, std::size_t levels, ir::ValueId missing);

 protected:
  void declare_basics(const std::vector<SymbolId>& players, const std::vector<int>& scores);

  ir::Game& game_;
  Names names_;
  SymbolId zero_, one_, none_, bool_;
};

}  // namespace rgtrans::gdl
