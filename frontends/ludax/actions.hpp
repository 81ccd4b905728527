// The actions of the grammar: they append items to the list that is currently open.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tao/pegtl.hpp>

#include "core/support/actions.hpp"
#include "core/support/letters.hpp"
#include "frontends/ludax/grammar.hpp"
#include "frontends/ludax/limits.hpp"
#include "frontends/ludax/tree.hpp"

namespace rgtrans::ludax {

// Thrown if parsing cannot continue. read_tree converts it to a diagnostic.
struct SyntaxStop {
  std::size_t begin, end;
  std::string message, hint;
};

class TreeBuilder {
 public:
  explicit TreeBuilder(const Sources::File& file) : file_(file), open_(1) {}

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - file_.text.data()); }

  void item(Node::Kind kind, std::string_view text) {
    Node node;
    node.kind = kind;
    node.where = file_.range(offset(text.data()), offset(text.data() + text.size()));
    node.text = text;
    if (kind == Node::Kind::name) node.text.remove_suffix(1);
    if (kind == Node::Kind::word && is_number(node.text)) node.kind = Node::Kind::number;
    open_.back().items.push_back(std::move(node));
    if (open_.back().items.size() == 1) note_section(open_.back().items.front().text);
  }
  void open(const char* at) {
    if (open_.size() > limits::nesting) {
      throw SyntaxStop{offset(at), offset(at) + 1,
                       fmt::format("parentheses are nested more than {} deep", limits::nesting),
                       limits::nesting.advice()};
    }
    Node node;
    node.kind = Node::Kind::list;
    node.where = file_.range(offset(at), offset(at) + 1);
    open_.push_back(std::move(node));
  }
  void close(const char* end) {
    Node node = std::move(open_.back());
    open_.pop_back();
    node.where.end = file_.base + static_cast<std::uint32_t>(offset(end));
    open_.back().items.push_back(std::move(node));
  }
  [[noreturn]] void unclosed() const {
    const Node& inner = suspect_.where.known() ? suspect_ : open_.back();
    const std::size_t begin = inner.where.begin - file_.base;
    throw SyntaxStop{begin, begin + 1, fmt::format("`({}` is not closed", inner.head()), "add the missing `)`"};
  }
  std::vector<Node> result() { return std::move(open_.front().items); }

 private:
  static bool is_number(std::string_view text) {
    if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
    return !text.empty() && all_digits(text);
  }

  // A section that begins inside another construct reveals which list is not closed.
  void note_section(std::string_view word) {
    if (suspect_.where.known() || open_.size() < 3) return;
    const bool of_game = word == "players" || word == "equipment" || word == "rules";
    const bool of_rules = word == "start" || word == "play" || word == "end";
    const Node& parent = open_[open_.size() - 2];
    if ((of_game && parent.head() != "game") || (of_rules && parent.head() != "rules")) suspect_ = parent;
  }

  const Sources::File& file_;
  std::vector<Node> open_;
  Node suspect_;
};

inline void act(On<grammar::word>, std::string_view text, TreeBuilder& b) { b.item(Node::Kind::word, text); }
inline void act(On<grammar::string>, std::string_view text, TreeBuilder& b) { b.item(Node::Kind::string, text); }
inline void act(On<grammar::argument_name>, std::string_view text, TreeBuilder& b) { b.item(Node::Kind::name, text); }
inline void act(On<grammar::open>, std::string_view text, TreeBuilder& b) { b.open(text.data()); }
inline void act(On<grammar::close>, std::string_view text, TreeBuilder& b) { b.close(text.data() + text.size()); }

namespace grammar {

template <class Rule>
struct Control : p::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(const Input& in, TreeBuilder& builder) {
    const std::size_t at = builder.offset(in.current());
    if (!in.empty() && in.peek_char() == ':') {
      throw SyntaxStop{at, at + 1, "unexpected `:`", "the colon follows the name of an argument, as in exact:true"};
    }
    if constexpr (std::is_same_v<Rule, unclosed>) builder.unclosed();
    if constexpr (std::is_same_v<Rule, p::eof>) {
      if (in.peek_char() == ')') throw SyntaxStop{at, at + 1, "unexpected `)`", "no parenthesis is open here"};
    }
    if (in.empty() || in.peek_char() == '\n' || in.peek_char() == '\r') {
      throw SyntaxStop{at, at, "the string is not closed", "a string ends with `\"` on the line where it begins"};
    }
    throw SyntaxStop{at, at + 1, "this character cannot stand here", {}};
  }
};

}  // namespace grammar

}  // namespace rgtrans::ludax
