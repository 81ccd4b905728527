// Runs the grammar over a text. A mismatch is reported with the expected and the found token. Parsing then resumes at
// the next line that begins like a declaration.
#include "frontends/hrg/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/support/letters.hpp"
#include "frontends/hrg/actions.hpp"
#include "frontends/hrg/grammar.hpp"

namespace rgtrans::hrg {

namespace {

namespace p = tao::pegtl;

// The token at `at`, as text for messages.
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

// The description of a rule in "expected …".
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

// The word that ends before `at`.
std::string_view word_before(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  std::size_t begin = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

// The line of the last '{' before `at` without a '}', or 0.
std::size_t open_brace(std::string_view text, std::size_t at) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  for (std::size_t i = 0; i < at; ++i) {
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), at);
    if (i == at) break;
    if (text[i] == '\n') ++line;
    if (text[i] == '{') lines.push_back(line);
    if (text[i] == '}' && !lines.empty()) lines.pop_back();
  }
  return lines.empty() ? 0 : lines.back();
}

// Hints for words of other languages that were read as names.
std::string hint_for_word(std::string_view word) {
  if (word == "elseif" || word == "elif" || word == "elsif") return "else if is written in two words";
  if (word == "not") return "not is written with parentheses, as in not(reachable(move()))";
  if (word == "forall") return "write forall x : Domain { … }";
  if (word == "for" || word == "foreach")
    return "write repeat x in {a, b} { … }, or branch x in {a, b} { … } for a choice";
  return {};
}

// Hint for the usual cause of an unexpected token.
std::string hint_for(std::string_view found, std::string_view expected) {
  if (found == "'*'" || found == "'/'") return "there is no multiplication and no division; only + - %";
  if (found == "'&'" || found == "'and'") return "'and' is written &&";
  if (found == "'|'" || (found == "'or'" && expected == "')'")) return "'or' is written ||";
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
  if (found == "'else'") {
    return "else belongs directly behind the '}' of an if; the arms of a branch are joined by or: branch { … } or { … "
           "}";
  }
  if (found == "'or'") return "it belongs directly behind the '}' of a branch";
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
    // Report a keyword as a whole: it is more helpful than its first letter.
    const std::size_t length = at >= text.size() ? 0 : found.size() - 2;
    const std::string_view wanted = expected<Rule>();
    std::string hint = hint_for_word(word_before(text, at));
    const bool outer = at >= text.size() || ((found == "'graph'" || found == "'domain'" || found == "'reusable'") &&
                                             wanted == "a statement or '}'");
    if (const std::size_t line = outer ? open_brace(text, at) : 0; hint.empty() && line > 0)
      hint = fmt::format("the '{{' in line {} is not closed", line);
    if (hint.empty()) hint = hint_for(found, wanted);
    b.diagnostics.error(b.file.range(at, at + length), fmt::format("expected {}, found {}", wanted, found),
                        std::move(hint));
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

// Drops unfinished parts and moves to the place of the error.
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
