// nlohmann-json reports events (a string, the begin of an array ...) without places. The characters are handed to
// it through an iterator that counts, so at each event the end of the token is known; its begin is found by
// looking back.
#include "frontends/linegames/located_json.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace rgtrans::linegames {
namespace {

struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  std::size_t* consumed;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    ++*consumed;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const Sources::File& file, Diagnostics& diagnostics, const std::size_t& consumed)
      : file_(file), diagnostics_(diagnostics), consumed_(consumed) {}

  JsonNode root;

  bool null() override { return leaf({}); }
  bool boolean(bool value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::boolean;
    node.boolean = value;
    return leaf(std::move(node));
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return number(value); }
  bool string(string_t& value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::string;
    node.text = std::move(value);
    return leaf(std::move(node));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return start(JsonNode::Kind::object); }
  bool start_array(std::size_t /*size*/) override { return start(JsonNode::Kind::array); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& value) override {
    JsonNode& object = *open_.back();
    const Range where = string_range();
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (object.keys[i] != value) continue;
      diagnostics_.error(where, fmt::format("'{}' is given twice", value))
          .notes.push_back({object.key_ranges[i], "first here"});
    }
    object.keys.push_back(std::move(value));
    object.key_ranges.push_back(where);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) override {
    const std::size_t end = std::min(position, file_.text.size());
    std::string message = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    if (const auto colon = message.find(": "); colon != std::string::npos) message.erase(0, colon + 2);
    diagnostics_.error(file_.range(end == 0 ? 0 : end - 1, end), "not JSON: " + message);
    return false;
  }

 private:
  bool number(double value) {
    JsonNode node;
    node.kind = JsonNode::Kind::number;
    node.number = value;
    return leaf(std::move(node));
  }

  Range string_range() const {
    const std::size_t end = consumed_;
    std::size_t begin = end - 1;  // the closing quote
    while (begin > 0) {
      --begin;
      if (file_.text[begin] != '"') continue;
      std::size_t backslashes = 0;
      while (backslashes < begin && file_.text[begin - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) break;
    }
    return file_.range(begin, end);
  }

  Range token_range(JsonNode::Kind kind) const {
    if (kind == JsonNode::Kind::string) return string_range();
    const std::string_view characters =
        kind == JsonNode::Kind::number ? "0123456789+-.eE" : "abcdefghijklmnopqrstuvwxyz";
    std::size_t end = consumed_;
    // A number is only known to be complete when the character after it was seen.
    while (end > 0 && characters.find(file_.text[end - 1]) == std::string_view::npos) --end;
    std::size_t begin = end;
    while (begin > 0 && characters.find(file_.text[begin - 1]) != std::string_view::npos) --begin;
    return file_.range(begin, end);
  }

  // The place for the next value, or null when there are too many.
  JsonNode* slot() {
    if (++count_ > kMaxJsonValues) {
      diagnostics_.error(file_.range(consumed_ - 1, consumed_), fmt::format("more than {} values", kMaxJsonValues),
                         kMaxJsonValues.advice());
      return nullptr;
    }
    return open_.empty() ? &root : &open_.back()->items.emplace_back();
  }

  bool leaf(JsonNode node) {
    JsonNode* place = slot();
    if (place == nullptr) return false;
    node.where = token_range(node.kind);
    *place = std::move(node);
    return true;
  }

  bool start(JsonNode::Kind kind) {
    if (open_.size() >= kMaxJsonDepth) {
      diagnostics_.error(file_.range(consumed_ - 1, consumed_),
                         fmt::format("nested deeper than {} levels", kMaxJsonDepth));
      return false;
    }
    JsonNode* place = slot();
    if (place == nullptr) return false;
    place->kind = kind;
    place->where = file_.range(consumed_ - 1, consumed_);
    open_.push_back(place);  // stays valid: its siblings are added only after it is closed
    return true;
  }

  bool end() {
    open_.back()->where = join(open_.back()->where, file_.range(consumed_ - 1, consumed_));
    open_.pop_back();
    return true;
  }

  const Sources::File& file_;
  Diagnostics& diagnostics_;
  const std::size_t& consumed_;
  std::vector<JsonNode*> open_;
  std::size_t count_ = 0;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

std::string_view name_of(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return "true or false";
    case JsonNode::Kind::number:
      return "a number";
    case JsonNode::Kind::string:
      return "a text";
    case JsonNode::Kind::array:
      return "a list";
    case JsonNode::Kind::object:
      return "an object";
  }
  return "";
}

std::optional<JsonNode> parse_json(const Sources::File& file, Diagnostics& diagnostics) {
  std::size_t consumed = 0;
  Builder builder(file, diagnostics, consumed);
  const char* text = file.text.data();
  const CountingIterator begin{text, &consumed};
  const CountingIterator end{text + file.text.size(), &consumed};
  if (!nlohmann::json::sax_parse(begin, end, &builder) || diagnostics.has_errors()) return std::nullopt;
  return std::move(builder.root);
}

}  // namespace rgtrans::linegames
