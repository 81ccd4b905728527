#include "frontends/ludii/text/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rgtrans::ludii {

Arguments::Arguments(const Node& clause) : clause_(clause) {
  for (const Node& item : clause.items) (item.label.empty() ? plain_ : named_).push_back(&item);
}

const Node* Arguments::peek() const { return at_ < plain_.size() ? plain_[at_] : nullptr; }

const Node* Arguments::next() {
  const Node* const node = peek();
  if (node != nullptr) ++at_;
  return node;
}

std::vector<const Node*> Arguments::rest() {
  std::vector<const Node*> nodes;
  while (const Node* const node = next()) {
    if (node->is_array() && node->begins_with_clause()) {
      for (const Node& item : node->items) nodes.push_back(&item);
    } else {
      nodes.push_back(node);
    }
  }
  return nodes;
}

const Node& Arguments::need(std::string_view what) {
  const Node* const node = next();
  if (node == nullptr) throw Refused(clause_.where, fmt::format("`{}` needs {}", clause_.shown(), what));
  return *node;
}

bool Arguments::take(std::string_view word) {
  const bool is_it = peek() != nullptr && peek()->is_word(word);
  if (is_it) ++at_;
  return is_it;
}

const Node* Arguments::take_clause(std::string_view name) {
  return peek() != nullptr && peek()->is_clause(name) ? next() : nullptr;
}

const Node* Arguments::take_string() { return peek() != nullptr && peek()->is_string() ? next() : nullptr; }

const Node* Arguments::named(std::string_view label) {
  const auto found = std::ranges::find(named_, label, &Node::label);
  if (found == named_.end()) return nullptr;
  const Node* const node = *found;
  named_.erase(found);
  return node;
}

bool Arguments::flag(std::string_view label, bool otherwise) {
  const Node* const node = named(label);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) throw Refused(node->where, fmt::format("`{}:` is True or False", label));
  return node->is_word("True") || node->is_word("true");
}

void Arguments::finish() const {
  const auto wrong = [this](const Node& node, const std::string& shown, const std::string& missing) {
    Refused refused(node.where, fmt::format("`{}` with `{}` is not translated yet", clause_.shown(), shown));
    refused.missing = fmt::format("{} {}", clause_.ludeme(), missing);
    throw refused;
  };
  if (!named_.empty()) wrong(*named_.front(), named_.front()->label + ":", named_.front()->label);
  if (peek() != nullptr) wrong(*peek(), peek()->shown(), "with " + peek()->ludeme());
}

void refuse(const Node& node, std::string_view what) {
  Refused refused(node.where,
                  what.empty() ? fmt::format("`{}` is not translated yet", node.shown()) : std::string(what));
  refused.missing = node.ludeme();
  throw refused;
}

}  // namespace rgtrans::ludii
