#include "backends/scene/wording.hpp"

#include <map>
#include <set>

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

}  // namespace

Wording::Wording(const ir::Game& game) {
  if (game.words == nullptr) return;
  for (const auto& [symbol, text] : game.words->texts) texts_.emplace(game.symbols.str(symbol), text);
  for (const SymbolId symbol : game.words->asides) asides_.insert(game.symbols.str(symbol));
}

std::string Wording::full(std::string_view move) const {
  std::string out;
  for (const std::string& tag : tags(move)) {
    const auto it = texts_.find(tag);
    out += (out.empty() ? "" : " ") + (it == texts_.end() ? tag : it->second);
  }
  return out;
}

std::string Wording::brief(std::string_view move) const {
  std::string out;
  std::string last;
  for (const std::string& tag : tags(move)) {
    if (asides_.contains(tag)) continue;
    if (!asides_.empty() && tag == last) continue;
    last = tag;
    const auto it = texts_.find(tag);
    out += (out.empty() ? "" : " ") + (it == texts_.end() ? tag : it->second);
  }
  return bare(out);
}

// Where a language names the cells of every step, the first and the last one say where a piece goes.
std::string Wording::shortest(std::string_view move) const {
  std::vector<std::string> cells;
  bool steps = false;
  for (const std::string& tag : tags(move)) {
    if (asides_.contains(tag)) {
      steps = true;
    } else {
      cells.push_back(tag);
    }
  }
  if (!steps || cells.empty()) return brief(move);
  return cells.front() == cells.back() ? full(cells.front()) : full(cells.front() + " " + cells.back());
}

std::vector<std::string> Wording::shown(const std::vector<std::string>& moves) const {
  std::vector<std::string> out;
  std::set<std::string> met;
  for (const std::string& move : moves) met.insert(out.emplace_back(shortest(move)));
  if (met.size() == moves.size()) return out;
  out.clear();
  std::map<std::string, std::size_t> uses;
  for (const std::string& move : moves) ++uses[out.emplace_back(brief(move))];
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (uses[out[i]] > 1 || (out[i].empty() && !moves[i].empty())) out[i] = full(moves[i]);
  }
  return out;
}

std::vector<std::size_t> Wording::meant(const std::vector<std::string>& moves, std::string_view typed) const {
  const std::string wanted = plain(typed);
  const std::vector<std::string> short_forms = shown(moves);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] == wanted || plain(full(moves[i])) == wanted) return {i};
    if (plain(short_forms[i]) == wanted || plain(brief(moves[i])) == wanted) found.push_back(i);
  }
  return found;
}

}  // namespace rgtrans::scene
