// Runs the grammar over a text. A surprise is reported with what was expected and what was found; then parsing
// goes on at the next line that begins like a declaration.
#include "frontends/hrg/parser.hpp"

#include <fmt/format.h>

#include "core/support/letters.hpp"
#include "frontends/hrg/actions.hpp"
#include "frontends/hrg/grammar.hpp"

namespace rgtrans::hrg {

namespace {

namespace p = tao::pegtl;

// The token at `at`, as a message shows it.
std::string shown(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the end of the text";
  auto is_name = [](char c) { return is_word(c) || (c & 0x80) != 0; };
  std::size_t end = at;
  while (end < text.size() && end < at + 40 && is_name(text[end])) ++end;
  if (end == at) {
    static constexpr std::string_view kPairs[] = {"==", "!=", "<=", ">=", "->", "..", "&&", "||", "$$"};
    end = at + 1;
    for (std::string_view pair : kPairs) {
      if (text.substr(at, 2) == pair) end = at + 2;
    }
  }
  return fmt::format("'{}'", text.substr(at, end - at));
}

// What a rule stands for in "expected …".
template <class Rule>
constexpr const char* kExpected = "something else";
template <>
constexpr const char* kExpected<grammar::declaration> = "a declaration";
template <>
constexpr const char* kExpected<grammar::name> = "a name";
template <>
constexpr const char* kExpected<grammar::tag_name> = "a name or '('";
template <>
constexpr const char* kExpected<p::plus<grammar::name>> = "a name";
template <>
constexpr const char* kExpected<grammar::equals> = "'='";
template <>
constexpr const char* kExpected<grammar::colon> = "':'";
template <>
constexpr const char* kExpected<grammar::dots> = "'..'";
template <>
constexpr const char* kExpected<grammar::open_paren> = "'('";
template <>
constexpr const char* kExpected<grammar::close_paren> = "')'";
template <>
constexpr const char* kExpected<grammar::close_bracket> = "']'";
template <>
constexpr const char* kExpected<grammar::close_brace> = "'}'";
template <>
constexpr const char* kExpected<grammar::block> = "'{'";
template <>
constexpr const char* kExpected<grammar::kw_graph> = "'graph'";
template <>
constexpr const char* kExpected<grammar::kw_in> = "'in'";
template <>
constexpr const char* kExpected<grammar::kw_then> = "'then'";
template <>
constexpr const char* kExpected<grammar::kw_else> = "'else' (every if of an expression has one)";
template <>
constexpr const char* kExpected<grammar::range_values> = "a range such as 0..7 or { a, b }";
template <>
constexpr const char* kExpected<grammar::range_last> = "a number";
template <>
constexpr const char* kExpected<grammar::where_range> = "a range such as X in 0..7";
template <>
constexpr const char* kExpected<p::list_must<grammar::where_range, grammar::comma>> = "a range such as X in 0..7";
template <>
constexpr const char* kExpected<grammar::element> = "an element of the domain";
template <>
constexpr const char* kExpected<p::list_must<grammar::element, grammar::bar>> = "an element of the domain";
template <>
constexpr const char* kExpected<p::list_must<grammar::name, grammar::comma>> = "a name";
template <>
constexpr const char* kExpected<grammar::type> = "a type";
template <>
constexpr const char* kExpected<grammar::nested<grammar::type>> = "a type";
template <>
constexpr const char* kExpected<grammar::nested<grammar::pattern>> = "a pattern";
template <>
constexpr const char* kExpected<p::list_must<grammar::map_entry, grammar::semicolon>> = "a map entry";
template <>
constexpr const char* kExpected<grammar::map_entry> = "a map entry";
template <>
constexpr const char* kExpected<grammar::expr> = "an expression";
template <>
constexpr const char* kExpected<grammar::nested<grammar::expr>> = "an expression";
template <>
constexpr const char* kExpected<grammar::nested<grammar::postfix>> = "an expression";
template <>
constexpr const char* kExpected<grammar::arguments> = "an expression";
template <>
constexpr const char* kExpected<grammar::postfix> = "an operand";
template <>
constexpr const char* kExpected<grammar::add_expr> = "an operand";
template <>
constexpr const char* kExpected<grammar::compare_expr> = "a condition";
template <>
constexpr const char* kExpected<grammar::and_expr> = "a condition";
template <>
constexpr const char* kExpected<grammar::nested<grammar::statement>> = "a statement or '}'";
template <>
constexpr const char* kExpected<grammar::nested<grammar::if_statement>> = "'if'";
template <>
constexpr const char* kExpected<grammar::param> = "a parameter such as me : Player";

// What usually is behind an unexpected token.
std::string hint_for(std::string_view found, std::string_view expected) {
  if (found == "'*'" || found == "'/'") return "there is no multiplication and no division; only + - %";
  if (found == "'&'") return "'and' is written &&";
  if (found == "'\"'" || found == "'''") return "names are written without quotes";
  if (found == "'@'" || found == "'#'") return "comments begin with //";
  if (found == "','" && expected == "'}'") return "entries of a map literal are separated by ';'";
  if (found == "';'") return "statements and declarations need no separator";
  if (found == "'..'" || (found == "'.'" && expected != "'..'"))
    return "a range of numbers belongs to a constructor: domain D = N(X) where X in 0..9";
  if (found == "'='" && (expected == "')'" || expected == "'{'" || expected == "'then'"))
    return "== compares, = assigns";
  if (found == "'['" && expected == "a statement or '}'")
    return "behind $ and $$ stands a name alone; copy the entry into a variable first: x = m[k] $$ x";
  if (found == "'{'" && expected == "a statement or '}'")
    return "the arms of a branch are joined by or: branch { … } or { … }";
  if (found == "'='" && expected == "':'") return "a variable is declared with its type, as in: x : Position = P(0, 0)";
  if (found == "'('" && expected == "':'") return "the cases of a function follow its type, as in: f : A -> B";
  if (found == "'or'" || found == "'else'") return "it belongs directly behind the '}' of a branch or an if";
  if (found == "'where'") return "where follows an element of a domain or an entry of a map literal";
  if (expected == "a declaration") return "a declaration is a domain, a function, a variable or a graph";
  if (expected == "a name" || expected == "an expression" || expected == "an operand") {
    static constexpr std::string_view kWords[] = {"'domain'", "'graph'", "'reusable'", "'branch'", "'loop'",
                                                  "'repeat'", "'while'", "'if'",       "'then'",   "'in'",
                                                  "'const'",  "'type'",  "'var'"};
    for (std::string_view word : kWords) {
      if (found == word) return "this word is reserved and cannot be a name";
    }
  }
  return {};
}

template <class Rule>
struct Control : p::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(const Input& in, Builder& b) {
    const std::string_view text = b.file.text;
    const auto at = static_cast<std::size_t>(in.current() - text.data());
    b.error_at = in.current();
    const std::string found = shown(text, at);
    // A keyword is no name, but names the problem better than its first letter.
    const std::size_t length = at >= text.size() ? 0 : found.size() - 2;
    b.diagnostics.error(b.file.range(at, at + length), fmt::format("expected {}, found {}", kExpected<Rule>, found),
                        hint_for(found, kExpected<Rule>));
    throw grammar::SyntaxError();
  }
};

}  // namespace

void Builder::too_deep(Range where) {
  diagnostics.error(
      where, "this expression is too long",
      fmt::format("an expression has at most {} operators in a row; {}", kMaxOperators, kMaxOperators.advice()));
  error_at = file.text.data() + (where.begin - file.base);
  throw grammar::SyntaxError();
}

namespace grammar {

template <class R>
struct nested {
  using rule_t = nested;
  using subs_t = p::type_list<R>;

  template <p::apply_mode A, p::rewind_mode M, template <class...> class Act, template <class...> class Ctl,
            class Input>
  static bool match(Input& in, Builder& b) {
    if (b.depth >= kMaxNesting) {
      const auto at = static_cast<std::size_t>(in.current() - b.file.text.data());
      b.diagnostics.error(
          b.file.range(at, at + 1), "this is nested too deeply",
          fmt::format("blocks and parentheses may be nested {} levels deep; {}", kMaxNesting, kMaxNesting.advice()));
      b.error_at = in.current();
      throw SyntaxError();
    }
    ++b.depth;
    const bool matched = p::match<R, A, M, Act, Ctl>(in, b);
    --b.depth;
    return matched;
  }
};

// Forgets what was unfinished and moves to the place of the error.
struct resume {
  using rule_t = resume;
  using subs_t = p::empty_list;

  template <p::apply_mode, p::rewind_mode, template <class...> class, template <class...> class, class Input>
  static bool match(Input& in, Builder& b) {
    b.reset();
    if (b.error_at > in.current()) in.bump(static_cast<std::size_t>(b.error_at - in.current()));
    return true;
  }
};

}  // namespace grammar

ast::Program parse(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics) {
  Builder builder(file, symbols, diagnostics);
  const std::size_t tokens = file.text.size() / 5;
  builder.program.exprs.reserve(tokens);
  p::memory_input<p::tracking_mode::lazy, p::eol::lf_crlf, const char*> in(
      file.text.data(), file.text.data() + file.text.size(), file.name.c_str());
  p::parse<grammar::file, Action, Control>(in, builder);
  return std::move(builder.program);
}

bool is_upper(std::string_view name) {
  p::memory_input<p::tracking_mode::lazy, p::eol::lf, const char*> in(name.data(), name.data() + name.size(), "");
  return p::parse<grammar::upper_start>(in);
}

}  // namespace rgtrans::hrg
