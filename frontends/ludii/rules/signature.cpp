#include "frontends/ludii/rules/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "frontends/ludii/text/arguments.hpp"

namespace rgtrans::ludii {

namespace {

bool is_among(const Node& node, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, node.text) != names.end();
}

bool is_structure(const Node& node) {
  return node.is_clause() &&
         is_among(node, {"from", "to", "between", "then", "apply", "piece", "player", "directions", "range", "exact",
                         "min", "max"}) &&
         !(node.items.empty() && is_among(node, {"from", "to", "between", "player"})) &&
         !(is_among(node, {"min", "max"}) && node.items.size() > 1);
}

bool is_direction(const Node& node) {
  if (node.is_array()) return !node.items.empty() && std::ranges::all_of(node.items, is_direction);
  if (node.is_clause("if") && node.items.size() > 1) return is_direction(node.item(1));
  if (node.is_clause("union") || node.is_clause("difference")) return !node.items.empty() && is_direction(node.item(0));
  if (node.is_clause()) return node.text == "directions";
  if (!node.is_word()) return false;
  static const std::set<std::string_view> kRelative = {
      "Forward",    "Backward",  "Rightward", "Leftward", "Forwards",      "Backwards",
      "Rightwards", "Leftwards", "FR",        "FRR",      "FRRR",          "FL",
      "FLL",        "FLLL",      "BR",        "BRR",      "BRRR",          "BL",
      "BLL",        "BLLL",      "Axial",     "Angled",   "SameDirection", "OppositeDirection",
      "Base",       "Support"};
  return find_direction(node.text).has_value() || kRelative.contains(node.text);
}

bool is_number(const Node& node) {
  if (node.is_word())
    return node.is_integer() || is_role(node) || is_among(node, {"Off", "Undefined", "End", "Infinity"});
  return node.is_clause() && !is_region(node) && !is_direction(node) && !is_structure(node);
}

bool is_list_of_moves(const Node& node) { return node.is_array() && node.begins_with_clause(); }

bool fits(const Node& node, std::string_view kind) {
  if (kind == "type") return is_site_type(node);
  if (kind == "int") return is_number(node);
  if (kind == "role") return is_role(node);
  if (kind == "region") return is_region(node);
  if (kind == "site") return is_number(node) || is_region(node);
  if (kind == "str") return node.is_string();
  if (kind == "strs") return node.is_string() || (node.is_array() && node.begins_with_string());
  if (kind == "word") return node.is_word();
  if (kind == "dirs") return is_direction(node);
  if (kind == "array") return node.is_array();
  if (kind == "player") return is_role(node) || (node.is_clause("player") && !node.items.empty());
  if (kind == "bool") return node.is_clause() ? !is_structure(node) : node.is_boolean();
  if (kind == "moves") return node.is_clause() && !is_structure(node) && !is_region(node);
  if (kind == "range") return node.is_clause() && is_among(node, {"range", "exact", "min", "max"});
  if (kind == "contents")
    return is_among(node, {"Empty", "NotEmpty", "Own", "NotOwn", "Enemy", "NotEnemy"}) && node.is_word();
  if (kind == "sight") return node.is_word() && is_among(node, {"Piece", "Empty", "Farthest"});
  if (kind == "literal") return node.is_integer() || (node.is_clause() && is_number(node));
  if (kind == "flag") return node.is_boolean();
  if (kind == "any") return true;
  if (kind == "piece") return node.is_clause("piece") && !node.items.empty();
  // The name of a clause.
  return node.is_clause(kind);
}

}  // namespace

bool is_role(const Node& node) {
  if (!node.is_word()) return false;
  return is_among(node, {"Mover", "Next", "Prev", "Player", "Enemy", "NonMover", "Friend", "Ally", "TeamMover"}) ||
         role_number(node.text, 2).has_value();
}

bool is_region(const Node& node) {
  if (node.is_array()) return true;
  if (node.is_clause("if")) return node.items.size() > 1 && is_region(node.item(1));
  if (node.is_clause("union") || node.is_clause("intersection") || node.is_clause("difference"))
    return !is_direction(node);
  if (node.is_clause("forEach")) return !node.items.empty() && !node.item(0).is_word();
  return node.is_clause("sites") || node.is_clause("expand") || node.is_clause("values") || node.is_clause("array") ||
         node.is_clause("players") || node.is_clause("results") || node.is_clause("sizes");
}

std::vector<Parameter> read_signature(std::string_view text) {
  std::vector<Parameter> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Parameter one;
    if (word.starts_with('[')) {
      one.optional = true;
      word = word.substr(1, word.size() - 2);
    }
    const std::size_t colon = word.find(':'), slash = word.find('/');
    if (colon != std::string_view::npos) {
      one.label = one.name = word.substr(0, colon);
      one.kind = word.substr(colon + 1);
    } else {
      one.kind = word.substr(0, slash);
      one.name = slash == std::string_view::npos ? one.kind : word.substr(slash + 1);
    }
    result.push_back(one);
  }
  return result;
}

std::string_view matching_name(std::string_view names, const Node& clause) {
  if (!clause.is_clause()) return {};
  const auto is_one_of = [](std::string_view text, std::string_view choices) {
    for (std::size_t bar = 0; bar != std::string_view::npos; choices.remove_prefix(bar + 1)) {
      bar = choices.find('|');
      if (text == choices.substr(0, bar)) return true;
      if (bar == std::string_view::npos) break;
    }
    return false;
  };
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = names.find(", ");
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 2);
    const std::size_t space = name.find(' ');
    if (!is_one_of(clause.text, name.substr(0, space))) continue;
    if (space == std::string_view::npos) return name;
    const auto first = std::ranges::find_if(clause.items, [](const Node& item) { return item.label.empty(); });
    if (first != clause.items.end() && first->is_word() && is_one_of(first->text, name.substr(space + 1))) return name;
  }
  return {};
}

const Node* find_clause(std::string_view names, const Node& node) {
  return node.find([&](const Node& one) { return names_clause(names, one); });
}

Call::Call(const Node& clause, std::string_view name, std::string_view signature) : clause_(clause) {
  std::vector<const Node*> plain, labelled;
  for (const Node& item : clause.items) (item.label.empty() ? plain : labelled).push_back(&item);
  std::size_t at = 0;
  if (!plain.empty() && name.find(' ') != std::string_view::npos) {
    word_ = plain.front()->text;
    at = 1;
  }
  const auto wrong = [&](const Node& node, const std::string& with) {
    throw Refused(node.where, fmt::format("`{}` with `{}` is not translated yet", clause.shown(), with));
  };
  for (const Parameter& one : read_signature(signature)) {
    const Node* found = nullptr;
    if (one.kind == "list") {
      for (; at < plain.size() && !plain[at]->is_clause("then"); ++at) {
        if (is_list_of_moves(*plain[at])) {
          for (const Node& item : plain[at]->items) list_.push_back(&item);
        } else {
          list_.push_back(plain[at]);
        }
      }
      continue;
    }
    if (!one.label.empty()) {
      const auto it = std::ranges::find(labelled, one.label, &Node::label);
      if (it != labelled.end()) {
        found = *it;
        labelled.erase(it);
      }
    } else if (at < plain.size() && fits(*plain[at], one.kind)) {
      found = plain[at++];
    }
    if (found != nullptr) {
      arguments_.emplace_back(one.name, found);
    } else if (!one.optional) {
      if (at < plain.size()) wrong(*plain[at], plain[at]->shown());
      throw Refused(clause.where, fmt::format("`{}` needs `{}`", clause.shown(), one.name));
    }
  }
  if (!labelled.empty()) wrong(*labelled.front(), labelled.front()->label + ":");
  if (at < plain.size()) wrong(*plain[at], plain[at]->shown());
}

const Node* Call::operator[](std::string_view name) const {
  for (const auto& [key, node] : arguments_) {
    if (key == name) return node;
  }
  return nullptr;
}

bool Call::flag(std::string_view name, bool otherwise) const {
  const Node* const node = (*this)[name];
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) throw Refused(node->where, fmt::format("`{}:` is True or False", name));
  return node->is_word("True") || node->is_word("true");
}

}  // namespace rgtrans::ludii
