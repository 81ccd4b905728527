#include "frontends/linegames/located_json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "frontends/linegames/limits.hpp"

namespace rgtrans::linegames {
namespace {

class Builder {
 public:
  Builder(const JsonTree& tree, Diagnostics& diagnostics) : tree_(tree), diagnostics_(diagnostics) {}

  // The depth is bounded by kMaxJsonDepth.
  JsonNode build(JsonTree::Row row) {
    JsonNode node;
    node.kind = tree_.kind(row);
    node.where = tree_.where(row);
    const std::string_view text = tree_.text(row);
    switch (node.kind) {
      case JsonTree::Kind::boolean:
        node.boolean = text == "true";
        break;
      case JsonTree::Kind::number:
        std::from_chars(text.data(), text.data() + text.size(), node.number);
        break;
      case JsonTree::Kind::string:
        node.text = text;
        node.where = quoted(node.where);
        break;
      default:
        break;
    }
    for (JsonTree::Row child = tree_.first(row); child != JsonTree::kNone; child = tree_.next(child)) {
      if (node.kind == JsonTree::Kind::object) add_key(node, child);
      node.items.push_back(build(child));
    }
    return node;
  }

 private:
  static Range quoted(Range inside) { return {inside.begin - 1, inside.end + 1}; }

  void add_key(JsonNode& object, JsonTree::Row child) {
    std::string key(tree_.key(child));
    const Range where = quoted(tree_.key_range(child));
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (object.keys[i] != key) continue;
      diagnostics_.error(where, fmt::format("'{}' is given twice", key))
          .notes.push_back({object.key_ranges[i], "first here"});
    }
    object.keys.push_back(std::move(key));
    object.key_ranges.push_back(where);
  }

  const JsonTree& tree_;
  Diagnostics& diagnostics_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

std::optional<JsonNode> parse_json(const Sources::File& file, Diagnostics& diagnostics) {
  const JsonTree tree(file, diagnostics, {limits::values, kMaxJsonDepth});
  if (tree.empty()) return std::nullopt;
  JsonNode root = Builder(tree, diagnostics).build(tree.root());
  if (diagnostics.has_errors()) return std::nullopt;
  return root;
}

}  // namespace rgtrans::linegames
