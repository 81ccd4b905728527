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

template <class Rule, class... Rules>
constexpr bool kIsOneOf = (std::is_same_v<Rule, Rules> || ...);

// What a rule stands for in "expected …".
template <class Rule>
constexpr const char* expected() {
  using namespace grammar;
  if (kIsOneOf<Rule, declaration>) return "a declaration";
  if (kIsOneOf<Rule, name, p::plus<name>, p::list_must<name, comma>>) return "a name";
  if (kIsOneOf<Rule, tag_name>) return "a name or '('";
  if (kIsOneOf<Rule, equals>) return "'='";
  if (kIsOneOf<Rule, colon>) return "':'";
  if (kIsOneOf<Rule, dots>) return "'..'";
  if (kIsOneOf<Rule, open_paren>) return "'('";
  if (kIsOneOf<Rule, close_paren>) return "')'";
  if (kIsOneOf<Rule, close_bracket>) return "']'";
  if (kIsOneOf<Rule, close_brace>) return "'}'";
  if (kIsOneOf<Rule, block>) return "'{'";
  if (kIsOneOf<Rule, kw_graph>) return "'graph'";
  if (kIsOneOf<Rule, kw_in>) return "'in'";
  if (kIsOneOf<Rule, kw_then>) return "'then'";
  if (kIsOneOf<Rule, kw_else>) return "'else' (every if of an expression has one)";
  if (kIsOneOf<Rule, range_values>) return "a range such as 0..7 or { a, b }";
  if (kIsOneOf<Rule, range_last>) return "a number";
  if (kIsOneOf<Rule, where_range, p::list_must<where_range, comma>>) return "a range such as X in 0..7";
  if (kIsOneOf<Rule, element, p::list_must<element, bar>>) return "an element of the domain";
  if (kIsOneOf<Rule, type, nested<type>>) return "a type";
  if (kIsOneOf<Rule, nested<pattern>>) return "a pattern";
  if (kIsOneOf<Rule, p::list_must<map_entry, semicolon>, map_entry>) return "a map entry";
  if (kIsOneOf<Rule, expr, nested<expr>, nested<postfix>, arguments>) return "an expression";
  if (kIsOneOf<Rule, postfix, add_expr>) return "an operand";
  if (kIsOneOf<Rule, compare_expr, and_expr>) return "a condition";
  if (kIsOneOf<Rule, nested<statement>>) return "a statement or '}'";
  if (kIsOneOf<Rule, nested<if_statement>>) return "'if'";
  if (kIsOneOf<Rule, param>) return "a parameter such as me : Player";
  return "something else";
}

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
    b.diagnostics.error(b.file.range(at, at + length), fmt::format("expected {}, found {}", expected<Rule>(), found),
                        hint_for(found, expected<Rule>()));
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
  p::parse<grammar::file, RuleAction, Control>(in, builder);
  return std::move(builder.program);
}

bool is_upper(std::string_view name) {
  p::memory_input<p::tracking_mode::lazy, p::eol::lf, const char*> in(name.data(), name.data() + name.size(), "");
  return p::parse<grammar::upper_start>(in);
}

}  // namespace rgtrans::hrg
