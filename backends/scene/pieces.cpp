#include "backends/scene/pieces.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "backends/scene/terms.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::array<std::string_view, 18> kNothing = {"empty",  "none", "nothing", "blank", "vacant", "free",
                                                       "nobody", "null", "hole",    "open",  "sea",    "unknown",
                                                       "e",      ".",    "_",       "-",     "noone",  "unused"};

struct Figure {
  std::string_view name, short_name, letter, white, black;
};
constexpr std::array<Figure, 6> kFigures = {Figure{"king", "k", "K", "♔", "♚"},   Figure{"queen", "q", "Q", "♕", "♛"},
                                            Figure{"rook", "r", "R", "♖", "♜"},   Figure{"bishop", "b", "B", "♗", "♝"},
                                            Figure{"knight", "n", "N", "♘", "♞"}, Figure{"pawn", "p", "P", "♙", "♟"}};

// Ships, and the results of shots at them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kBattle = {
    {{"ship", "■"}, {"hit", "✖"}, {"miss", "○"}}};

bool means_nothing(const std::string& word) {
  const std::string plain = lower_case(word);
  return std::ranges::find(kNothing, plain) != kNothing.end();
}

const Figure* figure(std::string_view kind) {
  const std::string_view first = kind.substr(0, kind.find(' '));
  for (const Figure& f : kFigures) {
    if (first == f.name || first == f.short_name) return &f;
  }
  return nullptr;
}

}  // namespace

std::optional<int> number_of(std::string_view word) {
  if (is_number(word)) return std::stoi(std::string(word));
  const NameTerm term = read_term(word);
  if (term.functor.empty() || term.parts.size() != 1 || !is_number(term.parts[0])) return std::nullopt;
  return std::stoi(term.parts[0]);
}

// An owner is named by a whole word of the piece, or by how it begins: its first letter in short names (wk), which two
// players must not share.
PieceLook Pieces::read(const std::string& word) const {
  PieceLook piece;
  piece.word = word;
  std::vector<std::string> words = words_in(word);
  const auto set = [&](std::size_t owner, std::size_t at, const std::string& rest) {
    piece.owner = owner;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    if (!rest.empty()) words.insert(words.begin(), rest);
  };
  for (std::size_t p = 0; p < players_.size() && !piece.owner; ++p) {
    const std::string player = lower_case(players_[p]);
    for (std::size_t i = 0; i < words.size() && !piece.owner; ++i) {
      if (words[i] == player) set(p, i, "");
    }
    if (!piece.owner && !words.empty() && player.size() > 1 && words[0].starts_with(player)) {
      set(p, 0, words[0].substr(player.size()));
    }
  }
  for (std::size_t p = 0; p < players_.size() && players_.size() > 1 && !piece.owner && !words.empty(); ++p) {
    const char initial = lower_case(players_[p])[0];
    const auto shared =
        std::ranges::count_if(players_, [&](const std::string& o) { return lower_case(o)[0] == initial; });
    if (shared == 1 && words[0].size() <= 2 && words[0][0] == initial) set(p, 0, words[0].substr(1));
  }
  // A constructor of one letter, as in M(white,king), has no meaning.
  if (word.find('(') != std::string::npos && words.size() > 1 && words[0].size() == 1) words.erase(words.begin());
  for (const std::string& w : words) piece.kind += (piece.kind.empty() ? "" : " ") + w;
  if (word.find('(') != std::string::npos && piece.kind.size() == 1 && piece.owner) piece.kind.clear();
  return piece;
}

void Pieces::add(std::span<const std::string> values, std::span<const std::string> initial, bool layers,
                 const std::set<std::string>& outside) {
  std::size_t numbers = 0;
  std::set<std::string> functors;
  for (const std::string& value : values) {
    if (!number_of(value)) continue;
    ++numbers;
    functors.insert(read_term(value).functor);
  }
  const bool names = functors.size() > 1;  // gun1 and tank1 are no numbers
  // The value of most cells at the start is an empty one, unless another value is named so or the value belongs to a
  // player.
  std::map<std::string, std::size_t> uses;
  for (const std::string& value : initial) ++uses[value];
  // A null that occurs only outside the board gives no information about its cells.
  const auto around = [&](const std::string& value) {
    return means_nothing(value) && outside.contains(value) && !uses.contains(value);
  };
  const bool named = std::ranges::any_of(values, [&](const std::string& v) { return means_nothing(v) && !around(v); });
  std::string common;
  for (const auto& [value, count] : uses) {
    if (common.empty() || count > uses[common]) common = value;
  }
  if (!common.empty()) {
    // If there is a black king, a "b" is a blank, not a black piece.
    const auto owner = read(common).owner;
    const bool other = std::ranges::any_of(
        values, [&](const std::string& value) { return value != common && read(value).owner == owner; });
    const bool letter = owner && common.size() == 1 && other;
    const bool most = 2 * uses[common] > initial.size();
    if (layers && (!most || values.size() == 1)) common.clear();
    if (named ? !(letter && most) : (owner && !letter) || number_of(common).has_value()) common.clear();
  }
  if (!named && common.empty() && numbers > 0 && !names) common = "0";
  for (const std::string& value : values) {
    const bool nothing = (named && means_nothing(value)) || around(value) || (!common.empty() && value == common);
    const auto [it, fresh] = blank_.try_emplace(value, nothing);
    if (!fresh) it->second = it->second || nothing;
    if (!nothing && (names || drawn_.contains(value) || !number_of(value))) pieces_.try_emplace(value, read(value));
  }
}

bool Pieces::blank(const std::string& word) const {
  const auto it = blank_.find(word);
  return it != blank_.end() && it->second;
}

const PieceLook* Pieces::find(const std::string& word) const {
  const auto it = pieces_.find(word);
  return it == pieces_.end() ? nullptr : &it->second;
}

void Pieces::finish(const Hints& hints) {
  name_kinds();
  choose_letters();
  follow(hints);
}

Ground Pieces::ground_for(std::span<const std::string> values) const {
  bool stones = false;
  for (const std::string& value : values) {
    const PieceLook* piece = find(value);
    if (piece == nullptr) continue;
    if ((piece->figure && !piece->chosen) || piece->crowned || piece->kind == "man") return Ground::chequered;
    if (!piece->owner && (piece->kind == "ship" || piece->kind == "hit" || piece->kind == "miss")) return Ground::sea;
    stones = stones || (piece->owner && piece->kind.empty());
  }
  return stones ? Ground::crossings : Ground::plain;
}

// A glyph that a hint has chosen is drawn like a figure.
void Pieces::follow(const Hints& hints) {
  for (auto& [word, piece] : pieces_) {
    // Pieces named black and white have these colours, no matter which player owns them.
    const auto named = piece.owner ? std::nullopt : named_colour(lower_case(word));
    if (named) {
      piece.colour = *named;
      piece.stone = true;
      if (lower_case(word) == "white") piece.glyph = "○";
      if (lower_case(word) == "black") piece.glyph = "●";
    }
    if (const auto it = hints.colours.find(word); it != hints.colours.end()) piece.colour = it->second;
    if (const auto it = hints.looks.find(word); it != hints.looks.end()) {
      piece.traits = it->second;
      const Traits& t = it->second;
      piece.glyph = t.tall ? (t.round ? (t.hollow ? "○" : "●") : (t.hollow ? "□" : "■"))
                           : (t.round ? (t.hollow ? "◦" : "•") : (t.hollow ? "▫" : "▪"));
      piece.glyph += t.dark ? "d" : "l";
    }
    const auto it = hints.glyphs.find(word);
    if (it == hints.glyphs.end()) continue;
    piece.glyph = it->second;
    piece.figure = piece.chosen = true;
    piece.stone = piece.crowned = false;
    if (std::ranges::all_of(it->second, [](char c) { return c > ' ' && c < 127; })) piece.letter = it->second;
  }
}

// Chess figures where the kinds are those of chess; men and kings of draughts.
void Pieces::name_kinds() {
  std::set<std::string> kinds;
  for (const auto& [word, piece] : pieces_) {
    if (piece.owner) kinds.insert(piece.kind);
  }
  const auto has = [&](std::string_view kind) { return kinds.contains(std::string(kind)); };
  const auto known = std::ranges::count_if(kFigures, [&](const Figure& f) { return has(f.name) || has(f.short_name); });
  const bool chess = known >= 3;
  const bool draughts =
      !chess && kinds.size() <= 2 && (has("king") || has("k")) && (has("man") || has("m") || has("pawn") || has(""));
  for (auto& [word, piece] : pieces_) {
    if (!piece.owner) continue;
    if (const Figure* f = chess ? figure(piece.kind) : nullptr) {
      piece.figure = true;
      const bool black =
          lower_case(players_[*piece.owner]) == "black" || (piece.owner == 1 && lower_case(players_[0]) != "black");
      piece.glyph = black ? f->black : f->white;
      piece.letter = piece.owner == 0 ? upper_case(f->letter) : lower_case(f->letter);
    } else if (draughts) {
      piece.crowned = piece.kind == "king" || piece.kind == "k";
    }
  }
}

// Plain stones are named like their owners, other pieces by their kinds; the first player's are written large where
// both have the kind. Crosses and noughts are what they are.
void Pieces::choose_letters() {
  const auto first_letter = [&](std::size_t p) { return lower_case(players_[p].substr(0, 1)); };
  const bool two = players_.size() == 2;
  const bool distinct = !two || first_letter(0) != first_letter(1);
  std::set<std::string> taken;
  for (const auto& [word, piece] : pieces_) taken.insert(piece.letter);
  for (auto& [word, piece] : pieces_) {
    if (!piece.letter.empty()) continue;
    const std::string name = lower_case(word);
    const bool stone = piece.owner && (piece.kind.empty() || piece.crowned || piece.kind == "man" ||
                                       piece.kind == "m" || piece.kind == "pawn");
    piece.stone = stone;
    if (name == "x" || name == "cross") {
      piece.letter = piece.glyph = "X";
    } else if (name == "o" || name == "nought") {
      piece.letter = piece.glyph = "O";
    } else if (stone) {
      const std::size_t owner = *piece.owner;
      const std::string initial = distinct ? first_letter(owner) : std::to_string(owner + 1);
      piece.letter = piece.crowned ? upper_case(initial) : initial;
      const bool white = lower_case(players_[owner]) == "white" || (owner == 1 && lower_case(players_[0]) != "white");
      if (two) piece.glyph = piece.crowned ? (white ? "◎" : "◉") : (white ? "○" : "●");
    } else {
      const std::string base = piece.kind.empty() ? name : piece.kind;
      const bool large = piece.owner == 0;
      // Digits have no upper case, and m1 and m2 must not both become m.
      if (is_digit(base.back()) && word.size() <= 3) piece.letter = word;
      for (std::size_t length = 1; length <= 3 && piece.letter.empty(); ++length) {
        const std::string wish = large ? upper_case(base.substr(0, length)) : lower_case(base.substr(0, length));
        if (!taken.contains(wish)) piece.letter = wish;
      }
      if (piece.letter.empty()) piece.letter = word;
    }
    if (!piece.owner && piece.glyph.empty()) {
      for (const auto& [kind, glyph] : kBattle) {
        if (piece.kind == kind) piece.glyph = glyph;
      }
    }
    if (piece.glyph.empty()) piece.glyph = piece.letter;
    taken.insert(piece.letter);
  }
}

}  // namespace rgtrans::scene
