#include "frontends/ludax/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace rgtrans::ludax {

namespace {

using enum WordKind;
using K = ast::Kind;

constexpr std::array kVocabulary = {
    Word{"empty", mask, K::empty},
    Word{"occupied", mask, K::occupied},
    Word{"center", mask, K::center},
    Word{"corners", mask, K::corners},
    Word{"and", mask, K::every},
    Word{"or", mask, K::either},
    Word{"not", mask, K::except},
    Word{"adjacent", mask, K::adjacent},
    Word{"custodial", mask, K::custodial},
    Word{"edge", mask, K::edge},
    Word{"prev_move", mask, K::prev_move},
    Word{"pattern", mask},
    Word{"add", function, K::add},
    Word{"multiply", function, K::multiply},
    Word{"subtract", function, K::subtract},
    Word{"count", function, K::count},
    Word{"score", function, K::score},
    Word{"line", function, K::line},
    Word{"connected", function, K::connected},
    Word{"and", predicate, K::all},
    Word{"or", predicate, K::any},
    Word{"not", predicate, K::negation},
    Word{"=", predicate, K::equal},
    Word{">=", predicate, K::at_least},
    Word{"<=", predicate, K::at_most},
    Word{"exists", predicate, K::exists},
    Word{"full_board", predicate, K::full_board},
    Word{"mover_is", predicate, K::mover_is},
    Word{"passed", predicate, K::passed},
    Word{"capture", effect},
    Word{"flip", effect},
    Word{"increment_score", effect},
    Word{"set_score", effect},
    Word{"win", result},
    Word{"lose", result},
    Word{"draw", result},
    Word{"by_score", result},
    Word{"square", shape},
    Word{"rectangle", shape},
    Word{"hexagon", shape},
    Word{"hex_rectangle", shape},
    Word{"game", section},
    Word{"players", section},
    Word{"equipment", section},
    Word{"board", section},
    Word{"rules", section},
    Word{"start", section},
    Word{"play", section},
    Word{"end", section},
    Word{"place", section},
    Word{"destination", section},
    Word{"result", section},
    Word{"effects", section},
    Word{"force_pass", section},
    Word{"once-through", section},
    Word{"repeat", section},
    Word{"if", section},
    Word{"mover", player},
    Word{"opponent", player},
    Word{"P1", player},
    Word{"P2", player},
};

}  // namespace

const Word* find_word(std::string_view text, WordKind kind) {
  const auto it =
      std::ranges::find_if(kVocabulary, [&](const Word& word) { return word.text == text && word.kind == kind; });
  return it == kVocabulary.end() ? nullptr : &*it;
}

std::string_view describe(WordKind kind) {
  static constexpr std::array<std::string_view, 9> kDescriptions = {"a set of cells",   "a number", "a condition",
                                                                    "an effect",        "a result", "a board",
                                                                    "a part of a game", "a player", "a word"};
  return kDescriptions[static_cast<std::size_t>(kind)];
}

std::string what_is(std::string_view word) {
  const auto it = std::ranges::find(kVocabulary, word, &Word::text);
  return it == kVocabulary.end() ? "" : std::string(describe(it->kind));
}

std::string nearest(std::string_view word, std::span<const WordKind> kinds) {
  std::vector<std::string_view> candidates;
  for (const Word& known : kVocabulary) {
    if (std::ranges::find(kinds, known.kind) != kinds.end()) candidates.push_back(known.text);
  }
  return did_you_mean(word, candidates);
}
std::string_view owners_of_argument(std::string_view name) {
  if (name == "exact") return "`line`";
  if (name == "direction") return "`adjacent` and `connected`";
  if (name == "orientation") return "`line` and `custodial`";
  if (name == "increment_score") return "`capture`";
  if (name == "rotate") return "`pattern`";
  return "";
}

}  // namespace rgtrans::ludax
