#include "frontends/ludii/rules/touches.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "frontends/ludii/rules/signature.hpp"

namespace rgtrans::ludii {

namespace {

struct Row {
  std::string_view names;
  std::uint32_t reads, writes;
};

constexpr auto kRows = std::to_array<Row>({
    {"remove|add|promote|fromTo|move|flip|swap, set Count|State", 0, kBoard},
    {"sow|custodial|surround|enclose|intervene|directional|push|attract|step|slide|hop|leap", kBoard, kBoard},
    {"moveAgain, set NextPlayer", 0, kNext},
    {"addScore, set Score", 0, kScore},
    {"set Var", 0, kVar},
    {"set Counter", 0, kCounter},
    {"set Pending", 0, kPending},
    {"set Value", 0, kBoard | kPlayerValue},
    {"remember|forget", 0, kMemory},
    {"trigger", 0, kTrigger},
    {"who|what|state|rotation|count|size|where|ahead|topLevel|level, value Piece", kBoard, 0},
    {"value|is|sites Pending", kPending, 0},
    {"value Player", kPlayerValue, 0},
    {"var", kVar, 0},
    {"score", kScore, 0},
    {"counter", kCounter, 0},
    {"next, is Next", kNext, 0},
    {"values", kMemory, 0},
    {"is Empty|Occupied|Line|Connected|Within|Full|Loop|Pattern, no Pieces", kBoard, 0},
    {"is Threatened, no Moves, can", kEverything, 0},
    {"is Triggered", kTrigger, 0},
    {"sites Empty|Occupied|Around|LineOfSight|Group|State", kBoard, 0},
    {"sites From|To|Between", kEverything, 0},
    {"sites ToClear", kToClear, 0},
    {"forEach Piece", kBoard, kBoard},
    {"forEach Direction", kBoard, 0},
});

bool is_iterator(const Node& node) {
  return node.is_clause() && node.items.empty() && (node.text == "site" || node.text == "to" || node.text == "between");
}

}  // namespace

Touches touches(const Node& node, bool elsewhere) {
  Touches result;
  if (node.is_clause()) {
    const auto row = std::ranges::find_if(kRows, [&](const Row& one) { return names_clause(one.names, node); });
    if (row != kRows.end()) result = {row->reads, row->writes};
    const bool own_site = node.items.size() == 1 && node.item(0).label == "at" && is_iterator(node.item(0));
    const bool own_test = node.is_clause("is") && node.items.size() == 2 && is_iterator(node.item(1));
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
