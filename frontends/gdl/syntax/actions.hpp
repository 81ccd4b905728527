// What the grammars do while they match: words are pushed on a stack, a closing parenthesis turns the top of the
// stack into a list. Both notations share the builder, so that they give the same trees.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tao/pegtl.hpp>

#include "core/support/letters.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/grammar.hpp"
#include "frontends/gdl/syntax/syntax.hpp"

namespace rgtrans::gdl {

// Deeper nesting is refused, so that no recursion over a tree can overflow the stack.
inline const Limit& kMaxNesting = limits::nesting;

// Thrown by actions where reading cannot go on; turned into a diagnostic by read_tree.
struct SyntaxStop {
  std::size_t begin, end;
  std::string message, hint;
};

class TreeBuilder {
 public:
  TreeBuilder(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics, bool fold_case)
      : file_(file), symbols_(symbols), diagnostics_(diagnostics), fold_case_(fold_case) {}

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - file_.text.data()); }

  void word(const char* begin, const char* end, bool variable) {
    Node node;
    node.kind = variable ? Node::Kind::variable : Node::Kind::word;
    std::string_view text(begin, static_cast<std::size_t>(end - begin));
    if (variable && text.front() == '?') text.remove_prefix(1);
    node.symbol = intern(text);
    node.where = file_.range(offset(begin), offset(end));
    stack_.push_back(node);
    end_statement_if_top();
  }

  // The list contains what is on the stack from `back` elements below the top.
  void open(const char* at, std::size_t back = 0) {
    const std::size_t begin = back == 0 ? offset(at) : stack_[stack_.size() - back].where.begin - file_.base;
    if (frames_.size() >= kMaxNesting)
      throw SyntaxStop{begin, begin + 1, fmt::format("nesting is deeper than {} levels", kMaxNesting),
                       kMaxNesting.advice()};
    const bool at_line_start = begin == 0 || file_.text[begin - 1] == '\n' || file_.text[begin - 1] == '\r';
    if (back == 0 && !frames_.empty() && at_line_start && suspect_ == kNowhere) suspect_ = begin;
    frames_.push_back({stack_.size() - back, begin});
  }
  void push_keyword(std::string_view text, const char* begin, const char* end, std::size_t back) {
    Node node;
    node.symbol = symbols_.intern(text);
    node.where = file_.range(offset(begin), offset(end));
    stack_.insert(stack_.end() - static_cast<std::ptrdiff_t>(back), node);
  }

  void close(const char* end) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    Node node;
    node.kind = Node::Kind::list;
    node.first = static_cast<std::uint32_t>(tree.nodes.size());
    node.count = static_cast<std::uint32_t>(stack_.size() - frame.base);
    node.where = file_.range(frame.begin, offset(end));
    tree.nodes.insert(tree.nodes.end(), stack_.begin() + static_cast<std::ptrdiff_t>(frame.base), stack_.end());
    stack_.resize(frame.base);
    stack_.push_back(node);
    end_statement_if_top();
  }

  void stray(const char* at) {
    diagnostics_.error(file_.range(offset(at), offset(at) + 1), "')' without a '(' before it",
                       "remove it, or look for a '(' missing in the statement before");
  }

  [[noreturn]] void unclosed() {
    const Frame& outer = frames_.front();
    std::string hint = "add the missing ')'";
    if (suspect_ != kNowhere) {
      hint = fmt::format(
          "a statement seems to begin at line {}, so the ')' is missing before it",
          1 + std::count(file_.text.begin(), file_.text.begin() + static_cast<std::ptrdiff_t>(suspect_), '\n'));
    }
    throw SyntaxStop{outer.begin, outer.begin + 1, "this '(' is never closed", hint};
  }

  // Infix rules end where the next begins; the grammar says when.
  void end_statement() {
    tree.statements.push_back(stack_.back());
    stack_.clear();
    suspect_ = kNowhere;
  }

  Tree tree;
  bool statements_by_nesting = true;

 private:
  struct Frame {
    std::size_t base;   // first element on the stack
    std::size_t begin;  // offset in the file
  };
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

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
  std::size_t suspect_ = kNowhere;
};

namespace grammar {

template <class Rule>
struct Action : p::nothing<Rule> {};

template <>
struct Action<prefix::word> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    const bool variable = *in.begin() == '?';
    if (variable && in.size() == 1)
      throw SyntaxStop{builder.offset(in.begin()), builder.offset(in.end()), "a variable needs a name after '?'", {}};
    builder.word(in.begin(), in.end(), variable);
  }
};
template <>
struct Action<prefix::open> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.open(in.begin());
  }
};
template <>
struct Action<prefix::close> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.close(in.end());
  }
};
template <>
struct Action<prefix::stray> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.stray(in.begin());
  }
};

template <>
struct Action<infix::word> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    const char first = *in.begin();
    builder.word(in.begin(), in.end(), is_upper(first));
  }
};
template <>
struct Action<infix::open> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.open(in.begin(), 1);
  }
};
template <>
struct Action<infix::close> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.close(in.end());
  }
};
template <>
struct Action<infix::tilde> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.open(in.begin());
    builder.push_keyword("not", in.begin(), in.end(), 0);
  }
};
template <>
struct Action<infix::negation> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.close(in.end());
  }
};
template <>
struct Action<infix::implied> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.push_keyword("<=", in.begin(), in.end(), 1);
    builder.open(in.begin(), 2);
  }
};
template <>
struct Action<infix::body> {
  template <class Input>
  static void apply(const Input& in, TreeBuilder& builder) {
    builder.close(in.end());
  }
};
template <>
struct Action<infix::rule> {
  template <class Input>
  static void apply(const Input&, TreeBuilder& builder) {
    builder.end_statement();
  }
};

template <class Rule>
struct Control : p::normal<Rule> {
  template <class Input, class... States>
  [[noreturn]] static void raise(const Input& in, TreeBuilder& builder, States&&...) {
    const std::size_t at = in.current() - in.begin() + builder.offset(in.begin());
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
