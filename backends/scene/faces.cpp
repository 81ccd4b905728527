#include "backends/scene/faces.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "backends/scene/terms.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::array<std::string_view, 4> kDice = {"die", "dice", "roll", "throw"};
constexpr std::array<std::string_view, 4> kCourt = {"jack", "queen", "king", "ace"};
constexpr std::array<std::string_view, 11> kPlain = {"two",   "three", "four", "five",  "six", "seven",
                                                     "eight", "nine",  "ten",  "joker", "back"};
constexpr std::array<std::string_view, 8> kSuits = {"hearts", "spades", "diamonds", "clubs",
                                                    "heart",  "spade",  "diamond",  "club"};

template <class List>
bool is_in(std::string_view word, const List& list) {
  return std::ranges::find(list, word) != list.end();
}

bool is_one(std::string_view word) { return word.size() == 1 && word[0] >= '1' && word[0] <= '6'; }

bool names_dice(std::string_view name) {
  return std::ranges::any_of(words_in(name), [](const std::string& word) { return is_in(word, kDice); });
}

std::vector<std::string> parts_of(std::string_view value) {
  NameTerm term = read_term(value);
  if (term.parts.empty()) term.parts.emplace_back(value);
  return term.parts;
}

}  // namespace

Faces faces_of(const ir::Game& game, ir::VarId id) {
  const ir::Variable& variable = game.variable(id);
  const ir::TypeId type = game.resolve(variable.type);
  if (game.is_arrow(type)) return Faces::none;
  const auto members = game.members(type);
  std::set<std::string> numbers;
  bool dice = members.size() >= 6;
  bool cards = members.size() >= 2;
  bool court = false;
  for (const SymbolId member : members) {
    for (const std::string& part : parts_of(written(game, member))) {
      const bool high = is_in(part, kCourt);
      court = court || high;
      dice = dice && is_one(part);
      cards = cards && (high || is_in(part, kPlain) || is_in(part, kSuits) || is_number(part));
      if (dice) numbers.insert(part);
    }
  }
  if (cards && court) return Faces::cards;
  const bool named = names_dice(game.symbols.str(variable.name)) ||
                     (game.types.kind(variable.type) == ir::TypeKind::alias &&
                      names_dice(game.symbols.str(game.types.alias_name(variable.type))));
  return dice && named && numbers.size() == 6 ? Faces::dice : Faces::none;
}

std::vector<Face> faces_in(std::string_view value, bool dice) {
  std::vector<Face> faces;
  for (const std::string& part : parts_of(value)) faces.push_back({dice, part});
  return faces;
}

}  // namespace rgtrans::scene
