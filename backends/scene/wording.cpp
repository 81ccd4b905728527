#include "backends/scene/wording.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "backends/scene/hints.hpp"
#include "backends/scene/passing.hpp"
#include "backends/scene/terms.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::scene {

namespace {

std::vector<std::string> tags(std::string_view move) {
  std::vector<std::string> out;
  while (!move.empty()) {
    const std::size_t blank = move.find(' ');
    out.emplace_back(move.substr(0, blank));
    move.remove_prefix(blank == std::string_view::npos ? move.size() : blank + 1);
  }
  return out;
}

// Without what people leave out or write differently: brackets of one word, blanks.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' && (out.empty() || out.back() == ' ' || out.back() == '(' || out.back() == ',')) continue;
    if ((c == ')' || c == ',') && !out.empty() && out.back() == ' ') out.pop_back();
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// "(mark 1 1)" without its brackets.
std::string bare(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.find('(', 1) != std::string_view::npos || text.back() != ')') {
    return std::string(text);
  }
  return std::string(text.substr(1, text.size() - 2));
}

// In small letters, without blanks and hyphens: "e2-e4" and "e2 e4" are e2e4.
std::string compact(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '-') out += to_lower(c);
  }
  return out;
}

// The numbers and names of a text without what its brackets belong to: "5 2 5 4" of S(5,2) S(5,4).
std::string numbers_in(std::string_view text) {
  std::string out;
  for (const TextWord& word : words_of(text)) {
    const bool functor = word.end < text.size() && text[word.end] == '(';
    const bool first = word.begin > 0 && text[word.begin - 1] == '(' && !functor && !is_number(word.text) &&
                       text.find(' ', word.begin) < text.find(')', word.begin);  // (mark 1 1)
    if (!functor && !first) out += (out.empty() ? "" : " ") + word.text;
  }
  return out;
}

}  // namespace

Wording::Wording(const ir::Game& game) {
  Diagnostics ignored(game.sources());
  const Hints hints = read_hints(game, ignored);
  coordinates_ = Coordinates(game, hints);
  passes_ = find_passes(game);
  if (game.words != nullptr) {
    for (const auto& [symbol, text] : game.words->texts) texts_.emplace(game.symbols.str(symbol), text);
    for (const SymbolId symbol : game.words->asides) asides_.insert(game.symbols.str(symbol));
    joint_ = game.words->joint;
  }
  for (std::size_t i = 0; i < game.symbols.size() && !hints.names.empty(); ++i) {
    const std::string symbol = game.symbols.str(SymbolId(i));
    for (const std::string& name : {symbol, written(game, SymbolId(i))}) {
      if (const auto it = hints.names.find(name); it != hints.names.end()) names_[symbol] = it->second;
    }
  }
}

std::string Wording::text_of(const std::string& tag) const {
  const auto it = texts_.find(tag);
  return it == texts_.end() ? tag : it->second;
}

std::string Wording::full(std::string_view move) const {
  std::string out;
  for (const std::string& tag : tags(move)) out += (out.empty() ? "" : " ") + text_of(tag);
  return out;
}

bool Wording::passes(std::string_view move) const {
  if (passes_.empty()) return false;
  std::string steps;
  for (const std::string& tag : tags(move)) {
    if (asides_.contains(tag)) steps += (steps.empty() ? "" : " ") + tag;
  }
  return passes_.contains(steps);
}

std::string Wording::brief(std::string_view move) const {
  const std::vector<std::string> all = tags(move);
  const bool steps = std::ranges::any_of(all, [&](const std::string& tag) { return asides_.contains(tag); });
  std::string out;
  std::string last;
  for (const std::string& tag : all) {
    const auto named = names_.find(tag);
    if (asides_.contains(tag) && named == names_.end()) continue;
    if (steps && tag == last) continue;
    last = tag;
    out += (out.empty() ? "" : " ") + (named != names_.end() ? named->second : text_of(tag));
  }
  return bare(coordinates_.in(out));
}

// Where a language names the cells of every step, the first and the last one say where a piece goes. A step that a hint
// names says what the move is.
std::string Wording::shortest(std::string_view move) const {
  if (passes(move)) return "pass";
  std::vector<std::string> cells;
  std::string named;
  bool steps = false;
  for (const std::string& tag : tags(move)) {
    const auto name = names_.find(tag);
    if (asides_.contains(tag)) {
      steps = true;
      if (name != names_.end()) named += (named.empty() ? "" : " ") + name->second;
    } else {
      cells.push_back(tag);
    }
  }
  if (!named.empty()) return named;
  if (!steps || cells.empty()) return brief(move);
  return coordinates_.in(cells.front() == cells.back() ? text_of(cells.front())
                                                       : text_of(cells.front()) + " " + text_of(cells.back()));
}

std::vector<std::string> Wording::shown(const std::vector<std::string>& moves) const {
  std::vector<std::string> forms = distinct(moves);
  for (std::size_t i = 0; joint_ != ' ' && i < moves.size(); ++i) {
    const std::vector<std::string> all = tags(moves[i]);
    const auto cells = std::ranges::count_if(all, [&](const std::string& tag) { return !asides_.contains(tag); });
    if (std::ranges::count(forms[i], ' ') + 1 == cells) std::ranges::replace(forms[i], ' ', joint_);
  }
  return forms;
}

std::vector<std::string> Wording::distinct(const std::vector<std::string>& moves) const {
  const auto count = [&](const std::vector<std::string>& forms) {
    std::map<std::string, std::size_t> uses;
    for (const std::string& form : forms) ++uses[form];
    return uses;
  };
  std::vector<std::string> out;
  for (const std::string& move : moves) out.push_back(shortest(move));
  auto uses = count(out);
  if (uses.size() == moves.size()) return out;
  // A pass keeps its name if no other move has it. Other moves get a longer text.
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!passes(moves[i]) || uses[out[i]] > 1) out[i] = brief(moves[i]);
  }
  uses = count(out);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (uses[out[i]] > 1 || (out[i].empty() && !moves[i].empty())) out[i] = coordinates_.in(full(moves[i]));
  }
  uses = count(out);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (uses[out[i]] > 1) out[i] = full(moves[i]);
  }
  return out;
}

std::vector<std::size_t> Wording::meant(const std::vector<std::string>& moves, std::string_view typed) const {
  const std::string wanted = plain(typed);
  const std::vector<std::string> short_forms = shown(moves);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] == wanted || plain(full(moves[i])) == wanted) return {i};
    if (plain(short_forms[i]) == wanted) found.push_back(i);
  }
  const auto like = [&](const auto& form, const std::string& text) {
    if (!found.empty() || text.empty()) return;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (form(i) == text) found.push_back(i);
    }
  };
  // The shown form has priority: the cell inside a pass does not count.
  like([&](std::size_t i) { return plain(brief(moves[i])); }, wanted);
  like([&](std::size_t i) { return compact(short_forms[i]); }, compact(wanted));
  like([&](std::size_t i) { return compact(brief(moves[i])); }, compact(wanted));
  like([&](std::size_t i) { return numbers_in(full(moves[i])); }, numbers_in(wanted));
  return found;
}

}  // namespace rgtrans::scene
