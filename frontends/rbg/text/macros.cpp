#include "frontends/rbg/text/macros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <range/v3/view/chunk_by.hpp>

#include "core/support/actions.hpp"
#include "frontends/rbg/text/directive_grammar.hpp"
#include "frontends/rbg/text/syntax_error.hpp"

namespace rgtrans::rbg {

namespace {

struct Head {
  const char* kinds;  // the grammar's input: one byte per token
  std::size_t name = 0;
  std::vector<std::size_t> parameters = {};
  bool section = false;
  std::size_t end = 0;

  [[nodiscard]] std::size_t place(std::string_view text) const { return static_cast<std::size_t>(text.data() - kinds); }
};

void act(On<syntax::section_name>, std::string_view text, Head& head) {
  head.name = head.place(text);
  head.section = true;
}
void act(On<syntax::macro_name>, std::string_view text, Head& head) { head.name = head.place(text); }
void act(On<syntax::parameter>, std::string_view text, Head& head) { head.parameters.push_back(head.place(text)); }
void act(On<syntax::equals>, std::string_view text, Head& head) { head.end = head.place(text) + 1; }

struct HeadMessages {
  template <class Rule>
  static constexpr auto message = syntax::expected<Rule>;
  template <class Rule>
  static constexpr bool raise_on_failure = false;
};
template <class Rule>
using HeadControl = tao::pegtl::must_if<HeadMessages>::control<Rule>;

Range end_of(std::span<const Token> tokens) {
  const std::uint32_t end = tokens.empty() ? 0 : tokens.back().where.end;
  return {end, end};
}

}  // namespace

Macros::Macros(std::span<const Token> tokens, Symbols& symbols, Diagnostics& diagnostics)
    : symbols_(symbols), diagnostics_(diagnostics), origins_(1) {
  const auto same = [](const Token&, const Token& next) { return next.kind != '#'; };
  for (const auto directive : tokens | ranges::views::chunk_by(same)) read_directive(std::span(directive));
  used_.resize(directives_.size());
}

void Macros::read_directive(std::span<const Token> tokens) {
  if (tokens.front().kind != '#') {
    diagnostics_.error(tokens.front().where, "expected '#' at the beginning of a section or macro",
                       "a description consists of sections such as #rules = … and macros such as #name(a; b) = …");
    return;
  }
  // Pass only the tokens of the head to the grammar.
  std::size_t head_size = 1;
  while (head_size < tokens.size() && tokens[head_size - 1].kind != '=') ++head_size;
  SectionError error;
  const std::string kinds = kinds_of(tokens.first(head_size));
  Head head{.kinds = kinds.data()};
  if (!parse_tokens<syntax::directive_head, RuleAction, HeadControl>(kinds, error, head)) {
    Diagnostic& diagnostic = report(diagnostics_, symbols_, tokens, end_of(tokens), error);
    if (error.at < tokens.size() && is_keyword(tokens[error.at].kind)) {
      diagnostic.hint = "hexagon, cuboid, rectangle and the section names are reserved";
    }
    if (error.at < tokens.size() && tokens[error.at].kind == ',') diagnostic.hint = "parameters are separated by ';'";
    return;
  }
  Directive directive;
  directive.name = tokens[head.name].text;
  directive.where = tokens[head.name].where;
  directive.section = head.section;
  for (std::size_t at : head.parameters) {
    if (std::ranges::find(directive.parameters, tokens[at].text) != directive.parameters.end()) {
      diagnostics_.error(tokens[at].where, fmt::format("parameter {} occurs twice", symbols_.text(tokens[at].text)));
    }
    directive.parameters.push_back(tokens[at].text);
  }
  if (head.section && !head.parameters.empty()) {
    diagnostics_.error(tokens[head.parameters.front()].where, "a section has no parameters");
  }
  directive.body = tokens.subspan(head.end);
  directives_.push_back(std::move(directive));
  define(static_cast<std::uint32_t>(directives_.size() - 1));
}

void Macros::define(std::uint32_t index) {
  const Directive& directive = directives_[index];
  const std::string name = symbols_.str(directive.name);
  auto note_first = [&](Diagnostic& diagnostic, const Directive& first) {
    diagnostic.notes.push_back({first.where, "first defined here"});
  };
  if (directive.section) {
    const Directive* first = section(name);
    if (first != &directive)
      note_first(diagnostics_.error(directive.where, fmt::format("section {} is given twice", name)), *first);
    return;
  }
  Overloads& overloads = macros_[directive.name];
  for (std::uint32_t other : overloads.by_arity) {
    const Directive& first = directives_[other];
    if (first.parameters.size() == directive.parameters.size()) {
      note_first(diagnostics_.error(directive.where, directive.parameters.empty()
                                                         ? fmt::format("macro {} is defined twice", name)
                                                         : fmt::format("macro {} with {} parameter{} is defined twice",
                                                                       name, directive.parameters.size(),
                                                                       directive.parameters.size() == 1 ? "" : "s")),
                 first);
      return;
    }
    if (first.parameters.empty() || directive.parameters.empty()) {
      note_first(
          diagnostics_.error(directive.where, fmt::format("macro {} is defined with and without parameters", name),
                             "only macros with different positive numbers of parameters may share a name"),
          first);
      return;
    }
  }
  if (directive.body.empty()) diagnostics_.warning(directive.where, fmt::format("macro {} has an empty body", name));
  overloads.by_arity.push_back(index);
}

const Directive* Macros::section(std::string_view name) const {
  for (const Directive& directive : directives_) {
    if (directive.section && symbols_.text(directive.name) == name) return &directive;
  }
  return nullptr;
}

void Macros::warn_unused() {
  for (std::size_t i = 0; i < directives_.size(); ++i) {
    const Directive& directive = directives_[i];
    if (directive.section || used_[i]) continue;
    diagnostics_.warning(directive.where, fmt::format("macro {} is never used", symbols_.text(directive.name)));
  }
}

std::string Macros::define_line(Range where) const {
  return std::to_string(diagnostics_.sources()->position(where.begin).line);
}

std::string Macros::why_not_expanded(const Token& name) const {
  const auto it = macros_.find(name.text);
  if (it == macros_.end() || it->second.by_arity.empty()) return {};
  const std::string& text = symbols_.str(name.text);
  // The directive that contains the name is the last one that begins before it.
  const auto next = std::ranges::upper_bound(directives_, name.where.begin, {},
                                             [](const Directive& directive) { return directive.where.begin; });
  const auto home = static_cast<std::uint32_t>(next - directives_.begin()) - 1;
  const auto& list = it->second.by_arity;
  if (std::ranges::find(list, home) != list.end())
    return fmt::format("macro {} cannot use itself; repetition is written with * or ^", text);
  if (list.front() > home) {
    return fmt::format("macro {} is defined further down, at line {}; a macro can be used after its definition only",
                       text, define_line(directives_[list.front()].where));
  }
  return fmt::format("there is a macro {}, but what ~ has glued is not expanded again", text);
}

Diagnostic& Macros::error(const Token& at, std::string message, std::string hint) const {
  Diagnostic& diagnostic = diagnostics_.error(at.where, std::move(message), std::move(hint));
  explain(diagnostic, at.origin);
  return diagnostic;
}

void Macros::explain(Diagnostic& diagnostic, std::uint32_t origin) const {
  constexpr std::size_t kMostNotes = 12;
  while (origin != 0) {
    const Origin& step = origins_[origin];
    const Directive& macro = directives_[step.directive];
    if (diagnostic.notes.size() == kMostNotes) {
      diagnostic.notes.push_back({{}, "… and further expansions"});
      return;
    }
    diagnostic.notes.push_back(
        {step.call, fmt::format("in expansion of {} at line {}, from line {}", symbols_.text(macro.name),
                                define_line(macro.where), define_line(step.call))});
    origin = step.parent;
  }
}

// A token string with the meaning of its names: the environment resolves parameters; the order of the directive
// determines which macros are visible.
struct Macros::Text {
  std::span<const Token> tokens;
  const Environment* environment = nullptr;
  std::uint32_t order = 0;
  std::uint32_t origin = 0;
};

struct Macros::Environment {
  const Directive* macro = nullptr;
  std::vector<Text> arguments;

  [[nodiscard]] const Text* find(SymbolId name) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (macro->parameters[i] == name) return &arguments[i];
    }
    return nullptr;
  }
};

class Macros::Expander {
 public:
  explicit Expander(Macros& macros) : m_(macros) {}

  [[nodiscard]] const Limit& exceeded(std::size_t tokens) const {
    if (m_.steps_ > kMaxExpansionSteps) return kMaxExpansionSteps;
    return tokens > kMaxTokens ? kMaxTokens : kMaxExpansions;
  }

  // Appends the expansion of `text`. Returns false if it reported an error.
  bool expand(const Text& text, std::size_t depth) {
    if (depth > kMaxExpansionDepth) {
      return fail(text.tokens.empty() ? Range{} : text.tokens.front().where, text.origin,
                  fmt::format("macros are nested more than {} deep", kMaxExpansionDepth), kMaxExpansionDepth.advice());
    }
    std::size_t left = out.size();  // begin of the chunk to the left of a '~'
    bool glue = false;
    for (std::size_t i = 0; i < text.tokens.size();) {
      const Token& token = text.tokens[i];
      if (++m_.steps_ > kMaxExpansionSteps || out.size() > kMaxTokens || m_.origins_.size() > kMaxExpansions) {
        return fail(
            token.where, text.origin, "the expansion of macros grows beyond all measure",
            fmt::format("at most {} macro calls and {} tokens; does a macro use another one twice, and so on? {}",
                        kMaxExpansions, kMaxTokens, exceeded(out.size()).advice()));
      }
      if (token.kind == '~') {
        if (glue || i == 0 || i + 1 == text.tokens.size()) {
          return fail(token.where, text.origin, "'~' must stand between two tokens");
        }
        if (m_.directives_[text.order].section) {
          return fail(token.where, text.origin, "'~' is allowed inside macros only", "move the names into a macro");
        }
        glue = true;
        ++i;
        continue;
      }
      const std::size_t begin = out.size();
      const Range written = token.where;
      if (!chunk(text, i, depth)) return false;
      if (!glue) {
        left = begin;
      } else if (begin > left && out.size() > begin) {
        if (!join_tokens(begin, written, text.origin)) return false;
      }
      glue = false;
    }
    return true;
  }

  std::vector<Token> out;

 private:
  bool fail(Range where, std::uint32_t origin, std::string message, std::string hint = {}) {
    m_.explain(m_.diagnostics_.error(where, std::move(message), std::move(hint)), origin);
    return false;
  }

  // Expands the chunk at text.tokens[i] and advances i past it.
  bool chunk(const Text& text, std::size_t& i, std::size_t depth) {
    const Token& token = text.tokens[i++];
    if (token.kind == token::kIdentifier) {
      if (text.environment != nullptr) {
        if (const Text* argument = text.environment->find(token.text)) return expand(*argument, depth + 1);
      }
      if (const auto it = m_.macros_.find(token.text); it != m_.macros_.end()) {
        // Definitions are in order, so if any definition is visible, the first one is.
        const auto& list = it->second.by_arity;
        if (!list.empty() && list.front() < text.order) return call(text, i, token, list, depth);
      }
    }
    out.push_back(token);
    out.back().origin = text.origin;
    return true;
  }

  bool call(const Text& text, std::size_t& i, const Token& name, const std::vector<std::uint32_t>& list,
            std::size_t depth) {
    Environment environment;
    std::uint32_t chosen = list.front();
    Range where = name.where;
    if (!m_.directives_[chosen].parameters.empty()) {
      std::vector<Text> arguments;
      if (!read_arguments(text, i, name, arguments)) return false;
      const auto fits = std::ranges::find_if(list, [&](std::uint32_t d) {
        return d < text.order && m_.directives_[d].parameters.size() == arguments.size();
      });
      if (fits == list.end()) return wrong_arity(text, name, list, arguments);
      chosen = *fits;
      environment.arguments = std::move(arguments);
      where.end = text.tokens[i - 1].where.end;
    }
    m_.used_[chosen] = true;
    environment.macro = &m_.directives_[chosen];
    m_.origins_.push_back({chosen, where, text.origin});
    const auto origin = static_cast<std::uint32_t>(m_.origins_.size() - 1);
    return expand({environment.macro->body, &environment, chosen, origin}, depth + 1);
  }

  // Whether the argument contains a comma outside of all brackets.
  static bool has_comma(const Text& argument) {
    int depth = 0;
    for (const Token& token : argument.tokens) {
      if (depth == 0 && token.kind == ',') return true;
      if (token::opens(token.kind)) ++depth;
      if (token::closes(token.kind)) --depth;
    }
    return false;
  }

  bool wrong_arity(const Text& text, const Token& name, const std::vector<std::uint32_t>& list,
                   std::span<const Text> given) {
    std::string known;
    for (std::uint32_t d : list) {
      if (d >= text.order) continue;
      known += fmt::format("{}{}", known.empty() ? "" : " or ", m_.directives_[d].parameters.size());
    }
    Diagnostic& diagnostic = m_.diagnostics_.error(
        name.where, fmt::format("macro {} takes {} argument{}, not {}", m_.symbols_.text(name.text), known,
                                known == "1" ? "" : "s", given.size()));
    for (std::uint32_t d : list) diagnostic.notes.push_back({m_.directives_[d].where, "defined here"});
    if (std::ranges::any_of(given, has_comma)) diagnostic.hint = "arguments are separated by ';'";
    m_.explain(diagnostic, text.origin);
    return false;
  }

  // Reads from the '(' at text.tokens[i] to its ')'. Arguments are separated by ';' outside inner round brackets.
  bool read_arguments(const Text& text, std::size_t& i, const Token& name, std::vector<Text>& arguments) {
    const auto& tokens = text.tokens;
    if (i >= tokens.size() || tokens[i].kind != '(') {
      return fail(name.where, text.origin,
                  fmt::format("macro {} needs its arguments in brackets", m_.symbols_.text(name.text)),
                  "a macro with parameters is always followed by ( and its arguments");
    }
    std::size_t depth = 1;
    std::size_t begin = ++i;
    for (; i < tokens.size(); ++i) {
      const char kind = tokens[i].kind;
      if (kind == '(') ++depth;
      if (kind == ')') --depth;
      if (depth == 0 || (depth == 1 && kind == ';')) {
        arguments.push_back({tokens.subspan(begin, i - begin), text.environment, text.order, text.origin});
        begin = i + 1;
        if (depth == 0) {
          ++i;
          return true;
        }
      }
    }
    return fail(name.where, text.origin,
                fmt::format("the arguments of macro {} are not closed by ')'", m_.symbols_.text(name.text)));
  }

  // Concatenates out[at - 1] and out[at] into one token.
  bool join_tokens(std::size_t at, Range written, std::uint32_t origin) {
    Token& left = out[at - 1];
    const Token& right = out[at];
    const std::string spelling = m_.symbols_.str(left.text) + m_.symbols_.str(right.text);
    const char kind = classify(spelling);
    const bool number_first = left.kind == token::kNumber;
    if (kind == 0 || (number_first && right.kind != token::kNumber) || spelling.size() > 10'000) {
      return fail(
          written, origin,
          fmt::format("'{}' and '{}' cannot be glued", m_.symbols_.text(left.text), m_.symbols_.text(right.text)));
    }
    if (kind == token::kNumber && spelling.size() > 9) return fail(written, origin, "number too large");
    left.text = m_.symbols_.intern(spelling);
    left.kind = kind;
    left.origin = origin;
    left.where = written;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  Macros& m_;
};

std::vector<Token> Macros::expand(const Directive& section) {
  Expander expander(*this);
  const auto order = static_cast<std::uint32_t>(&section - directives_.data());
  expander.out.reserve(section.body.size() * 2);
  if (!expander.expand({section.body, nullptr, order, 0}, 0)) expander.out.clear();
  return std::move(expander.out);
}

}  // namespace rgtrans::rbg
