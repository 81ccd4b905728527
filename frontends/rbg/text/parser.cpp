// Parses a description: expands the tokens of each section and matches them with the section grammar.
#include "frontends/rbg/text/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/rbg/text/brackets.hpp"
#include "frontends/rbg/text/macros.hpp"
#include "frontends/rbg/text/section_actions.hpp"
#include "frontends/rbg/text/syntax_error.hpp"

namespace rgtrans::rbg {

namespace {

using syntax::Section;

struct Messages {
  template <class Rule>
  static constexpr auto message = syntax::section_expected<Rule>;
  template <class Rule>
  static constexpr bool raise_on_failure = false;
};
template <class Rule>
using Control = tao::pegtl::must_if<Messages>::control<Rule>;

constexpr std::size_t kLongestCall = 40;  // tokens before a mistake in which to look for a macro call

class Parser {
 public:
  Parser(const Sources::File& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        file_(file),
        tokens_(tokenize(file, description_.symbols, diagnostics)),
        macros_(tokens_, description_.symbols, diagnostics),
        names_(description_, macros_),
        board_(description_, names_, macros_, diagnostics),
        rules_(description_, names_, macros_) {}

  std::optional<Description> run() {
    static constexpr std::array<std::pair<std::string_view, Section>, 5> kSections = {
        {{"players", Section::players},
         {"pieces", Section::pieces},
         {"variables", Section::variables},
         {"board", Section::board},
         {"rules", Section::rules}}};
    for (const auto& [name, section] : kSections) {
      if (macros_.section(name) == nullptr) {
        const auto end = file_.text.size();
        diagnostics_.error(file_.range(end, end), fmt::format("section {} is missing", name),
                           fmt::format("every description needs #{} = …", name));
      }
    }
    for (const auto& [name, section] : kSections) {
      if (diagnostics_.full()) break;
      const Directive* directive = macros_.section(name);
      if (directive == nullptr) continue;
      // Skip the rules after errors in the declarations, which would be repeated at every use.
      if (section == Section::rules && diagnostics_.has_errors() && description_.labels.empty()) break;
      read(*directive, section);
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    if (description_.board.empty()) {
      diagnostics_.error(macros_.section("board")->where, "the board has no vertex");
      return std::nullopt;
    }
    macros_.warn_unused();
    return std::move(description_);
  }

 private:
  void read(const Directive& directive, Section section) {
    const std::size_t errors = diagnostics_.error_count();
    expanded_.push_back(macros_.expand(directive));
    const std::vector<Token>& tokens = expanded_.back();
    if (diagnostics_.error_count() > errors) return;
    if (const Token* deep = too_deep(tokens)) {
      macros_.error(*deep, fmt::format("brackets are nested more than {} deep", kMaxNesting), kMaxNesting.advice());
      return;
    }
    if (section == Section::rules) check_patterns(tokens, macros_);
    try {
      parse_section(directive, tokens, section);
    } catch (const RulesBuilder::TooLarge& what) {
      macros_.error(what.exponent != nullptr ? *what.exponent : Token{{}, directive.where, 0, 0},
                    fmt::format("the rules have more than {} actions after expansion", kMaxActions),
                    "do macros or powers multiply each other? " + kMaxActions.advice());
    }
  }

  void parse_section(const Directive& directive, const std::vector<Token>& tokens, Section section) {
    const std::string kinds = kinds_of(tokens);
    syntax::State state{section, tokens, kinds.data(), description_, names_, board_, rules_};
    SectionError error;
    if (run_grammar(section, kinds, error, state)) {
      if (section == Section::rules) description_.rules = rules_.result();
      return;
    }
    // Report the error at its token, or after the last token of the section.
    Range end = directive.where;
    if (!tokens.empty()) end = {tokens.back().where.end, tokens.back().where.end};
    Diagnostic& diagnostic = report(diagnostics_, description_.symbols, tokens, end, error);
    if (error.at < tokens.size()) macros_.explain(diagnostic, tokens[error.at].origin);
    if (diagnostic.hint.empty()) diagnostic.hint = unexpanded_call(tokens, error.at);
  }

  static bool run_grammar(Section section, const std::string& kinds, SectionError& error, syntax::State& state) {
    switch (section) {
      case Section::players:
        return parse_tokens<syntax::players_section, RuleAction, Control>(kinds, error, state);
      case Section::pieces:
        return parse_tokens<syntax::pieces_section, RuleAction, Control>(kinds, error, state);
      case Section::variables:
        return parse_tokens<syntax::variables_section, RuleAction, Control>(kinds, error, state);
      case Section::board:
        return parse_tokens<syntax::board_section, RuleAction, Control>(kinds, error, state);
      case Section::rules:
        return parse_tokens<syntax::rules_section, RuleAction, Control>(kinds, error, state);
    }
    return false;
  }

  // The tokens before a mistake may be a call of a macro that was not visible.
  std::string unexpanded_call(std::span<const Token> tokens, std::size_t at) const {
    for (std::size_t i = std::min(at, tokens.size()); i-- > 0 && at - i < kLongestCall;) {
      if (tokens[i].kind != token::kIdentifier) continue;
      std::string hint = macros_.why_not_expanded(tokens[i]);
      if (!hint.empty()) return hint;
    }
    return {};
  }

  Diagnostics& diagnostics_;
  const Sources::File& file_;
  Description description_;
  std::vector<Token> tokens_;
  Macros macros_;
  DeclaredNames names_;
  BoardBuilder board_;
  RulesBuilder rules_;
  std::vector<std::vector<Token>> expanded_;
};

}  // namespace

std::optional<Description> parse(const Sources::File& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).run();
}

}  // namespace rgtrans::rbg
