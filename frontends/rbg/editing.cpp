// Finds the names that an RBG text declares. A directive begins with '#': one of five sections, or a macro. Inside a
// macro, a name is a parameter, an earlier macro with the same number of arguments, or a piece, player, variable or
// direction. The ends of `a~b` are fragments of names that do not occur in the text, so only parameters are recognised
// there.
#include "frontends/rbg/editing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/support/letters.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/rbg/text/parser.hpp"

namespace rgtrans::rbg {

namespace {

using namespace outline;

const Lexicon kLexicon{.marks = {"->>", "->", "<=", ">=", "!="}};

enum Place : unsigned { kSection = 1, kBoard = 2, kRules = 4 };

constexpr std::array<LanguageWord, 10> kWords = {{
    {"players", "`#players = a(100), b(100)`: the players, each with the largest score.",
     "players = ${1:white}(100), ${2:black}(100)", kSection},
    {"pieces", "`#pieces = e, x, o`: the possible contents of a cell.", "pieces = ${1:e, w, b}", kSection},
    {"variables", "`#variables = turns(50)`: counters, each with its largest value; all start at 0.",
     "variables = ${1}", kSection},
    {"board", "`#board = rectangle(up,down,left,right, rows)`: the cells with their first pieces, and the directions.",
     "board = rectangle(up,down,left,right,\n    [${1:e, e}]\n    [${2:e, e}])", kSection},
    {"rules", "`#rules = …`: the regular expression of all plays.", "rules = ${1}", kSection},
    {"rectangle", "`rectangle(up, down, left, right, rows)`: the row that is written first is the top one.",
     "rectangle(up,down,left,right,\n    [${1:e, e}]\n    [${2:e, e}])", kBoard},
    {"hexagon", "`hexagon(nw, ne, e, se, sw, w, rows)`: rows grow by one cell and then shrink by one.",
     "hexagon(nw,ne,e,se,sw,w,\n    ${1})", kBoard},
    {"cuboid", "`cuboid(up, down, left, right, front, back, [rows] [rows] …)`: layers from back to front.",
     "cuboid(up,down,left,right,front,back,\n    ${1})", kBoard},
    {"->>", "The keeper, the game itself, is to move.", {}, kRules},
    {"->", "`->player`: this player is to move.", "->${1:player}", kRules},
}};

constexpr std::string_view kSections[] = {"players", "pieces", "variables", "board", "rules"};
bool is_section(std::string_view name) { return std::ranges::find(kSections, name) != std::end(kSections); }

class Reader {
 public:
  explicit Reader(std::string_view text) : out_(text, kLexicon) {}

  Outline run() {
    split();
    for (Chunk& chunk : chunks_) declare(chunk);
    for (const Chunk& chunk : chunks_) read(chunk);
    return out_.finish();
  }

 private:
  struct Chunk {
    std::size_t first, body, end;  // word indices: the '#', the first word after '=', the next '#'
    NameId name = kNone;
    std::vector<std::size_t> parameters;
  };

  void split() {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!out_.is(i, "#")) continue;
      if (!chunks_.empty()) chunks_.back().end = i;
      chunks_.push_back({i, i + 1, out_.size(), kNone, {}});
    }
  }

  // The number of arguments in the brackets at `open`, and the position of the closing bracket.
  [[nodiscard]] std::pair<std::size_t, std::size_t> arguments(std::size_t open, std::size_t end) const {
    const std::size_t close = out_.closing(open, end);
    std::size_t count = 1;
    for (std::size_t i = open + 1; i < close; ++i) {
      if (out_.is(i, "(")) i = out_.closing(i, close);
      if (out_.is(i, ";")) ++count;
    }
    return {count, close};
  }

  void declare(Chunk& chunk) {
    const std::size_t name = chunk.first + 1;
    if (name >= chunk.end || !out_.is_name(name)) return;
    std::size_t equals = name + 1;
    if (!is_section(out_.text(name)) && out_.is(equals, "(")) {
      const std::size_t close = arguments(equals, chunk.end).second;
      for (std::size_t i = equals + 1; i < close; ++i) {
        if (out_.is_name(i)) chunk.parameters.push_back(i);
      }
      equals = close + 1;
    }
    chunk.body = std::min(out_.is(equals, "=") ? equals + 1 : equals, chunk.end);
    auto& declared = out_.declare(is_section(out_.text(name)) ? DeclaredKind::game : DeclaredKind::macro, name,
                                  out_.span(chunk.first, chunk.end));
    declared.signature = out_.line(chunk.first, chunk.end);
    chunk.name = out_.last();
    if (declared.kind == DeclaredKind::game) {
      declared.needed = true;
      return declare_section(chunk, out_.text(name));
    }
    declared.callable = !chunk.parameters.empty();
    constexpr std::size_t kShort = 24;  // longest value shown next to a use of the macro
    std::string value = out_.line(chunk.body, chunk.end);
    if (chunk.parameters.empty() && !value.empty() && value.size() <= kShort) values_.emplace(chunk.name, value);
    for (const std::size_t parameter : chunk.parameters) declared.parameters.emplace_back(out_.text(parameter));
    macros_.try_emplace({declared.name, chunk.parameters.size()}, chunk.name);
  }

  void declare_section(const Chunk& chunk, std::string_view section) {
    if (section == "board") return declare_directions(chunk);
    if (section == "rules") return;
    const DeclaredKind kind = section == "variables" ? DeclaredKind::variable : DeclaredKind::element;
    std::size_t count = 0;
    for (std::size_t i = chunk.body; i < chunk.end; ++i) {
      if (out_.is(i, "(")) i = std::min(out_.closing(i, chunk.end), chunk.end - 1);
      if (!out_.is_name(i) || (i > chunk.body && !out_.is(i - 1, ","))) continue;
      std::size_t last = i + 1;
      if (out_.is(last, "(")) last = std::min(out_.closing(last, chunk.end) + 1, chunk.end);
      publish(kind, i, out_.span(i, last), chunk.name, fmt::format("#{} = {}", section, out_.line(i, last)));
      ++count;
    }
    if (section == "pieces") out_.hint(out_.at(chunk.first + 1).end, fmt::format(" {} values", count));
  }

  // Declares directions: the first arguments of a generator, or the names before ':' in lists of edges.
  void declare_directions(const Chunk& chunk) {
    const bool generated =
        out_.is(chunk.body, "rectangle") || out_.is(chunk.body, "hexagon") || out_.is(chunk.body, "cuboid");
    if (generated) out_.keyword(chunk.body);
    const std::size_t count = out_.is(chunk.body, "rectangle") ? 4 : 6;
    std::size_t found = 0;
    for (std::size_t i = chunk.body + 1; i < chunk.end; ++i) {
      const bool direction = generated ? found < count && out_.is_name(i) : out_.is_name(i) && out_.is(i + 1, ":");
      if (generated && out_.is(i, "[")) return;
      if (!direction || out_.find(out_.text(i)) != kNone) continue;
      ++found;
      publish(DeclaredKind::label, i, out_.span(i, i + 1), chunk.name,
              fmt::format("{}: a direction of the board", out_.text(i)));
    }
  }

  void publish(DeclaredKind kind, std::size_t word, Span whole, NameId parent, std::string signature) {
    if (out_.find(out_.text(word)) != kNone) return;
    auto& declared = out_.declare(kind, word, whole, parent);
    declared.signature = std::move(signature);
    declared.listed = kind != DeclaredKind::label;
    declared.needed = true;  // `~` may produce this name
    out_.publish(out_.last());
  }

  void read(const Chunk& chunk) {
    if (chunk.name == kNone) return;
    const std::size_t depth = out_.depth();
    for (const std::size_t parameter : chunk.parameters) {
      auto& declared = out_.declare(DeclaredKind::parameter, parameter, out_.span(parameter, parameter + 1));
      declared.scope = out_.span(chunk.first, chunk.end);
      declared.signature =
          fmt::format("{}: a parameter of {}", out_.text(parameter), out_.declaration(chunk.name).name);
      declared.listed = false;
      out_.enter(out_.last());
    }
    for (std::size_t i = chunk.body; i < chunk.end; ++i) {
      if (out_.is_name(i)) read_name(chunk, i);
    }
    out_.leave(depth);
  }

  void read_name(const Chunk& chunk, std::size_t i) {
    const std::string_view text = out_.text(i);
    if (const NameId local = out_.find_local(text); local != kNone) return out_.use(i, local);
    if (out_.is(i - 1, "~") || out_.is(i + 1, "~")) return;
    const std::size_t count = out_.is(i + 1, "(") ? arguments(i + 1, chunk.end).first : 0;
    auto macro = macros_.find({std::string(text), count});
    if (macro == macros_.end()) macro = macros_.find({std::string(text), 0});
    if (macro != macros_.end()) {
      out_.use(i, macro->second, Use::calls);
      if (const auto value = values_.find(macro->second); value != values_.end())
        out_.hint(out_.at(i).end, " = " + value->second);
      return out_.call(chunk.name, macro->second, i);
    }
    const NameId name = out_.find(text);
    if (name == kNone) return;
    const bool assigned = out_.is(i + 1, "=") && (out_.is(i - 1, "$") || out_.is(i - 1, ","));
    out_.use(i, name, assigned ? Use::writes : Use::reads);
  }

  Outliner out_;
  std::vector<Chunk> chunks_;
  std::map<std::pair<std::string, std::size_t>, NameId> macros_;
  std::map<NameId, std::string> values_;  // short values of macros without parameters
};

Outline read(std::string_view text) { return Reader(text).run(); }

Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  constexpr unsigned kMacros = kind_bits(DeclaredKind::macro, DeclaredKind::parameter);
  constexpr unsigned kPieces = kMacros | kind_bits(DeclaredKind::element);
  std::string_view section, last;
  int braces = 0, squares = 0;
  for (std::size_t i = outline.lexemes_before(at); i-- > 0;) {
    if (outline.lexemes[i].kind == LexemeKind::comment) continue;
    const std::string_view word = outline.lexemes[i].at.of(text);
    if (word == "#") {
      if (last.empty()) return {0, kSection};
      break;
    }
    if (last.empty()) last = word;
    section = word;
    braces += word == "{" ? 1 : word == "}" ? -1 : 0;
    squares += word == "[" ? 1 : word == "]" ? -1 : 0;
  }
  if (last.empty()) return {0, kSection};
  if (section == "players" || section == "variables" || section == "pieces") return {kMacros, 0};
  if (section == "board") return {kPieces, kBoard};
  if (last == "->") return {kPieces, 0};
  if (braces > 0 || squares > 0) return {kPieces | kind_bits(DeclaredKind::variable, DeclaredKind::label), 0};
  return {kPieces | kind_bits(DeclaredKind::label), kRules};
}

bool is_name(std::string_view name) {
  return !name.empty() && !is_section(name) && !is_digit(name.front()) && all_word(name);
}

void check(const Sources::File& file, Diagnostics& diagnostics) { parse(file, diagnostics); }

}  // namespace

const Editing kEditing{.words = kWords,
                       .outline = read,
                       .wanted = wanted,
                       .is_name = is_name,
                       .triggers = "#>$",
                       .separator = ";",
                       .check = check};

}  // namespace rgtrans::rbg
