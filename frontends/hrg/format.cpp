// The formatter works on the tokens of the text, so that nothing is lost. The syntax tree only provides the kind of
// construct that begins at a token (a declaration, a statement, an entry of a map) and the braces that enclose blocks.
#include "frontends/hrg/format.hpp"

#include <algorithm>
#include <optional>
#include <tao/pegtl.hpp>
#include <unordered_map>
#include <vector>

#include "core/support/actions.hpp"
#include "frontends/hrg/grammar.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

namespace {

namespace p = tao::pegtl;

enum class Kind : std::uint8_t { name, sign, comment };

struct Token {
  Kind kind;
  std::string_view text;
  std::size_t lines_before = 0;  // line ends between the previous token and this one
};

namespace tokens {

struct space : p::plus<p::one<' ', '\t', '\r', '\n'>> {};
struct comment : grammar::comment {};
struct word : p::plus<grammar::name_char> {};
// An underscore directly after the sign of a tag belongs to the sign.
struct sign : p::sor<p::string<'$', '$'>, p::string<'$', '_'>, p::string<'=', '='>, p::string<'!', '='>,
                     p::string<'<', '='>, p::string<'>', '='>, p::string<'-', '>'>, p::string<'.', '.'>,
                     p::string<'&', '&'>, p::string<'|', '|'>, p::any> {};
struct all : p::seq<p::opt<p::utf8::bom>, p::star<p::sor<space, comment, word, sign>>> {};

}  // namespace tokens

struct Scanner {
  std::vector<Token> tokens;
  std::size_t lines = 0;
  void add(Kind kind, std::string_view text) { tokens.push_back({kind, text, std::exchange(lines, 0)}); }
};

void act(On<tokens::space>, std::string_view text, Scanner& s) {
  s.lines += static_cast<std::size_t>(std::ranges::count(text, '\n'));
}
void act(On<tokens::comment>, std::string_view text, Scanner& s) { s.add(Kind::comment, text); }
void act(On<tokens::word>, std::string_view text, Scanner& s) { s.add(Kind::name, text); }
void act(On<tokens::sign>, std::string_view text, Scanner& s) { s.add(Kind::sign, text); }

// The construct that begins at a token.
enum class Begins : std::uint8_t { nothing, declaration, graph, function_case, statement, entry, block, map };

class Formatter {
 public:
  Formatter(const Sources::File& file, const ast::Program& program) : file_(file) {
    Scanner scanner;
    p::memory_input<p::tracking_mode::lazy, p::eol::lf, const char*> in(
        file.text.data(), file.text.data() + file.text.size(), file.name.c_str());
    p::parse<tokens::all, RuleAction>(in, scanner);
    tokens_ = std::move(scanner.tokens);
    mark(program);
    match_braces();
  }

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) put(i);
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  struct Brace {
    Begins kind = Begins::nothing;  // block, map, or nothing for a set
    bool broken = false;            // its content is on separate lines
    std::size_t indent = 0;         // indentation of the line that opens it
  };

  void mark(const ast::Program& program) {
    auto begins = [&](Range where, Begins what) { begins_[where.begin - file_.base] = what; };
    for (const ast::Domain& d : program.domains) begins(d.where, Begins::declaration);
    for (const ast::Function& f : program.functions) begins(f.where, Begins::declaration);
    for (const ast::VariableRule& v : program.variables) begins(v.where, Begins::declaration);
    for (const ast::Case& c : program.pool<ast::Case>()) begins(c.where, Begins::function_case);
    for (const ast::Entry& e : program.pool<ast::Entry>()) begins(e.where, Begins::entry);
    for (const ast::Expr& e : program.exprs) {
      if (e.kind == ast::ExpressionKind::map) begins(e.where, Begins::map);
    }
    for (const ast::Statement& s : program.pool<ast::Statement>()) begins(s.where, Begins::statement);
    for (const ast::Block& b : program.pool<ast::Block>()) {
      const bool braces = file_.text[b.where.begin - file_.base] == '{';
      begins(b.where, braces ? Begins::block : Begins::nothing);  // the block of an else-if has no braces
    }
    for (const ast::GraphRule& g : program.graphs) {
      begins(g.where, Begins::graph);
      begins(g.body.where, Begins::block);
    }
  }

  [[nodiscard]] Begins begins(std::size_t i) const {
    const auto it = begins_.find(static_cast<std::uint32_t>(tokens_[i].text.data() - file_.text.data()));
    return it == begins_.end() ? Begins::nothing : it->second;
  }

  void match_braces() {
    std::vector<std::size_t> open;
    close_.assign(tokens_.size(), 0);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].text == "{") open.push_back(i);
      if (tokens_[i].text != "}" || open.empty()) continue;
      close_[open.back()] = i;
      open.pop_back();
    }
  }

  [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].kind != Kind::comment && tokens_[i].text == text;
  }
  [[nodiscard]] std::size_t next_code(std::size_t i) const {
    while (i < tokens_.size() && tokens_[i].kind == Kind::comment) ++i;
    return i;
  }

  // A map that the author wrote on one line stays on one line.
  [[nodiscard]] bool breaks(std::size_t open, Begins kind) const {
    if (kind == Begins::block) return close_[open] > open + 1;
    if (kind != Begins::map) return false;
    std::size_t depth = 0;
    for (std::size_t i = open + 1; i <= close_[open]; ++i) {
      const bool own =
          depth == 0 && (begins(i) == Begins::entry || i == close_[open] || tokens_[i].kind == Kind::comment);
      if (own && tokens_[i].lines_before > 0) return true;
      if (tokens_[i].text == "{") ++depth;
      if (tokens_[i].text == "}" && i != close_[open]) --depth;
    }
    return false;
  }

  // The indentation of a token that must begin a line, or none.
  [[nodiscard]] std::optional<std::size_t> own_line(std::size_t i) const {
    switch (begins(i)) {
      case Begins::declaration:
      case Begins::graph:
      case Begins::function_case:
        return 0;
      case Begins::statement:
        return braces_.empty() ? 0 : braces_.back().indent + 2;
      case Begins::entry:
        // The author may put several on one line.
        if (braces_.empty() || !braces_.back().broken) return std::nullopt;
        if (tokens_[i].lines_before == 0 && !is(i - 1, "{")) return std::nullopt;
        return braces_.back().indent + 2;
      default:
        break;
    }
    if (is(i, "}") && !braces_.empty() && braces_.back().broken) return braces_.back().indent;
    return std::nullopt;
  }

  [[nodiscard]] std::size_t comment_indent(std::size_t i) const {
    const std::size_t next = next_code(i);
    if (next == tokens_.size()) return 0;
    const std::optional<std::size_t> indent = own_line(next);
    if (!indent) return line_indent_ + 4;
    return is(next, "}") ? *indent + 2 : *indent;
  }

  // A blank line precedes a graph together with the comments directly above it.
  [[nodiscard]] bool leads_graph(std::size_t i) const {
    if (!braces_.empty()) return false;
    for (std::size_t k = i; k < tokens_.size(); ++k) {
      if (k > i && tokens_[k].lines_before > 1) return false;
      if (tokens_[k].kind != Kind::comment) return begins(k) == Begins::graph;
    }
    return false;
  }

  void new_line(std::size_t i, std::size_t indent) {
    if (i == 0) return;
    const bool after_open = is(i - 1, "{") && !braces_.empty() && braces_.back().broken;
    const bool before_close = is(i, "}");
    // No blank line below a comment on a line of its own: it comes before that comment.
    const bool above_continues = tokens_[i - 1].kind == Kind::comment && (i == 1 || tokens_[i - 1].lines_before > 0);
    bool blank = tokens_[i].lines_before > 1 || (braces_.empty() && i - 1 == block_ended_);
    if (leads_graph(i) && !(above_continues && tokens_[i].lines_before <= 1)) blank = true;
    out_ += '\n';
    if (blank && !after_open && !before_close) out_ += '\n';
    out_.append(indent, ' ');
  }

  // Keeps the distance to comments at ends of lines, which authors often align.
  [[nodiscard]] std::size_t blanks_before(const Token& token) const {
    const char* at = token.text.data();
    while (at > file_.text.data() && at[-1] == ' ') --at;
    return static_cast<std::size_t>(token.text.data() - at);
  }

  void put(std::size_t i) {
    const Token& token = tokens_[i];
    const bool after_comment = i > 0 && tokens_[i - 1].kind == Kind::comment;
    if (token.kind == Kind::comment) {
      if (i == 0 || token.lines_before > 0 || after_comment) {
        new_line(i, comment_indent(i));
      } else {
        out_.append(std::max<std::size_t>(2, blanks_before(token)), ' ');
      }
      std::string_view text = token.text;
      while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
      out_ += text;
      return;
    }
    if (const std::optional<std::size_t> indent = own_line(i)) {
      new_line(i, *indent);
      line_indent_ = *indent;
    } else if (i > 0 && (after_comment || (token.lines_before > 0 && may_break_before(i)))) {
      out_ += '\n';
      out_.append(line_indent_ + (continues_block(i) ? 0 : 4), ' ');
    } else if (i > 0 && space_between(i - 1, i)) {
      out_ += ' ';
    }
    out_ += token.text;
    if (token.text == "{") {
      const Begins kind = begins(i);
      braces_.push_back({kind, breaks(i, kind), line_indent_});
    } else if (token.text == "}" && !braces_.empty()) {
      block_ended_ = braces_.back().kind == Begins::block ? std::optional(i) : std::nullopt;
      braces_.pop_back();
    }
  }

  // Whether the token (or, else) connects two blocks of one statement.
  [[nodiscard]] bool continues_block(std::size_t i) const {
    if (!is(i, "or") && !is(i, "else")) return false;
    std::size_t before = i - 1;
    while (before > 0 && tokens_[before].kind == Kind::comment) --before;
    return before == block_ended_;
  }

  // Whether the author's line break before a token inside a declaration or statement is kept.
  [[nodiscard]] bool may_break_before(std::size_t i) const {
    if (begins(i) == Begins::block || continues_block(i)) return false;
    if (is(i, "if") && is(i - 1, "else")) return false;
    static constexpr std::string_view kTight[] = {"(", ")", "[", "]", ",", ";", "..", "{", "}"};
    if (std::ranges::find(kTight, tokens_[i].text) != std::end(kTight)) return false;
    return !is(i - 1, "$") && !is(i - 1, "$$") && !is(i - 1, "$_") && !is(i - 1, "(") && !is(i - 1, "..");
  }

  [[nodiscard]] bool space_between(std::size_t a, std::size_t b) const {
    const std::string_view left = tokens_[a].text;
    const std::string_view right = tokens_[b].text;
    if (left == "{" && right == "}") return false;
    if (left == "(" || left == "[" || left == ".." || left == "$_" || left == "!") return false;
    if (right == ")" || right == "]" || right == "," || right == ";" || right == ".." || right == "[") return false;
    if (right == "(") {
      static constexpr std::string_view kWords[] = {"if", "then", "else", "while", "in", "where"};
      if (tokens_[a].kind == Kind::name) return std::ranges::find(kWords, left) != std::end(kWords);
      return left != ")" && left != "]" && left != "}";
    }
    return true;
  }

  const Sources::File& file_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> close_;  // by token: its closing brace
  std::unordered_map<std::uint32_t, Begins> begins_;
  std::vector<Brace> braces_;
  std::size_t line_indent_ = 0;
  std::optional<std::size_t> block_ended_;  // the token that closed the last block
  std::string out_;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  Symbols symbols;
  const ast::Program program = parse(file, symbols, diagnostics);
  if (diagnostics.has_errors()) return {};
  return Formatter(file, program).run();
}

}  // namespace rgtrans::hrg
