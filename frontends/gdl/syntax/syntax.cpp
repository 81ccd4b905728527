// Detects the notation of a text and runs its grammar.
#include "frontends/gdl/syntax/syntax.hpp"

#include <algorithm>

#include "frontends/gdl/syntax/actions.hpp"
#include "frontends/gdl/syntax/grammar.hpp"

namespace rgtrans::gdl {

namespace {

using Input = tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf_crlf>;

// Matches a prefix that only an infix text can have.
struct infix_start
    : tao::pegtl::seq<
          grammar::begin, grammar::infix::word,
          tao::pegtl::sor<tao::pegtl::one<'('>, tao::pegtl::seq<grammar::blanks, grammar::infix::implied>>> {};
struct bare_word : tao::pegtl::seq<grammar::begin, grammar::infix::word, grammar::blanks> {};
struct some_infix_start : tao::pegtl::until<infix_start, bare_word> {};

}  // namespace

Notation detect_notation(std::string_view text) {
  Input input(text.data(), text.data() + text.size(), "");
  return tao::pegtl::parse<some_infix_start>(input) ? Notation::infix : Notation::prefix;
}

Tree read_tree(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics, bool fold_case) {
  TreeBuilder builder(file, symbols, diagnostics, fold_case);
  Input input(file.text.data(), file.text.data() + file.text.size(), file.name);
  try {
    if (detect_notation(file.text) == Notation::infix) {
      builder.statements_by_nesting = false;
      tao::pegtl::parse<grammar::infix::description, RuleAction, grammar::Control>(input, builder);
    } else {
      tao::pegtl::parse<grammar::prefix::description, RuleAction, grammar::Control>(input, builder);
    }
  } catch (const SyntaxStop& stop) {
    const std::size_t size = file.text.size();
    diagnostics.error(file.range(std::min(stop.begin, size), std::min(stop.end, size)), stop.message, stop.hint);
  }
  return std::move(builder.tree);
}

}  // namespace rgtrans::gdl
