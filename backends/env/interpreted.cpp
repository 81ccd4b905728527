#include "backends/env/interpreted.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>

namespace rgtrans::env {

namespace {

std::vector<std::string_view> tags_of(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) result.push_back(analysis::take_tag(text));
  return result;
}

// A position of the interpreter, its moves, and what its cells hold: found out once, and again when the position
// changed.
class Seat {
 public:
  struct Move {
    std::uint32_t number;
    std::vector<std::uint32_t> ranks;  // of its tags
  };
  struct Cell {
    std::uint32_t value = 0;
    bool alive = false;
  };

  explicit Seat(const Reasoner& prototype) : reasoner_(prototype.clone()) {}

  [[nodiscard]] const Reasoner& position() const { return *reasoner_; }
  Reasoner& change() {
    listed_ = looked_ = false;
    return *reasoner_;
  }
  Reasoner& asked() { return *reasoner_; }

  template <class Find>
  const std::vector<Move>& moves(Find&& find) {
    if (!listed_) fill(reasoner_->terminal() ? 0 : reasoner_->move_count(), find);
    return moves_;
  }
  // Of those that begin with these ranks enough to know how they can go on.
  template <class Find>
  const std::vector<Move>& moves_of(std::span<const std::uint32_t> given, std::size_t most,
                                    const std::vector<std::string>& tags, Find&& find) {
    if (listed_ && std::ranges::equal(given, given_)) return moves_;
    given_.assign(given.begin(), given.end());
    std::vector<std::string_view> begin;
    for (const std::uint32_t rank : given) begin.push_back(tags[rank]);
    fill(reasoner_->terminal() ? 0 : reasoner_->move_count_of(begin, most), find);
    return moves_;
  }
  template <class Find>
  const std::vector<Cell>& cells(Find&& find) {
    if (!looked_) cells_ = find(*reasoner_);
    looked_ = true;
    return cells_;
  }

 private:
  template <class Find>
  void fill(std::size_t count, Find&& find) {
    moves_.clear();
    for (std::size_t i = 0; i < count; ++i) moves_.push_back(find(reasoner_->move_text(i)));
    listed_ = true;
  }

  std::unique_ptr<Reasoner> reasoner_;
  bool listed_ = false, looked_ = false;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> given_;  // with what they begin
  std::vector<Cell> cells_;           // by the number of their source
};

class Interpreted {
 public:
  struct Shared {
    explicit Shared(const rgtrans_env_options& options)
        : options(static_cast<const InterpretedOptions&>(options)), space(*this->options.space) {
      rewards.assign(options.rewards, options.rewards + this->options.scores->size());
      const std::vector<Observation::Source>& shown = this->options.shown->sources;
      for (std::uint32_t i = 0; i < shown.size(); ++i) sources[key(shown[i].variable, shown[i].keys)].push_back(i);
    }
    [[nodiscard]] float reward(std::uint32_t score) const { return rewards[score]; }
    [[nodiscard]] std::size_t tags() const { return space.tags().size(); }
    [[nodiscard]] std::uint32_t players() const {
      return static_cast<std::uint32_t>(options.prototype->info().players.size());
    }
    static std::string key(const std::string& variable, const std::vector<std::string>& keys) {
      std::string result = variable;
      for (const std::string& part : keys) result += " " + part;
      return result;
    }

    InterpretedOptions options;
    const analysis::ActionSpace& space;
    std::unordered_map<std::string, std::vector<std::uint32_t>> sources;  // by variable and keys
    std::vector<float> rewards;
  };
  struct Position {
    Seat* seat;
  };

  static constexpr bool kCopied = false;

  explicit Interpreted(const Shared& shared) : shared_(shared) {}

  static void prepare(Position& at, const Shared& shared) { at.seat = new Seat(*shared.options.prototype); }
  static void release(Position& at) { delete at.seat; }
  void initial(Position& at) { at.seat->change().reset(); }
  bool advance(Position& at) {
    const Reasoner& position = at.seat->position();
    while (position.keeper_moves()) {
      if (list(at) == 0 || !make(at, 0)) return false;
    }
    return true;
  }
  static std::uint32_t place(const Position&) { return 0; }
  [[nodiscard]] bool terminal(const Position& at) const { return at.seat->position().terminal(); }
  [[nodiscard]] std::uint32_t mover(const Position& at) const {
    return static_cast<std::uint32_t>(at.seat->position().mover());
  }
  [[nodiscard]] std::uint32_t score(const Position& at, std::uint32_t player) const {
    const auto& scores = *shared_.options.scores;
    return static_cast<std::uint32_t>(std::ranges::find(scores, at.seat->position().goal(player)) - scores.begin());
  }

  static bool mark(const Position&, const std::uint64_t*) { return false; }
  std::size_t list(Position& at) {
    moves_ = &at.seat->moves([&](const std::string& text) { return read(text); });
    return moves_->size();
  }
  std::size_t list_parts(Position& at, const std::uint32_t* given, std::uint32_t count) {
    moves_ = &at.seat->moves_of({given, count}, shared_.options.most_parts, shared_.space.tags(),
                                [&](const std::string& text) { return read(text); });
    return moves_->size();
  }
  [[nodiscard]] std::uint32_t number(std::size_t i) const { return (*moves_)[i].number; }
  [[nodiscard]] std::uint32_t length(std::size_t i) const {
    return static_cast<std::uint32_t>((*moves_)[i].ranks.size());
  }
  [[nodiscard]] std::uint32_t rank(std::size_t i, std::uint32_t part) const { return (*moves_)[i].ranks[part]; }

  bool make(Position& at, std::size_t i) {
    if (shared_.options.history > 0) take_notes(at, i);
    at.seat->change().apply(i);
    return true;
  }
  bool play(Position& at, std::uint32_t number) {
    list(at);
    const auto it = std::ranges::find(*moves_, number, &Seat::Move::number);
    return it != moves_->end() && make(at, static_cast<std::size_t>(it - moves_->begin()));
  }

  [[nodiscard]] bool alive(const Position& at, const rgtrans_env_op& op) { return cells(at)[op.offset].alive; }
  [[nodiscard]] std::uint32_t cell(const Position& at, const rgtrans_env_op& op) { return cells(at)[op.offset].value; }

  [[nodiscard]] const std::vector<SeenTag>& notes() const { return notes_; }
  void clear_notes() { notes_.clear(); }

 private:
  [[nodiscard]] Seat::Move read(const std::string& text) const {
    const bool flat = shared_.space.form() == analysis::ActionSpace::Form::flat;
    Seat::Move move = {flat ? static_cast<std::uint32_t>(shared_.space.id(text).value_or(kNone)) : kNone, {}};
    for (const std::string_view tag : tags_of(text))
      move.ranks.push_back(shared_.space.tag_number(tag).value_or(kNone));
    return move;
  }

  // Who sees which tag, told by the texts that the players see.
  void take_notes(Position& at, std::size_t i) {
    Reasoner& position = at.seat->asked();
    const std::string text = position.move_text(i);
    const std::vector<std::string_view> all = tags_of(text);
    std::vector<std::uint64_t> seen_by(all.size(), 0);
    for (std::uint32_t p = 0; p < shared_.players(); ++p) {
      std::size_t next = 0;
      const std::string seen = position.observed_move_text(i, p);
      for (const std::string_view tag : tags_of(seen)) {
        while (next < all.size() && all[next] != tag) ++next;
        if (next < all.size()) seen_by[next++] |= std::uint64_t{1} << p;
      }
    }
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      const std::optional<std::uint32_t> rank = shared_.space.tag_number(all[k]);
      if (!rank) continue;
      notes_.push_back({*rank, static_cast<std::uint32_t>(position.mover()), seen_by[k], k, 0});
    }
  }

  const std::vector<Seat::Cell>& cells(const Position& at) const {
    return at.seat->cells([&](const Reasoner& position) {
      std::vector<Seat::Cell> result(shared_.options.shown->sources.size());
      for (const VariableView& view : position.variables()) {
        if (view.cells.empty()) show(result, view.name, view.value, view.alive);
        for (const VariableView::Cell& cell : view.cells)
          show(result, Shared::key(view.name, cell.keys), cell.value, view.alive);
      }
      return result;
    });
  }
  void show(std::vector<Seat::Cell>& cells, const std::string& key, const std::string& value, bool alive) const {
    const auto it = shared_.sources.find(key);
    if (it == shared_.sources.end()) return;
    for (const std::uint32_t source : it->second) {
      const std::vector<std::string>& values = shared_.options.shown->sources[source].values;
      cells[source] = {static_cast<std::uint32_t>(std::ranges::find(values, value) - values.begin()), alive};
    }
  }

  const Shared& shared_;
  const std::vector<Seat::Move>* moves_ = nullptr;  // that were listed last
  std::vector<SeenTag> notes_;
};

}  // namespace

const rgtrans_env& interpreted_functions() {
  static const rgtrans_env kFunctions = functions_of<Interpreted>();
  return kFunctions;
}

}  // namespace rgtrans::env
