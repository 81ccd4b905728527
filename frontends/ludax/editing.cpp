// A Ludax text declares only its game; all other words belong to the language. The constructs around a place determine
// which words can occur there.
#include "frontends/ludax/editing.hpp"

#include <algorithm>
#include <array>

#include "frontends/nesting.hpp"

namespace rgtrans::ludax {

namespace {

using namespace outline;

const Lexicon kLexicon{.line_comment = "//", .other_line_comment = ";;", .name_characters = "-:=<>", .strings = true};

enum Place : unsigned {
  kTop = 1,
  kGame = 2,
  kEquipment = 4,
  kShape = 8,
  kRules = 16,
  kPlay = 32,
  kPhase = 64,
  kPlacing = 128,
  kSet = 256,
  kEffect = 512,
  kEnd = 1024,
  kCondition = 2048,
  kNumber = 4096,
  kResult = 8192,
  kSide = 16384,
};

constexpr std::array<LanguageWord, 54> kWords = {{
    {"game", "`(game \"Name\" (players 2) (equipment …) (rules …))`",
     "game \"${1:Name}\"\n  (players 2)\n  (equipment (board (square ${2:3})))\n  (rules\n    (play\n      (repeat (P1 "
     "P2)\n        (place (destination empty))))\n    (end\n      (if (line 3) (mover win))\n      (if (full_board) "
     "(draw))))",
     kTop},
    {"players", "`(players 2)`", "players 2", kGame},
    {"equipment", "`(equipment (board …))`", "equipment (board (${1:square 3}))", kGame},
    {"rules", "`(rules (play …) (end …))`", "rules\n    (play\n      $1)\n    (end\n      $2)", kGame},
    {"board", "`(board (square 3))`", "board (${1:square 3})", kEquipment},
    {"square", "`(square n)`: n rows of n cells.", "square ${1:3}", kShape},
    {"rectangle", "`(rectangle rows columns)`", "rectangle ${1:6} ${2:7}", kShape},
    {"hexagon", "`(hexagon d)`: a hexagon of hexagons with the diameter d, which is odd.", "hexagon ${1:9}", kShape},
    {"hex_rectangle", "`(hex_rectangle rows columns)`: each row lies half a cell to the right of the one above.",
     "hex_rectangle ${1:11} ${2:11}", kShape},
    {"start", "`(start (place P1 (0 1)))`: pieces that are there at first.", "start (place P1 (${1:0}))", kRules},
    {"play", "`(play phase…)`: phases, one after the other.", "play\n      $1", kRules},
    {"end", "`(end (if condition result)…)`: tried in this order after each action.",
     "end\n      (if (${1:full_board}) (${2:draw}))", kRules},
    {"repeat", "`(repeat (P1 P2) (place …))`: takes turns for ever.",
     "repeat (P1 P2)\n        (place (destination empty))", kPlay},
    {"once-through", "`(once-through (P1) (place …))`: goes through its players once.",
     "once-through (P1)\n        (place (destination ${1:center}))", kPlay},
    {"place", "`(place (destination set) …)`: puts a piece.", "place\n          (destination ${1:empty})", kPhase},
    {"force_pass", "A player without a move passes, and only then.", "force_pass", kPhase},
    {"destination", "`(destination set)`: the cells that may be taken.", "destination ${1:empty}", kPlacing},
    {"result", "`(result condition)`: must hold on the board with the piece put, before the effects.", "result ${1}",
     kPlacing},
    {"effects", "`(effects effect…)`: one after the other.", "effects (${1})", kPlacing},
    {"capture", "`(capture set [side] [increment_score:true])`: takes pieces away.", "capture (${1:custodial any})",
     kEffect},
    {"flip", "`(flip set [side])`: pieces change their owner.", "flip (${1:custodial any})", kEffect},
    {"increment_score", "`(increment_score side number)`", "increment_score ${1:mover} ${2:1}", kEffect},
    {"set_score", "`(set_score side number)`", "set_score ${1:mover} ${2:0}", kEffect},
    {"if", "`(if condition result)`", "if (${1}) (${2:mover win})", kEnd},
    {"win", "`(mover win)`", {}, kResult},
    {"lose", "`(mover lose)`", {}, kResult},
    {"draw", "`(draw)`", {}, kResult},
    {"by_score", "`(by_score)`: the higher score wins.", {}, kResult},
    {"mover", "The player that acts, or has just acted.", {}, kSide | kResult | kPlacing},
    {"opponent", "The other player.", {}, kSide | kResult | kPlacing},
    {"P1", "The first player.", {}, kSide},
    {"P2", "The second player.", {}, kSide},
    {"both", "`(passed both)`", {}, kSide},
    {"empty", "The cells without a piece.", {}, kSet},
    {"occupied", "`occupied`, `(occupied side)`: the cells with a piece.", {}, kSet},
    {"center", "The middle cell; nothing where there is none.", {}, kSet},
    {"corners", "The cells in the corners.", {}, kSet},
    {"edge", "`(edge top)`: the cells along an edge.", "edge ${1:top}", kSet},
    {"adjacent", "`(adjacent set direction:D)`: reached by one step in a direction of D from a cell of the set.",
     "adjacent ${1:occupied}", kSet},
    {"prev_move", "`(prev_move side)`: where that player put a piece last.", "prev_move ${1:mover}", kSet},
    {"custodial",
     "`(custodial n side orientation:O)`: runs of n pieces (or `any`) of the other player between two of the side's.",
     "custodial ${1:any}", kSet},
    {"and", "`(and …)`: the intersection of sets, or the conjunction of conditions.", "and (${1}) (${2})",
     kSet | kCondition},
    {"or", "`(or …)`: the union of sets, or the disjunction of conditions.", "or (${1}) (${2})", kSet | kCondition},
    {"not", "`(not …)`", "not (${1})", kSet | kCondition},
    {"line", "`(line n orientation:O exact:true)`: how many runs of n cells carry pieces of the mover only.",
     "line ${1:3}", kNumber | kCondition},
    {"connected",
     "`(connected targets side direction:D)`: how many targets the chain of the side's last piece touches.",
     "connected ${1:edges}", kNumber | kCondition},
    {"count", "`(count set)`: how many cells.", "count (${1})", kNumber | kCondition},
    {"score", "`(score side)`", "score ${1:mover}", kNumber | kCondition},
    {"add", "`(add …)`", "add ${1} ${2}", kNumber},
    {"multiply", "`(multiply …)`", "multiply ${1} ${2}", kNumber},
    {"subtract", "`(subtract a b)`", "subtract ${1} ${2}", kNumber},
    {"exists", "`(exists set)`: the set has a cell.", "exists (${1})", kCondition},
    {"full_board", "`(full_board)`: no cell is empty.", "full_board", kCondition},
    {"passed", "`(passed side)`: that player passed last; `(passed both)`.", "passed ${1:both}", kCondition},
}};

bool is_word(std::string_view text) { return std::ranges::find(kWords, text, &LanguageWord::text) != kWords.end(); }
bool is_section(std::string_view text) {
  return text == "equipment" || text == "rules" || text == "play" || text == "end" || text == "start" ||
         text == "repeat" || text == "once-through";
}

// Sections become nested symbols.
Outline read(std::string_view text) {
  Outliner out(text, kLexicon);
  Nesting nesting;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool first = i > 0 && out.is(i - 1, "(");
    const std::size_t close = first ? out.closing(i - 1, out.size()) : i;
    if (first && out.is(i, "game") && out.is_string(i + 1)) {
      auto& game = out.declare(DeclaredKind::game, i + 1, out.span(i - 1, close + 1));
      game.name = unquoted(game.name, "game");
      game.signature = out.line(i - 1, i + 2);
      game.needed = true;
      nesting.enter(out.last(), close);
    } else if (first && is_section(out.text(i))) {
      auto& section = out.declare(DeclaredKind::key, i, out.span(i - 1, close + 1), nesting.around(i));
      section.signature = out.line(i - 1, i + 1);
      section.needed = true;
      nesting.enter(out.last(), close);
    }
    if (out.is_name(i) && is_word(out.text(i))) out.keyword(i);
  }
  return out.finish();
}

// The list around a place determines the possible words.
Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  const std::vector<std::string_view> heads = heads_around(outline, text, at);
  const bool at_head = !heads.empty() && heads.front().empty();
  const std::size_t around = at_head ? 1 : 0;
  if (heads.size() <= around) return {0, kTop};
  const std::string_view head = heads[around];
  static constexpr std::pair<std::string_view, unsigned> kInside[] = {{"game", kGame},
                                                                      {"equipment", kEquipment},
                                                                      {"board", kShape},
                                                                      {"rules", kRules},
                                                                      {"play", kPlay},
                                                                      {"repeat", kPhase | kSide},
                                                                      {"once-through", kPhase | kSide},
                                                                      {"place", kPlacing},
                                                                      {"destination", kSet},
                                                                      {"effects", kEffect},
                                                                      {"capture", kSet | kSide},
                                                                      {"flip", kSet | kSide},
                                                                      {"end", kEnd},
                                                                      {"if", kCondition | kResult | kSide},
                                                                      {"result", kCondition},
                                                                      {"exists", kSet},
                                                                      {"count", kSet},
                                                                      {"adjacent", kSet},
                                                                      {"score", kSide},
                                                                      {"passed", kSide},
                                                                      {"prev_move", kSide},
                                                                      {"mover", kResult},
                                                                      {"opponent", kResult},
                                                                      {"increment_score", kSide | kNumber},
                                                                      {"set_score", kSide | kNumber},
                                                                      {"add", kNumber},
                                                                      {"multiply", kNumber},
                                                                      {"subtract", kNumber},
                                                                      {"and", kSet | kCondition},
                                                                      {"or", kSet | kCondition},
                                                                      {"not", kSet | kCondition},
                                                                      {"=", kNumber},
                                                                      {">=", kNumber},
                                                                      {"<=", kNumber}};
  for (const auto& [name, places] : kInside) {
    if (name == head) return {0, places};
  }
  return {0, kSet | kNumber | kCondition | kSide | kResult};
}

bool is_name(std::string_view name) { return name.find('"') == std::string_view::npos; }

}  // namespace

const Editing kEditing{
    .words = kWords, .outline = read, .wanted = wanted, .is_name = is_name, .triggers = "(", .lists = true};

}  // namespace rgtrans::ludax
