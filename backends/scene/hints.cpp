#include "backends/scene/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/support/letters.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::string_view kBegin = "display:";
constexpr std::size_t kLongestGlyph = 3;  // characters

struct Word {
  std::string_view text;
  Range where;
};

struct Named {
  std::string_view name, value;
};
constexpr std::array<Named, 14> kColours = {
    Named{"white", "#fdfdf8"},  Named{"black", "#2b2b2b"}, Named{"red", "#c8372d"},    Named{"blue", "#2f62b5"},
    Named{"yellow", "#f0c330"}, Named{"green", "#3b8f4d"}, Named{"orange", "#e08a2c"}, Named{"purple", "#7a4fa3"},
    Named{"brown", "#8a5a34"},  Named{"grey", "#8a8378"},  Named{"gray", "#8a8378"},   Named{"pink", "#dd7fa3"},
    Named{"cyan", "#3aa6b0"},   Named{"gold", "#d8a520"}};

// Letters, digits and underscores make words: "M(white,king)" has M, white and king.
void add_words(std::string_view text, std::set<std::string, std::less<>>& words) {
  std::string word;
  for (const char c : text) {
    if (is_word(c)) word += c;
    if (is_word(c) || word.empty()) continue;
    words.insert(std::move(word));
    word.clear();
  }
  if (!word.empty()) words.insert(std::move(word));
}

class Reader {
 public:
  Reader(const Sources::File& file, const ir::Game& game, Diagnostics& diagnostics)
      : file_(file), game_(game), diagnostics_(diagnostics) {}

  Hints run() {
    const std::string_view text = file_.text;
    if (text.find("display") == std::string_view::npos) return {};
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') {
      read_list();
    } else {
      read_lines();
    }
    return std::move(hints_);
  }

 private:
  void read_lines() {
    const std::string_view text = file_.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin, end);
      begin = end + 1;
    }
  }

  // A line of a comment: only the hint may follow the characters that begin the comment.
  void read_line(std::size_t begin, std::size_t end) {
    const std::string_view text = file_.text;
    std::size_t at = std::min(text.find_first_not_of(" \t", begin), end);
    const std::size_t mark = at;
    while (at < end && (text[at] == '/' || text[at] == ';' || text[at] == '*')) ++at;
    if (at == mark || (text[mark] == '/' && at < mark + 2)) return;
    at = std::min(text.find_first_not_of(" \t", at), end);
    if (!text.substr(at, end - at).starts_with(kBegin)) return;
    const std::size_t close = text.substr(0, end).find("*/", at);
    understand(words(at + kBegin.size(), std::min(close, end)), file_.range(at, at + kBegin.size() - 1));
  }

  // "display": ["…", "…"]
  void read_list() {
    const std::string_view text = file_.text;
    const std::size_t key = text.find("\"display\"");
    if (key == std::string_view::npos) return;
    const std::size_t open = text.find('[', key);
    const std::size_t close = text.find(']', key);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
      diagnostics_.warning(file_.range(key, key + 9), "\"display\" is a list of hints",
                           "such as \"display\": [\"flip\", \"colour black #222222\"]");
      return;
    }
    for (std::size_t at = text.find('"', open); at < close; at = text.find('"', at)) {
      const std::size_t end = std::min(text.find('"', at + 1), close);
      understand(words(at + 1, end), file_.range(at, end + 1));
      at = end + 1;
    }
  }

  std::vector<Word> words(std::size_t begin, std::size_t end) const {
    std::vector<Word> found;
    constexpr std::string_view kBlanks = " \t\r";
    for (std::size_t at = begin; at < end;) {
      at = file_.text.find_first_not_of(kBlanks, at);
      if (at >= end) break;
      const std::size_t stop = std::min(file_.text.find_first_of(kBlanks, at), end);
      found.push_back({std::string_view(file_.text).substr(at, stop - at), file_.range(at, stop)});
      at = stop;
    }
    return found;
  }

  void understand(const std::vector<Word>& words, Range line) {
    if (words.empty()) {
      diagnostics_.warning(line, "the hint is missing",
                           "write flip, show, hide, colour, glyph, name, cell, edge, look or coordinates behind it");
      return;
    }
    const std::string_view what = words[0].text;
    const std::span<const Word> rest = std::span(words).subspan(1);
    if (what == "flip") {
      hints_.flipped = true;
      if (!rest.empty()) diagnostics_.warning(rest[0].where, "nothing follows flip", "it turns the board round");
    } else if (what == "show" || what == "hide") {
      read_variables(words[0], rest);
    } else if (what == "colour" || what == "color") {
      read_colour(words[0], rest);
    } else if (what == "glyph") {
      read_glyph(words[0], rest);
    } else if (what == "name") {
      read_name(words[0], rest);
    } else if (what == "cell") {
      read_cell(words[0], rest);
    } else if (what == "edge") {
      read_edge(words[0], rest);
    } else if (what == "look") {
      read_look(words[0], rest);
    } else if (what == "coordinates") {
      const bool known = rest.size() == 1 && (rest[0].text == "on" || rest[0].text == "off");
      if (!known) diagnostics_.warning(words[0].where, "coordinates are on or off");
      hints_.coordinates = !known || rest[0].text == "on";
    } else {
      static constexpr std::array<std::string_view, 10> kHints = {"flip", "show", "hide", "colour", "glyph",
                                                                  "name", "cell", "edge", "look",   "coordinates"};
      const std::string near = did_you_mean(what, kHints);
      diagnostics_.warning(
          words[0].where, fmt::format("there is no display hint {}", what),
          near.empty() ? "there are flip, show, hide, colour, glyph, name, cell, edge, look and coordinates" : near);
    }
  }

  void read_variables(const Word& what, std::span<const Word> names) {
    if (names.empty()) {
      diagnostics_.warning(what.where, fmt::format("{} needs the names of variables", what.text));
      return;
    }
    for (const Word& name : names) {
      const SymbolId symbol = game_.symbols.find(name.text);
      if (!symbol.valid() || !game_.find_variable(symbol).valid()) {
        std::vector<std::string> known;
        for (const ir::Variable& variable : game_.variables()) known.push_back(game_.symbols.str(variable.name));
        const std::vector<std::string_view> candidates(known.begin(), known.end());
        diagnostics_.warning(name.where, fmt::format("there is no variable {}", name.text),
                             did_you_mean(name.text, candidates));
        continue;
      }
      (what.text == "show" ? hints_.shown : hints_.hidden).emplace_back(name.text);
    }
  }

  // Everything before the last word is the name, which may have blanks.
  std::optional<std::string> name_of(const Word& what, std::span<const Word> words, std::string_view form) {
    if (words.size() < 2) {
      diagnostics_.warning(what.where, fmt::format("{} needs a player or a piece, and {}", what.text, form));
      return std::nullopt;
    }
    std::string name;
    for (const Word& word : words.first(words.size() - 1)) {
      name += (name.empty() ? "" : " ") + std::string(word.text);
    }
    collect_names();
    if (names_.contains(name)) return name;
    const std::vector<std::string_view> candidates(names_.begin(), names_.end());
    diagnostics_.warning(join(words.front().where, words[words.size() - 2].where),
                         fmt::format("there is neither a player nor a piece {}", name), did_you_mean(name, candidates));
    return std::nullopt;
  }

  void read_colour(const Word& what, std::span<const Word> words) {
    const auto name = name_of(what, words, "a colour");
    if (!name) return;
    if (const auto colour = colour_of(words.back())) hints_.colours[*name] = *colour;
  }

  std::optional<std::string> colour_of(const Word& word) {
    const std::string_view colour = word.text;
    const auto named = std::ranges::find(kColours, colour, &Named::name);
    const bool code = colour.size() == 7 && colour[0] == '#' &&
                      colour.substr(1).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (named != kColours.end() || code) return std::string(code ? colour : named->value);
    diagnostics_.warning(word.where, fmt::format("{} is no colour", colour),
                         "write it as #rrggbb, or white, black, red, blue, yellow, green, orange, purple, brown, "
                         "grey, pink, cyan, gold");
    return std::nullopt;
  }

  // name TAG words of any number
  void read_name(const Word& what, std::span<const Word> words) {
    if (words.size() < 2) {
      diagnostics_.warning(what.where, "name needs a tag of a move, and how it is called");
      return;
    }
    const std::string tag(words[0].text);
    std::set<std::string, std::less<>> known;
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const ir::Label& label = game_.graph.label(edge);
      if (const auto* symbol = std::get_if<ir::Tag>(&label)) add_tag(symbol->symbol, known);
      if (const auto* variable = std::get_if<ir::TagVariable>(&label)) {
        for (const SymbolId member : game_.members(game_.variable(variable->variable).type)) add_tag(member, known);
      }
    }
    if (!known.contains(tag)) {
      const std::vector<std::string_view> candidates(known.begin(), known.end());
      diagnostics_.warning(words[0].where, fmt::format("no move shows {}", tag), did_you_mean(tag, candidates));
      return;
    }
    std::string name;
    for (const Word& word : words.subspan(1)) name += (name.empty() ? "" : " ") + std::string(word.text);
    hints_.names[tag] = std::move(name);
  }
  void add_tag(SymbolId symbol, std::set<std::string, std::less<>>& known) const {
    known.insert(game_.symbols.str(symbol));
    known.insert(written(game_, symbol));
  }

  // cell NAME … COLOUR
  void read_cell(const Word& what, std::span<const Word> words) {
    if (words.size() < 2) {
      diagnostics_.warning(what.where, "cell needs the names of cells, and a colour");
      return;
    }
    const auto colour = colour_of(words.back());
    if (!colour) return;
    for (const Word& word : words.first(words.size() - 1)) hints_.cells[std::string(word.text)] = *colour;
  }

  // edge PLAYER side …, or edge COLOUR side …
  void read_edge(const Word& what, std::span<const Word> words) {
    static constexpr std::array<std::string_view, 8> kSides = {
        "top", "bottom", "left", "right", "upper-left", "upper-right", "lower-left", "lower-right"};
    if (words.size() < 2) {
      diagnostics_.warning(what.where, "edge needs a player or a colour, and sides of the board",
                           "such as edge red top bottom");
      return;
    }
    std::string owner(words[0].text);
    const auto called = [&](SymbolId player) {
      return game_.symbols.str(player) == owner || written(game_, player) == owner;
    };
    const auto player = std::ranges::find_if(game_.players(), called);
    if (player != game_.players().end()) {
      owner = written(game_, *player);
    } else {
      const auto colour = colour_of(words[0]);
      if (!colour) return;
      owner = *colour;
    }
    for (const Word& side : words.subspan(1)) {
      if (std::ranges::find(kSides, side.text) == kSides.end()) {
        diagnostics_.warning(
            side.where, fmt::format("{} is no side of a board", side.text),
            "the sides are top, bottom, left, right, upper-left, upper-right, lower-left and lower-right");
        continue;
      }
      hints_.edges[std::string(side.text)] = owner;
    }
  }

  // look PIECE … TRAIT
  void read_look(const Word& what, std::span<const Word> words) {
    struct NamedTrait {
      std::string_view name;
      bool Traits::*trait;
      bool value;
    };
    static constexpr std::array<NamedTrait, 8> kTraits = {
        NamedTrait{"dark", &Traits::dark, true},     NamedTrait{"light", &Traits::dark, false},
        NamedTrait{"tall", &Traits::tall, true},     NamedTrait{"short", &Traits::tall, false},
        NamedTrait{"round", &Traits::round, true},   NamedTrait{"square", &Traits::round, false},
        NamedTrait{"hollow", &Traits::hollow, true}, NamedTrait{"solid", &Traits::hollow, false}};
    if (words.size() < 2) {
      diagnostics_.warning(what.where, "look needs pieces and a trait", "such as look 1 2 3 4 tall");
      return;
    }
    const auto trait = std::ranges::find(kTraits, words.back().text, &NamedTrait::name);
    if (trait == kTraits.end()) {
      diagnostics_.warning(words.back().where, fmt::format("{} is no trait of a piece", words.back().text),
                           "the traits are dark, light, tall, short, round, square, hollow and solid");
      return;
    }
    collect_names();
    for (const Word& word : words.first(words.size() - 1)) {
      const std::string name(word.text);
      if (names_.contains(name)) {
        hints_.looks[name].*(trait->trait) = trait->value;
        continue;
      }
      const std::vector<std::string_view> candidates(names_.begin(), names_.end());
      diagnostics_.warning(word.where, fmt::format("there is no piece {}", name), did_you_mean(name, candidates));
    }
  }

  void read_glyph(const Word& what, std::span<const Word> words) {
    const auto name = name_of(what, words, "what it looks like");
    if (!name) return;
    const std::string_view glyph = words.back().text;
    if (count_characters(glyph) > kLongestGlyph) {
      diagnostics_.warning(words.back().where, fmt::format("{} is too long for a piece", glyph),
                           fmt::format("a glyph has at most {} characters", kLongestGlyph));
      return;
    }
    hints_.glyphs[*name] = std::string(glyph);
  }

  // Players, values of variables, and the words in them: where the piece is a part of a fact it has no symbol.
  void collect_names() {
    if (!names_.empty()) return;
    const auto add = [&](SymbolId symbol) {
      const std::string text = written(game_, symbol);
      names_.insert(text);
      add_words(text, names_);
    };
    for (const SymbolId player : game_.players()) {
      add(player);
      names_.insert(game_.symbols.str(player));
    }
    for (const ir::Variable& variable : game_.variables()) {
      if (!variable.alive) continue;
      for (const ir::TypeId keys : game_.keys(variable.type)) {
        for (const SymbolId key : game_.members(keys)) add(key);
      }
      for (const SymbolId value : game_.members(game_.value_type(variable.type))) add(value);
    }
  }

  const Sources::File& file_;
  const ir::Game& game_;
  Diagnostics& diagnostics_;
  Hints hints_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

std::optional<std::string> named_colour(std::string_view name) {
  const auto it = std::ranges::find(kColours, name, &Named::name);
  return it == kColours.end() ? std::nullopt : std::optional<std::string>(it->value);
}

Hints read_hints(const ir::Game& game, Diagnostics& diagnostics) {
  // The first text is the user's file; texts that a front end derived from it follow.
  const Sources::File* file = game.sources()->file_of(1);
  return file == nullptr ? Hints() : Reader(*file, game, diagnostics).run();
}

}  // namespace rgtrans::scene
