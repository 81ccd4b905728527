// Compares names of cells and moves word by word. "1 2" occurs in "mark 1 2", S(1,2) in "S(1,2) S(1,3)", and 1 does not
// occur in 12. The longest name that fits is used.
#include "backends/scene/targets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "backends/scene/coordinates.hpp"

namespace rgtrans::scene {

namespace {

using WordList = std::vector<std::string>;

WordList list_of(const std::string& text) {
  WordList words;
  for (TextWord& word : words_of(text)) words.push_back(std::move(word.text));
  return words;
}

class Names {
 public:
  explicit Names(const Scene& scene) {
    for (const BoardPicture& board : scene.boards) {
      for (const Cell& cell : board.cells) {
        const bool other = !cell.second.empty() && scene.players.size() > 1 && scene.mover == scene.players[1];
        const WordList words = list_of(other ? cell.second : cell.name);
        if (words.empty()) continue;
        longest_ = std::max(longest_, words.size());
        cells_.emplace(words, cell.name);
      }
      for (const Label& column : board.columns) {
        Target& target = columns_[column.text];
        for (const Cell& cell : board.cells) {
          if (!column.across && std::abs(cell.x - column.at) < 0.25) target.push_back(cell.name);
        }
      }
    }
  }

  [[nodiscard]] std::vector<Target> in(const std::string& move) const {
    const WordList words = list_of(move);
    std::vector<Target> found;
    for (std::size_t at = 0; at < words.size();) {
      std::size_t length = std::min(longest_, words.size() - at);
      const std::string* name = nullptr;
      for (; length > 0 && name == nullptr; --length) name = find(std::span(words).subspan(at, length));
      if (name == nullptr) {
        ++at;
        continue;
      }
      at += length + 1;
      if (found.empty() || found.back().front() != *name) found.push_back({*name});
    }
    return found.empty() ? column_in(words) : found;
  }

 private:
  [[nodiscard]] const std::string* find(std::span<const std::string> words) const {
    const auto it = cells_.find(WordList(words.begin(), words.end()));
    return it == cells_.end() ? nullptr : &it->second;
  }

  [[nodiscard]] std::vector<Target> column_in(const WordList& words) const {
    for (const std::string& word : words) {
      const auto it = columns_.find(word);
      if (it != columns_.end() && !it->second.empty()) return {it->second};
    }
    return {};
  }

  std::map<WordList, std::string> cells_;
  std::map<std::string, Target> columns_;
  std::size_t longest_ = 0;
};

}  // namespace

std::vector<std::vector<Target>> targets(const Scene& scene, const std::vector<std::string>& moves) {
  const Names names(scene);
  std::vector<std::vector<Target>> found;
  found.reserve(moves.size());
  for (const std::string& move : moves) found.push_back(names.in(move));
  return found;
}

}  // namespace rgtrans::scene
