#include "frontends/ludii/rules/touches.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace rgtrans::ludii {

namespace {

struct Row {
  std::string_view name, word;
  std::uint32_t reads, writes;
};

constexpr auto kRows = std::to_array<Row>({
    {"remove", "", 0, kBoard},
    {"add", "", 0, kBoard},
    {"promote", "", 0, kBoard},
    {"fromTo", "", 0, kBoard},
    {"move", "", 0, kBoard},
    {"flip", "", 0, kBoard},
    {"swap", "", 0, kBoard},
    {"sow", "", kBoard, kBoard},
    {"custodial", "", kBoard, kBoard},
    {"surround", "", kBoard, kBoard},
    {"enclose", "", kBoard, kBoard},
    {"intervene", "", kBoard, kBoard},
    {"directional", "", kBoard, kBoard},
    {"push", "", kBoard, kBoard},
    {"attract", "", kBoard, kBoard},
    {"step", "", kBoard, kBoard},
    {"slide", "", kBoard, kBoard},
    {"hop", "", kBoard, kBoard},
    {"leap", "", kBoard, kBoard},
    {"moveAgain", "", 0, kNext},
    {"set", "NextPlayer", 0, kNext},
    {"addScore", "", 0, kScore},
    {"set", "Score", 0, kScore},
    {"set", "Var", 0, kVar},
    {"set", "Counter", 0, kCounter},
    {"set", "Pending", 0, kPending},
    {"set", "Count", 0, kBoard},
    {"set", "State", 0, kBoard},
    {"set", "Value", 0, kBoard | kPlayerValue},
    {"remember", "", 0, kMemory},
    {"forget", "", 0, kMemory},
    {"trigger", "", 0, kTrigger},
    {"who", "", kBoard, 0},
    {"what", "", kBoard, 0},
    {"state", "", kBoard, 0},
    {"rotation", "", kBoard, 0},
    {"count", "", kBoard, 0},
    {"size", "", kBoard, 0},
    {"where", "", kBoard, 0},
    {"ahead", "", kBoard, 0},
    {"topLevel", "", kBoard, 0},
    {"level", "", kBoard, 0},
    {"value", "Pending", kPending, 0},
    {"value", "Player", kPlayerValue, 0},
    {"value", "Piece", kBoard, 0},
    {"var", "", kVar, 0},
    {"score", "", kScore, 0},
    {"counter", "", kCounter, 0},
    {"next", "", kNext, 0},
    {"values", "", kMemory, 0},
    {"is", "Empty", kBoard, 0},
    {"is", "Occupied", kBoard, 0},
    {"is", "Line", kBoard, 0},
    {"is", "Connected", kBoard, 0},
    {"is", "Threatened", kEverything, 0},
    {"is", "Within", kBoard, 0},
    {"is", "Full", kBoard, 0},
    {"is", "Loop", kBoard, 0},
    {"is", "Pattern", kBoard, 0},
    {"is", "Pending", kPending, 0},
    {"is", "Next", kNext, 0},
    {"is", "Triggered", kTrigger, 0},
    {"no", "Pieces", kBoard, 0},
    {"no", "Moves", kEverything, 0},
    {"can", "", kEverything, 0},
    {"sites", "Empty", kBoard, 0},
    {"sites", "Occupied", kBoard, 0},
    {"sites", "Around", kBoard, 0},
    {"sites", "LineOfSight", kBoard, 0},
    {"sites", "Group", kBoard, 0},
    {"sites", "State", kBoard, 0},
    {"sites", "From", kEverything, 0},
    {"sites", "To", kEverything, 0},
    {"sites", "Between", kEverything, 0},
    {"sites", "Pending", kPending, 0},
    {"sites", "ToClear", kToClear, 0},
    {"forEach", "Piece", kBoard, kBoard},
    {"forEach", "Direction", kBoard, 0},
});

bool is_iterator(const Node& node) {
  return node.is_clause() && node.items.empty() && (node.text == "site" || node.text == "to" || node.text == "between");
}

}  // namespace

Touches touches(const Node& node, bool elsewhere) {
  Touches result;
  if (node.is_clause()) {
    const std::string_view word =
        !node.items.empty() && node.items.front().is_word() ? std::string_view(node.items.front().text) : "";
    for (const Row& row : kRows) {
      if (node.text != row.name || (!row.word.empty() && row.word != word)) continue;
      result = {row.reads, row.writes};
      break;
    }
    const bool own_site = node.items.size() == 1 && node.items[0].label == "at" && is_iterator(node.items[0]);
    const bool own_test = node.is_clause("is") && node.items.size() == 2 && is_iterator(node.items[1]);
    if (elsewhere && result.writes == 0 && (own_site || own_test)) result.reads &= ~std::uint32_t{kBoard};
    // Pieces that leave at the end of the turn stay for now.
    const bool later = node.text == "remove" && std::ranges::any_of(node.items, [](const Node& item) {
                         return item.label == "at" && item.is_word("EndOfTurn");
                       });
    if (later) result.writes = kToClear;
  }
  if (node.is_word() && node.text == "Next") result.reads |= kNext;
  for (const Node& item : node.items) {
    // What follows an effect sees its result, and is seen by none of its own parts.
    const Touches inner = touches(item, elsewhere);
    result.writes |= inner.writes;
    if (!item.is_clause("then")) result.reads |= inner.reads;
  }
  return result;
}

}  // namespace rgtrans::ludii
