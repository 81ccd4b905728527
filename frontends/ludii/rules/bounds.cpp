// Whether the numbers of a game have bounds: pieces on a site, points, plies of a turn. A bound that does not follow
// from the text of the rules is refused, since values beyond it would be lost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

namespace {

std::string without_label(const Node& node) {
  Node copy = node;
  copy.label.clear();
  return copy.whole();
}

// Whether the number is at most that of the pieces on the site, which is given as `whole`.
bool is_at_most_count(const Node& number, const std::string& whole) {
  if (number.is_clause("count") || names_clause("size Stack", number)) {
    const Node* const at = number.labelled("at");
    return at != nullptr && without_label(*at) == whole;
  }
  if (number.is_clause("min"))
    return std::ranges::any_of(number.items, [&](const Node& one) { return is_at_most_count(one, whole); });
  return (number.is_clause("-") || number.is_clause("/")) && number.items.size() == 2 && number.item(1).is_integer() &&
         std::stoi(number.item(1).text) >= 1 && is_at_most_count(number.item(0), whole);
}

// (from) is the site from which a move takes pieces, also if the move names that site.
std::string whole_from() { return Node{Node::Kind::clause, {}, {}, "from", {}}.whole(); }

// The site from which a move takes pieces; (from) if it is not given.
std::string source_of(const Node& clause) {
  const auto from = std::ranges::find_if(clause.items, [](const Node& item) { return item.is_clause("from"); });
  if (from != clause.items.end()) {
    for (const Node& item : from->items) {
      if (item.label.empty() && !item.is_word()) return without_label(item);
    }
  }
  return whole_from();
}

// Whether pieces come only one by one, to empty sites, and stay there until they are removed.
bool fills_empty_sites(const Node& node) {
  if (names_clause("start|meta", node)) return true;
  if (names_clause("fromTo|sow|swap|promote|step|slide|hop|leap|push|attract|shoot|copy|place|take, set Count", node))
    return false;
  const bool adds = names_clause("add, move Add", node);
  if (node.is_clause("move") && !adds && !names_clause("move Remove|Pass|Select", node)) return false;
  if (adds) {
    const auto to = std::ranges::find_if(node.items, [](const Node& item) { return item.is_clause("to"); });
    if (to == node.items.end() || node.labelled("count") != nullptr) return false;
    const bool empty =
        std::ranges::any_of(to->items, [](const Node& item) { return names_clause("sites Empty", item); });
    if (!empty) return false;
  }
  return std::ranges::all_of(node.items, fills_empty_sites);
}

// The first part of the rules that may bring a piece to the board, or more pieces to a site than another one loses.
const Node* find_new_piece(const Node& node) {
  const bool moves = names_clause("fromTo|move", node);
  if (names_clause("add|promote, move Add|Promote", node) || (moves && node.labelled("copy") != nullptr)) return &node;
  if (const Node* const count = node.labelled("count"); count != nullptr && moves) {
    const bool one = count->is_integer() && std::stoi(count->text) == 1;
    if (!one && !is_at_most_count(*count, source_of(node)) && !is_at_most_count(*count, whole_from())) return count;
  }
  if (names_clause("set Count", node)) {
    const Node& number = node.last_item();
    const Node* const at = node.labelled("at");
    const bool none = number.is_integer() && std::stoi(number.text) == 0;
    if (!none && (at == nullptr || !is_at_most_count(number, without_label(*at)))) return &node;
  }
  for (const Node& item : node.items) {
    if (item.is_clause("start") || item.is_clause("board")) continue;
    if (const Node* const found = find_new_piece(item)) return found;
  }
  return nullptr;
}

bool removes(const Node& node, const std::string& whole) {
  return node.is_clause("remove") &&
         std::ranges::any_of(node.items, [&](const Node& item) { return without_label(item) == whole; });
}

// The first clause that gives points without taking pieces from the board for them.
const Node* find_free_points(const Node& node, const Node* parent, const Node* grandparent) {
  if (node.is_clause("addScore")) {
    const Node& amount = node.last_item();
    // What follows a removal happens only if a piece is removed.
    if (amount.is_integer() && parent->is_clause("then") &&
        (grandparent->is_clause("remove") || names_clause("move Remove", *grandparent)))
      return nullptr;
    // The pieces that are counted leave in the same effect.
    const Node* const at = amount.is_clause("count") ? amount.labelled("at") : nullptr;
    const auto removes_them = [&](const Node& one) { return removes(one, without_label(*at)); };
    if (at != nullptr && (parent->is_clause("and") || parent->is_array()) &&
        std::ranges::count_if(parent->items, [](const Node& one) { return one.is_clause("addScore"); }) == 1 &&
        std::ranges::any_of(parent->items, removes_them))
      return nullptr;
    return &node;
  }
  if (names_clause("set Score", node)) return &node;
  for (const Node& item : node.items) {
    if (item.is_clause("start")) continue;
    if (const Node* const found = find_free_points(item, &node, parent)) return found;
  }
  return nullptr;
}

// Whether all points are given where a piece leaves the board, if one is there.
bool gives_points_for_pieces(const Node& node, bool paid = false) {
  if (node.is_clause("addScore")) return paid && node.last_item().is_integer();
  if (names_clause("set Score", node)) return node.last_item().is_integer();
  paid = paid || ((node.is_clause("and") || node.is_array()) &&
                  std::ranges::any_of(node.items, [](const Node& item) { return item.is_clause("remove"); }));
  return std::ranges::all_of(node.items, [&](const Node& item) { return gives_points_for_pieces(item, paid); });
}

// Whether all points are given for a new piece.
bool gives_points_for_adding(const Node& node, bool adds = false) {
  if (node.is_clause("addScore")) return adds;
  adds = adds || names_clause("move Add", node);
  return std::ranges::all_of(node.items, [&](const Node& item) { return gives_points_for_adding(item, adds); });
}

// The largest number with which an end rule compares a score, or 0.
int find_score_goal(const Node& node, bool in_end = false) {
  in_end = in_end || node.is_clause("end");
  int most = 0;
  if (in_end && names_clause(">=|=|<=|>|<", node) && node.items.size() == 2) {
    for (const std::size_t i : {0, 1}) {
      if (node.item(i).is_clause("score") && node.item(1 - i).is_integer()) most = std::stoi(node.item(1 - i).text);
    }
  }
  for (const Node& item : node.items) most = std::max(most, find_score_goal(item, in_end));
  return most;
}

// The most points that one clause gives at once.
int most_points(const Node& node, int sites) {
  int most = 1;
  if (node.is_clause("addScore"))
    most = node.last_item().is_integer() ? std::abs(std::stoi(node.last_item().text)) : sites;
  for (const Node& item : node.items) most = std::max(most, most_points(item, sites));
  return most;
}

// Whether all moves of the clause take a piece, and none takes one that waits to be removed.
bool always_captures(const Node& node) {
  if (node.is_clause("forEach") && node.begins_with_word("Piece") && !node.contains("move")) return false;
  if (node.is_clause("move")) return node.contains("remove");
  return std::ranges::all_of(node.items, always_captures);
}

// The first clause after which the turn goes on although no piece was taken.
const Node* find_free_turn(const Node& node) {
  if (!node.contains("moveAgain")) return nullptr;
  const bool follows = std::ranges::any_of(
      node.items, [](const Node& item) { return item.is_clause("then") && item.contains("moveAgain"); });
  if (follows) return always_captures(node) && node.contains("move") ? nullptr : &node;
  if (node.is_clause("moveAgain")) return &node;
  for (const Node& item : node.items) {
    if (const Node* const found = find_free_turn(item)) return found;
  }
  return nullptr;
}

// A number that rules set: (var), (var "name"), or the values of players.
struct RuledNumber {
  std::string name;  // as limits have it

  [[nodiscard]] bool reads(const Node& node) const {
    if (name == "player_value") return names_clause("value Player", node);
    return node.is_clause("var") && name == "var" + (node.items.empty() ? "" : "_" + node.item(0).text);
  }
  [[nodiscard]] bool sets(const Node& node) const {
    if (name == "player_value") return names_clause("set Value", node) && node.labelled("at") == nullptr;
    return names_clause("set Var", node) && name == name_of(node);
  }
  [[nodiscard]] static std::string name_of(const Node& set) {
    return "var" + (set.items.size() > 1 && set.item(1).is_string() ? "_" + set.item(1).text : "");
  }
  // The integer that the clause has beside the number, if it has these two parts.
  [[nodiscard]] std::optional<int> beside(const Node& clause, bool& first) const {
    if (!clause.is_clause() || clause.items.size() != 2) return std::nullopt;
    first = reads(clause.item(0));
    const Node& other = clause.item(first ? 1 : 0);
    if (!other.is_integer() || !(first || reads(clause.item(1)))) return std::nullopt;
    return std::stoi(other.text);
  }
};

struct NumberRange {
  int low = -kInfinity, high = kInfinity;
};

// The values with which the condition can hold.
NumberRange interval_of(const Node& condition, const RuledNumber& number) {
  NumberRange result;
  if (condition.is_clause("and") || condition.is_array()) {
    for (const Node& part : condition.items) {
      const NumberRange one = interval_of(part, number);
      result = {std::max(result.low, one.low), std::min(result.high, one.high)};
    }
    return result;
  }
  bool first = false;
  const auto value = number.beside(condition, first);
  if (!value) return result;
  const std::string& name = condition.text;
  const int strict = name.ends_with('=') ? 0 : 1;
  if (name == "=") return {*value, *value};
  if (name.starts_with(first ? '<' : '>')) result.high = *value - strict;
  if (name.starts_with(first ? '>' : '<')) result.low = *value + strict;
  return result;
}

// The values of a number that is set to constants, or changed by a constant where a condition bounds it, or until it
// ends the play or the phase. Nothing if it has no such changes, or others.
class NumberChanges {
 public:
  NumberChanges(const Node& game, const RuledNumber& number) : number_(number) { walk(game, {}, false); }

  [[nodiscard]] std::optional<NumberRange> range() const {
    if (open_ || (rise_ > 0 && !last_)) return std::nullopt;
    if (rise_ > 0) return NumberRange{falls_ ? range_.low : -kInfinity, std::max(range_.high, *last_ + rise_ - 1)};
    if (!falls_ && !rises_) return std::nullopt;
    return NumberRange{falls_ ? range_.low : -kInfinity, rises_ ? range_.high : kInfinity};
  }

 private:
  void walk(const Node& node, NumberRange inside, bool stops) {
    if (number_.sets(node)) return change(node.last_item(), inside);
    stops = stops || node.is_clause("end") || node.is_clause("nextPhase");
    bool first = false;
    if (const auto value = number_.beside(node, first); stops && value)
      last_ = std::max(last_.value_or(*value), *value);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const NumberRange holds = node.is_clause("if") && i == 1 ? interval_of(node.item(0), number_) : NumberRange();
      walk(node.item(i), {std::max(inside.low, holds.low), std::min(inside.high, holds.high)}, stops);
    }
  }
  void change(const Node& term, NumberRange inside) {
    bool first = false;
    const auto by = number_.beside(term, first);
    if (term.is_integer()) {
      widen(std::stoi(term.text));
    } else if (by && (term.is_clause("+") || (term.is_clause("-") && first))) {
      const int step = term.is_clause("+") ? *by : -*by;
      const int from = step < 0 ? inside.low : inside.high;
      (step < 0 ? falls_ : rises_) = true;
      if (std::abs(from) < kInfinity) {
        widen(from + step);
      } else if (step < 0) {
        open_ = true;
      } else {
        rise_ = std::max(rise_, step);
      }
    }
  }
  void widen(int value) { range_ = {std::min(range_.low, value), std::max(range_.high, value)}; }

  const RuledNumber& number_;
  NumberRange range_{kInfinity, -kInfinity};
  std::optional<int> last_;  // the largest number with which a condition compares it that ends something
  int rise_ = 0;
  bool rises_ = false, falls_ = false, open_ = false;
};

void collect_numbers(const Node& node, std::set<std::string>& names) {
  if (names_clause("set Var", node)) names.insert(RuledNumber::name_of(node));
  for (const Node& item : node.items) collect_numbers(item, names);
}

}  // namespace

void Lowering::refuse_open_bounds() {
  const Node* fresh = find_new_piece(*d_.rules);
  if (fresh == nullptr) fresh = find_new_piece(*d_.equipment);
  // Without new pieces, the sum of all counts never grows. Pieces that come to empty sites alone add one for each site.
  const bool fills = fills_empty_sites(*d_.rules) && fills_empty_sites(*d_.equipment);
  const auto sites = static_cast<int>(all_sites_.size());
  const auto brings = [](const Node& node) { return names_clause("add, move Add", node) || node.label == "copy"; };
  if (has_stacks_ &&
      (d_.rules->find(brings) != nullptr || std::ranges::any_of(e_.components, [&](const Component& one) {
         return one.moves != nullptr && one.moves->find(brings) != nullptr;
       })))
    record({d_.rules->where, "new pieces on stacks are not translated yet"});
  std::set<std::string> numbers_ = {"player_value"};
  collect_numbers(*d_.game, numbers_);
  for (const std::string& name : numbers_) {
    const RuledNumber number_{name};
    if (const auto range = NumberChanges(*d_.game, number_).range()) limits_[name] = {range->low, range->high};
  }
  for (const auto& [name, bound] : d_.bounds) limits_[name] = {-bound, bound};
  // Ludii reserves room for as many pieces on a site as there are at the start, or sites.
  max_count_ = std::max(total_, sites);
  if (counts_.valid()) {
    limits_.erase("count");
    if (fresh != nullptr && !fills) limits_["count"] = {0, domain("count").back()};
  }
  if (scores_.valid()) {
    const Node* points = find_free_points(*d_.rules, nullptr, nullptr);
    if (points == nullptr) points = find_free_points(*d_.equipment, nullptr, nullptr);
    const bool adds = mentions_clause("addScore");
    if (adds && points == nullptr) points = fresh;
    if (!adds || points == nullptr) {
      limits_.erase("score");
    } else if (!limits_.contains("score")) {
      // One ply can give points for every site; more follow only if the game does not end at some score.
      const int goal = find_score_goal(*d_.rules), most = (goal + sites) * most_points(*d_.rules, sites);
      constexpr int kMostScore = 2000;
      const bool paid = (find_free_points(*d_.rules, nullptr, nullptr) == nullptr &&
                         find_free_points(*d_.equipment, nullptr, nullptr) == nullptr) ||
                        (fresh == nullptr && gives_points_for_pieces(*d_.game));
      const bool only_fills =
          fills && !mentions_clause("remove") && !mentions("Remove") && gives_points_for_adding(*d_.game);
      if ((goal > 0 || paid || only_fills) && most <= kMostScore) limits_["score"] = {-most, most};
    }
    if (adds && points != nullptr && !limits_.contains("score"))
      record({points->where, "no bound is known for the scores, so it is not translated yet",
              fmt::format("`{}` may happen without end; --option \"bound score=200\" stops plays that go beyond",
                          points->shown())});
  }
  if (!limits_.empty()) limit_reached_ = number_variable("limit_reached", {0, 1}, 0);
  if (mentions_clause("max", "Moves")) {
    const Node* turn = find_free_turn(*d_.rules);
    if (turn == nullptr) turn = find_free_turn(*d_.equipment);
    // A turn of captures is no longer than there are pieces.
    if (turn != nullptr)
      record({turn->where, "no bound is known for the plies of a turn, so `(max Moves` is not translated yet",
              fmt::format("after `{}` a turn goes on although no piece is taken", turn->shown())});
  }
}

}  // namespace rgtrans::ludii
