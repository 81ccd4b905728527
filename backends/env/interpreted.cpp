#include "backends/env/interpreted.hpp"

#include <algorithm>
#include <sstream>

namespace rgtrans::env {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> result;
  for (std::string word; words >> word;) result.push_back(word);
  return result;
}

class Interpreted {
 public:
  struct Shared {
    explicit Shared(const rgtrans_env_options& options)
        : options(static_cast<const InterpretedOptions&>(options)), space(*this->options.space) {
      for (std::uint32_t i = 0; i < space.tags().size(); ++i) ranks.emplace(space.tags()[i], i);
      rewards.assign(options.rewards, options.rewards + this->options.scores->size());
    }
    [[nodiscard]] float reward(std::uint32_t score) const { return rewards[score]; }
    [[nodiscard]] std::size_t tags() const { return space.tags().size(); }
    [[nodiscard]] std::uint32_t players() const {
      return static_cast<std::uint32_t>(options.prototype->info().players.size());
    }

    InterpretedOptions options;
    const analysis::ActionSpace& space;
    std::unordered_map<std::string, std::uint32_t> ranks;
    std::vector<float> rewards;
  };
  struct Position {
    Reasoner* reasoner;
    std::uint64_t changes;
  };

  static constexpr bool kCopied = false;

  explicit Interpreted(const Shared& shared) : shared_(shared) {}

  static void prepare(Position& at, const Shared& shared) {
    at.reasoner = shared.options.prototype->clone().release();
    at.changes = 0;
  }
  static void release(Position& at) { delete at.reasoner; }
  void initial(Position& at) {
    at.reasoner->reset();
    ++at.changes;
  }
  bool advance(Position& at) {
    while (!at.reasoner->terminal() && at.reasoner->mover() == at.reasoner->info().keeper()) {
      if (list(at) == 0 || !make(at, 0)) return false;
    }
    return true;
  }
  static std::uint32_t place(const Position&) { return 0; }
  [[nodiscard]] bool terminal(const Position& at) const { return at.reasoner->terminal(); }
  [[nodiscard]] std::uint32_t mover(const Position& at) const {
    return static_cast<std::uint32_t>(at.reasoner->mover());
  }
  [[nodiscard]] std::uint32_t score(const Position& at, std::uint32_t player) const {
    const auto& scores = *shared_.options.scores;
    return static_cast<std::uint32_t>(std::ranges::find(scores, at.reasoner->goal(player)) - scores.begin());
  }

  static bool mark(const Position&, const std::uint64_t*) { return false; }
  std::size_t list(Position& at) {
    moves_.clear();
    numbers_.clear();
    const std::size_t count = at.reasoner->terminal() ? 0 : at.reasoner->move_count();
    const bool flat = shared_.space.form() == analysis::ActionSpace::Form::flat;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = at.reasoner->move_text(i);
      numbers_.push_back(static_cast<std::uint32_t>(flat ? shared_.space.id(text).value_or(UINT32_MAX) : UINT32_MAX));
      std::vector<std::uint32_t>& ranks = moves_.emplace_back();
      for (const std::string& tag : split(text)) {
        const auto known = shared_.ranks.find(tag);
        ranks.push_back(known == shared_.ranks.end() ? UINT32_MAX : known->second);
      }
    }
    return count;
  }
  [[nodiscard]] std::uint32_t number(std::size_t i) const { return numbers_[i]; }
  [[nodiscard]] std::uint32_t length(std::size_t i) const { return static_cast<std::uint32_t>(moves_[i].size()); }
  [[nodiscard]] std::uint32_t rank(std::size_t i, std::uint32_t part) const { return moves_[i][part]; }

  bool make(Position& at, std::size_t i) {
    if (shared_.options.history > 0) take_notes(at, i);
    at.reasoner->apply(i);
    ++at.changes;
    return true;
  }
  bool play(Position& at, std::uint32_t number) {
    list(at);
    const auto it = std::ranges::find(numbers_, number);
    return it != numbers_.end() && make(at, static_cast<std::size_t>(it - numbers_.begin()));
  }

  [[nodiscard]] bool alive(const Position& at, const rgtrans_env_op& op) {
    look(at);
    return cells_[op.offset].alive;
  }
  [[nodiscard]] std::uint32_t cell(const Position& at, const rgtrans_env_op& op) {
    look(at);
    return cells_[op.offset].value;
  }

  [[nodiscard]] const std::vector<SeenTag>& notes() const { return notes_; }
  void clear_notes() { notes_.clear(); }

 private:
  struct Cell {
    std::uint32_t value = 0;
    bool alive = false;
  };

  // Who sees which tag, told by the texts that the players see.
  void take_notes(Position& at, std::size_t i) {
    const std::vector<std::string> all = split(at.reasoner->move_text(i));
    std::vector<std::uint64_t> seen_by(all.size(), 0);
    for (std::uint32_t p = 0; p < shared_.players(); ++p) {
      std::size_t next = 0;
      for (const std::string& tag : split(at.reasoner->observed_move_text(i, p))) {
        while (next < all.size() && all[next] != tag) ++next;
        if (next < all.size()) seen_by[next++] |= std::uint64_t{1} << p;
      }
    }
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      const auto known = shared_.ranks.find(all[k]);
      if (known == shared_.ranks.end()) continue;
      notes_.push_back({known->second, static_cast<std::uint32_t>(at.reasoner->mover()), seen_by[k], k, 0});
    }
  }

  // The values of all cells that are shown, by the number of their source.
  void look(const Position& at) {
    if (at.reasoner == looked_at_ && at.changes == changes_) return;
    looked_at_ = at.reasoner;
    changes_ = at.changes;
    std::unordered_map<std::string, std::pair<std::string, bool>> known;
    for (const VariableView& view : at.reasoner->variables()) {
      if (view.cells.empty()) known[view.name] = {view.value, view.alive};
      for (const VariableView::Cell& cell : view.cells) {
        std::string key = view.name;
        for (const std::string& part : cell.keys) key += " " + part;
        known[key] = {cell.value, view.alive};
      }
    }
    const std::vector<Observation::Source>& sources = shared_.options.shown->sources;
    cells_.assign(sources.size(), {});
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::string key = sources[s].variable;
      for (const std::string& part : sources[s].keys) key += " " + part;
      const auto it = known.find(key);
      if (it == known.end()) continue;
      const auto value = std::ranges::find(sources[s].values, it->second.first);
      cells_[s] = {static_cast<std::uint32_t>(value - sources[s].values.begin()), it->second.second};
    }
  }

  const Shared& shared_;
  std::vector<std::vector<std::uint32_t>> moves_;  // of the list: ranks of tags
  std::vector<std::uint32_t> numbers_;
  std::vector<SeenTag> notes_;
  const Reasoner* looked_at_ = nullptr;
  std::uint64_t changes_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace

const rgtrans_env& interpreted_functions() {
  static const rgtrans_env kFunctions = functions_of<Interpreted>();
  return kFunctions;
}

}  // namespace rgtrans::env
