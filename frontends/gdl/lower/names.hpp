// Names in RG for ground terms: readable and injective, because an already used name gets a number.
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

  // The name of a term, such as mark_1_1 for `(mark 1 1)`. A term always has the same name.
  std::string term(TermId term);
  // Adds the texts of the terms whose names differ from them.
  void add_words(ir::Words& words, Symbols& symbols) const;
  // An unused name, close to `wish`.
  std::string fresh(std::string_view wish);
  // The letters and digits of a text, with single underscores for the rest.
  static std::string readable(std::string_view text);

 private:
  std::function<std::string(TermId)> text_;
  std::unordered_set<std::string> used_;
  std::unordered_map<TermId, std::string> terms_;
};

// The declarations that every lowered game has: players, scores, Bool, `none`. Helps to declare more under new names.
class GameWords {
 public:
  GameWords(ir::Game& game, std::function<std::string(TermId)> text)
      : game_(game), names_(std::move(text)), zero_(symbol("0")), one_(symbol("1")) {}

  [[nodiscard]] SymbolId symbol(std::string_view text) { return game_.symbols.intern(text); }
  ir::VarId variable(std::string_view wish, ir::TypeId type, ir::ValueId initial) {
    return game_.define_variable(symbol(fresh_word(wish)), type, initial);
  }
  ir::ExprId constant(std::string_view wish, ir::TypeId type, ir::ValueId value) {
    return game_.constant_ref(game_.define_constant(symbol(fresh_word(wish)), type, value));
  }
  // A map with one level per symbol of the paths, which must differ.
  using Paths = std::vector<std::pair<std::vector<SymbolId>, ir::ValueId>>;
  ir::ValueId map_value(Paths values, std::size_t levels, ir::ValueId missing);

 protected:
  // An unused name that is no number. Scores and truth values are symbols named by numbers, and the text of an
  // expression would not tell them from a variable for a fact such as (init 1).
  std::string fresh_word(std::string_view wish);
  void declare_basics(const std::vector<SymbolId>& players, const std::vector<int>& scores);

  ir::Game& game_;
  Names names_;
  SymbolId zero_, one_, none_, bool_;
};

}  // namespace rgtrans::gdl
