#include "frontends/ludii/text/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tao/pegtl.hpp>

#include "core/support/actions.hpp"
#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/text/grammar.hpp"

namespace rgtrans::ludii {

namespace {

bool digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const SourceText& text) : text_(text), open_(1) {}

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - text_.chars.data()); }
  [[nodiscard]] Range range(std::string_view part) const {
    return text_.range(offset(part.data()), offset(part.data() + part.size()));
  }

  void label(std::string_view text) { open_.back().label = text.substr(0, text.size() - 1); }
  void word(std::string_view text) { add({Node::Kind::word, range(text), {}, std::string(text), {}}); }
  void string(std::string_view text) {
    std::string inner(text.substr(1, text.size() - 2));
    for (std::size_t at = 0; (at = inner.find("\\\"", at)) != std::string::npos;) inner.replace(at, 2, "'");
    add({Node::Kind::string, range(text), {}, std::move(inner), {}});
  }
  void head(std::string_view text) { open_.back().node.text = text; }
  void open(std::string_view at, Node::Kind kind) {
    if (open_.size() > limits::nesting) {
      throw Refused(range(at), fmt::format("brackets are nested more than {} deep", limits::nesting),
                    limits::nesting.advice());
    }
    open_.push_back({{kind, range(at), {}, {}, {}}, {}, offset(at.data())});
  }
  void close(std::string_view end) {
    Open done = std::move(open_.back());
    open_.pop_back();
    Node& node = done.node;
    node.where = text_.range(done.begin, offset(end.data() + end.size()));
    if (node.is_clause() && node.text.empty()) {
      // `((A) (B))` means `(A) (B)`.
      if (node.items.empty() || !node.items.front().is_clause() || !node.items.back().is_clause() ||
          !node.items.front().label.empty())
        throw Refused(text_.range(done.begin, done.begin + 1), "a clause begins with the name of a ludeme");
      std::vector<Node>& outer = open_.back().node.items;
      for (Node& inner : node.items) outer.push_back(std::move(inner));
      outer[outer.size() - node.items.size()].label = std::move(open_.back().label);
      open_.back().label.clear();
      return;
    }
    add(std::move(node));
  }
  [[noreturn]] void unclosed() const {
    const Open& last = open_.back();
    throw Refused(text_.range(last.begin, last.begin + 1),
                  fmt::format("`{}{}` is not closed", last.node.is_array() ? "{" : "(", last.node.text),
                  "add the missing bracket");
  }
  [[noreturn]] void unexpected(const char* at) const {
    const std::size_t begin = offset(at);
    const std::string_view character = std::string_view(text_.chars).substr(begin, 1);
    const Range where = text_.range(begin, begin + 1);
    if (character == ")" || character == "}")
      throw Refused(where, fmt::format("unexpected `{}`", character), "no bracket is open here");
    throw Refused(where, "this character cannot stand here");
  }
  std::vector<Node> result() { return std::move(open_.front().node.items); }

 private:
  struct Open {
    Node node;
    std::string label;  // for the next item
    std::size_t begin = 0;
  };

  void add(Node node) {
    node.label = std::move(open_.back().label);
    open_.back().label.clear();
    open_.back().node.items.push_back(std::move(node));
  }

  const SourceText& text_;
  std::vector<Open> open_;
};

void act(On<grammar::label>, std::string_view text, TreeBuilder& b) { b.label(text); }
void act(On<grammar::word>, std::string_view text, TreeBuilder& b) { b.word(text); }
void act(On<grammar::string>, std::string_view text, TreeBuilder& b) { b.string(text); }
void act(On<grammar::head>, std::string_view text, TreeBuilder& b) { b.head(text); }
void act(On<grammar::open>, std::string_view text, TreeBuilder& b) { b.open(text, Node::Kind::clause); }
void act(On<grammar::open_array>, std::string_view text, TreeBuilder& b) { b.open(text, Node::Kind::array); }
void act(On<grammar::close>, std::string_view text, TreeBuilder& b) { b.close(text); }
void act(On<grammar::close_array>, std::string_view text, TreeBuilder& b) { b.close(text); }

template <class Rule>
struct Control : tao::pegtl::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(const Input& in, TreeBuilder& builder) {
    if constexpr (std::is_same_v<Rule, grammar::unclosed>) {
      if (in.empty()) builder.unclosed();
    }
    builder.unexpected(in.current());
  }
};

}  // namespace

bool Node::is_integer() const {
  return is_word() && text.size() < 12 && digits(text.starts_with('-') ? std::string_view(text).substr(1) : text);
}

bool Node::is_number() const {
  if (!is_word()) return false;
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  const std::size_t point = rest.find('.');
  if (point == std::string_view::npos) return digits(rest) && rest.size() < 12;
  return digits(rest.substr(point + 1)) && (point == 0 || digits(rest.substr(0, point))) && rest.size() < 40;
}

bool Node::is_boolean() const { return is_word("True") || is_word("False") || is_word("true") || is_word("false"); }

const Node& Node::item(std::size_t number) const {
  if (number >= items.size()) throw Refused(where, fmt::format("`{}` needs more arguments", shown()));
  return items[number];
}

const Node* Node::labelled(std::string_view name) const {
  const auto it = std::ranges::find(items, name, &Node::label);
  return it == items.end() ? nullptr : &*it;
}

bool Node::contains(std::string_view name) const {
  return find([name](const Node& one) { return one.is_clause(name); }) != nullptr;
}

std::string Node::shown() const {
  if (is_string()) return fmt::format("\"{}\"", text);
  if (is_array()) return "{…}";
  if (!is_clause()) return text;
  const bool family = !items.empty() && items.front().is_word() && items.front().label.empty() &&
                      items.front().text.front() >= 'A' && items.front().text.front() <= 'Z';
  return family ? fmt::format("({} {}", text, items.front().text) : fmt::format("({}", text);
}

std::string Node::ludeme() const {
  if (is_string()) return "a string";
  if (is_number()) return "a number";
  return is_clause() ? shown().substr(1) : shown();
}

std::string Node::whole() const {
  std::string result = fmt::format("({} {} {}", static_cast<int>(kind), label, text);
  for (const Node& item : items) result += item.whole();
  return result + ")";
}

std::vector<Node> read_tree(const SourceText& text) {
  namespace p = tao::pegtl;
  const char* const begin = text.chars.data();
  p::memory_input<p::tracking_mode::lazy> input(begin, begin + text.size(), "");
  TreeBuilder builder(text);
  p::parse<grammar::description, RuleAction, Control>(input, builder);
  return builder.result();
}

}  // namespace rgtrans::ludii
