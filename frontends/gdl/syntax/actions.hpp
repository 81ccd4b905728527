// The actions of both grammars. An action pushes words on a stack, and a closing parenthesis replaces the elements of
// its list by one list node. Both notations use this builder, so they build the same trees.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <tao/pegtl.hpp>

#include "core/support/actions.hpp"
#include "core/support/letters.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/grammar.hpp"
#include "frontends/gdl/syntax/syntax.hpp"

namespace rgtrans::gdl {

// Limits the nesting, so that no recursion over a tree overflows the stack.
inline const Limit& kMaxNesting = limits::nesting;

// Actions throw this where reading cannot go on; read_tree turns it into a diagnostic.
struct SyntaxStop {
  std::size_t begin, end;
  std::string message, hint;
};

class TreeBuilder {
 public:
  TreeBuilder(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics, bool fold_case)
      : file_(file), symbols_(symbols), diagnostics_(diagnostics), fold_case_(fold_case) {}

  // Offsets in the file, for texts that are parts of it.
  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - file_.text.data()); }
  [[nodiscard]] std::size_t begin_of(std::string_view text) const { return offset(text.data()); }
  [[nodiscard]] std::size_t end_of(std::string_view text) const { return begin_of(text) + text.size(); }
  [[nodiscard]] Range range(std::string_view text) const { return file_.range(begin_of(text), end_of(text)); }

  void word(std::string_view text, bool variable) {
    Node node;
    node.kind = variable ? Node::Kind::variable : Node::Kind::word;
    node.where = range(text);
    if (variable && text.front() == '?') text.remove_prefix(1);
    node.symbol = intern(text);
    stack_.push_back(node);
    end_statement_if_top();
  }

  // Opens a list that already contains the `back` topmost elements of the stack.
  void open(std::string_view text, std::size_t back = 0) {
    const std::size_t begin = back == 0 ? begin_of(text) : stack_[stack_.size() - back].where.begin - file_.base;
    if (frames_.size() >= kMaxNesting)
      throw SyntaxStop{begin, begin + 1, fmt::format("nesting is deeper than {} levels", kMaxNesting),
                       kMaxNesting.advice()};
    const bool at_line_start = begin == 0 || file_.text[begin - 1] == '\n' || file_.text[begin - 1] == '\r';
    if (back == 0 && !frames_.empty() && at_line_start && !suspect_) suspect_ = begin;
    frames_.push_back({stack_.size() - back, begin});
  }
  void push_keyword(std::string_view keyword, std::string_view text, std::size_t back) {
    Node node;
    node.symbol = symbols_.intern(keyword);
    node.where = range(text);
    stack_.insert(stack_.end() - static_cast<std::ptrdiff_t>(back), node);
  }

  void close(std::string_view text) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    Node node;
    node.kind = Node::Kind::list;
    node.first = static_cast<std::uint32_t>(tree.nodes.size());
    node.count = static_cast<std::uint32_t>(stack_.size() - frame.base);
    node.where = file_.range(frame.begin, end_of(text));
    tree.nodes.insert(tree.nodes.end(), stack_.begin() + static_cast<std::ptrdiff_t>(frame.base), stack_.end());
    stack_.resize(frame.base);
    stack_.push_back(node);
    end_statement_if_top();
  }

  void stray(std::string_view text) {
    diagnostics_.error(range(text), "')' without a '(' before it",
                       "remove it, or look for a '(' missing in the statement before");
  }

  [[noreturn]] void unclosed() {
    const Frame& outer = frames_.front();
    std::string hint = "add the missing ')'";
    if (suspect_) {
      hint = fmt::format(
          "a statement seems to begin at line {}, so the ')' is missing before it",
          1 + std::count(file_.text.begin(), file_.text.begin() + static_cast<std::ptrdiff_t>(*suspect_), '\n'));
    }
    throw SyntaxStop{outer.begin, outer.begin + 1, "this '(' is never closed", hint};
  }

  // The infix grammar calls this after each rule; in prefix notation a statement ends with its outermost parenthesis.
  void end_statement() {
    tree.statements.push_back(stack_.back());
    stack_.clear();
    suspect_.reset();
  }

  Tree tree;
  bool statements_by_nesting = true;

 private:
  struct Frame {
    std::size_t base;   // first element on the stack
    std::size_t begin;  // offset in the file
  };

  void end_statement_if_top() {
    if (statements_by_nesting && frames_.empty()) end_statement();
  }

  SymbolId intern(std::string_view text) {
    if (!fold_case_) return symbols_.intern(text);
    folded_.assign(text);
    std::ranges::transform(folded_, folded_.begin(), to_lower);
    return symbols_.intern(folded_);
  }

  const Sources::File& file_;
  Symbols& symbols_;
  Diagnostics& diagnostics_;
  bool fold_case_;
  std::string folded_;
  std::vector<Node> stack_;
  std::vector<Frame> frames_;
  std::optional<std::size_t> suspect_;  // first line that begins with '(' inside an open list
};

inline void act(On<grammar::prefix::word>, std::string_view text, TreeBuilder& builder) {
  const bool variable = text.front() == '?';
  if (variable && text.size() == 1)
    throw SyntaxStop{builder.begin_of(text), builder.end_of(text), "a variable needs a name after '?'", {}};
  builder.word(text, variable);
}
inline void act(On<grammar::prefix::open>, std::string_view text, TreeBuilder& builder) { builder.open(text); }
inline void act(On<grammar::prefix::close>, std::string_view text, TreeBuilder& builder) { builder.close(text); }
inline void act(On<grammar::prefix::stray>, std::string_view text, TreeBuilder& builder) { builder.stray(text); }

inline void act(On<grammar::infix::word>, std::string_view text, TreeBuilder& builder) {
  builder.word(text, is_upper(text.front()));
}
inline void act(On<grammar::infix::open>, std::string_view text, TreeBuilder& builder) { builder.open(text, 1); }
inline void act(On<grammar::infix::close>, std::string_view text, TreeBuilder& builder) { builder.close(text); }
inline void act(On<grammar::infix::tilde>, std::string_view text, TreeBuilder& builder) {
  builder.open(text);
  builder.push_keyword("not", text, 0);
}
inline void act(On<grammar::infix::negation>, std::string_view text, TreeBuilder& builder) { builder.close(text); }
inline void act(On<grammar::infix::implied>, std::string_view text, TreeBuilder& builder) {
  builder.push_keyword("<=", text, 1);
  builder.open(text, 2);
}
inline void act(On<grammar::infix::body>, std::string_view text, TreeBuilder& builder) { builder.close(text); }
inline void act(On<grammar::infix::rule>, TreeBuilder& builder) { builder.end_statement(); }

namespace grammar {

template <class Rule>
struct Control : p::normal<Rule> {
  template <class Input, class... States>
  [[noreturn]] static void raise(const Input& in, TreeBuilder& builder, States&&...) {
    const std::size_t at = builder.offset(in.current());
    throw SyntaxStop{at, at + 1, message(), {}};
  }
  static std::string message() {
    if constexpr (std::is_same_v<Rule, infix::close>) return "expected ',' or ')' here";
    if constexpr (std::is_same_v<Rule, p::eof>) return "this character cannot begin a rule";
    return "expected a sentence here";
  }
};
template <>
struct Control<prefix::unclosed> : p::normal<prefix::unclosed> {
  template <class Input, class... States>
  [[noreturn]] static void raise(const Input&, TreeBuilder& builder, States&&...) {
    builder.unclosed();
  }
};

}  // namespace grammar

}  // namespace rgtrans::gdl
