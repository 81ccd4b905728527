#include "backends/env/interpreted.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "backends/move_numbers.hpp"

namespace rgtrans::env {

namespace {

std::vector<std::string_view> tags_of(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) result.push_back(analysis::take_tag(text));
  return result;
}

// A position of the interpreter whose moves are listed and numbered once.
class Seat {
 public:
  explicit Seat(const Reasoner& prototype) : reasoner_(prototype.clone()) {}

  [[nodiscard]] const Reasoner& position() const { return *reasoner_; }
  Reasoner& change() {
    listed_ = numbered_ = false;
    return *reasoner_;
  }
  Reasoner& asked() { return *reasoner_; }

  std::size_t list() {
    if (!listed_) count_ = reasoner_->terminal() ? 0 : reasoner_->move_count();
    listed_ = true;
    return count_;
  }
  // Lists enough moves that begin with these tags to know all continuations.
  std::size_t list_parts(std::span<const std::uint32_t> given, std::size_t most, const std::vector<std::string>& tags) {
    if (listed_ && std::ranges::equal(given, given_)) return count_;
    given_.assign(given.begin(), given.end());
    std::vector<std::string_view> begin;
    for (const std::uint32_t place : given) begin.push_back(tags[place]);
    count_ = reasoner_->terminal() ? 0 : reasoner_->move_count_of(begin, most);
    listed_ = true;
    return count_;
  }
  // The numbers of the listed moves in the flat form.
  const std::vector<std::uint32_t>& numbers(MoveNumbers& of) {
    if (numbered_) return numbers_;
    numbers_.clear();
    for (std::size_t i = 0; i < count_; ++i) {
      numbers_.push_back(static_cast<std::uint32_t>(of.id(*reasoner_, i).value_or(kNone)));
    }
    numbered_ = true;
    return numbers_;
  }

 private:
  std::unique_ptr<Reasoner> reasoner_;
  bool listed_ = false, numbered_ = false;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> given_;  // the tags with which the listed moves begin
};

class Interpreted {
 public:
  struct Shared {
    explicit Shared(const rgtrans_env_options& options)
        : options(static_cast<const InterpretedOptions&>(options)), space(*this->options.space) {
      rewards.assign(options.rewards, options.rewards + this->options.scores->size());
      find_cells();
    }
    [[nodiscard]] float reward(std::uint32_t score) const { return rewards[score]; }
    [[nodiscard]] std::size_t tags() const { return space.tags().size(); }
    [[nodiscard]] std::uint32_t players() const {
      return static_cast<std::uint32_t>(options.prototype->info().players.size());
    }
    void find_cells() {
      std::map<std::pair<std::string, std::vector<std::string>>, std::uint32_t> numbers;
      for (NumberedCell& cell : options.prototype->cells()) {
        numbers.emplace(std::pair(std::move(cell.variable), std::move(cell.keys)), cell.number);
      }
      std::map<std::vector<std::string>, std::uint32_t> known;
      for (const Observation::Source& source : options.shown->sources) {
        const auto it = numbers.find({source.variable, source.keys});
        const auto [list, fresh] = known.emplace(source.values, static_cast<std::uint32_t>(lists.size()));
        if (fresh) lists.push_back(source.values);
        shown.push_back({it == numbers.end() ? kNone : it->second, list->second});
      }
    }

    // A shown cell and the number of its list of values.
    struct Shown {
      std::uint32_t cell, list;
    };

    InterpretedOptions options;
    const analysis::ActionSpace& space;
    std::vector<Shown> shown;  // by number of the source
    std::vector<std::vector<std::string>> lists;
    std::vector<float> rewards;
  };
  struct Position {
    Seat* seat;
  };

  static constexpr bool kCopied = false;

  explicit Interpreted(const Shared& shared)
      : shared_(shared), move_numbers_(shared.space), value_numbers_(shared.lists.size()) {}

  static void prepare(Position& at, const Shared& shared) { at.seat = new Seat(*shared.options.prototype); }
  static void release(Position& at) { delete at.seat; }
  void initial(Position& at) { at.seat->change().reset(); }
  bool advance(Position& at) {
    const Reasoner& position = at.seat->position();
    for (std::uint32_t moves = 0; position.keeper_moves(); ++moves) {
      if (moves == kMostForced || list(at) == 0 || !make(at, 0)) return false;
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
    seat_ = at.seat;
    return seat_->list();
  }
  std::size_t list_parts(Position& at, const std::uint32_t* given, std::uint32_t count) {
    seat_ = at.seat;
    return seat_->list_parts({given, count}, shared_.options.most_parts, shared_.space.tags());
  }
  [[nodiscard]] std::uint32_t number(std::size_t i) { return seat_->numbers(move_numbers_)[i]; }
  [[nodiscard]] std::uint32_t length(std::size_t i) {
    return static_cast<std::uint32_t>(seat_->asked().move_tags(i).size());
  }
  [[nodiscard]] std::uint32_t rank(std::size_t i, std::uint32_t part) {
    return move_numbers_.place(seat_->position(), seat_->asked().move_tags(i)[part]);
  }

  bool make(Position& at, std::size_t i) {
    if (shared_.options.history > 0) take_notes(at, i);
    at.seat->change().apply(i);
    return true;
  }
  bool play(Position& at, std::uint32_t number) {
    list(at);
    const std::vector<std::uint32_t>& numbers = seat_->numbers(move_numbers_);
    const auto it = std::ranges::find(numbers, number);
    return it != numbers.end() && make(at, static_cast<std::size_t>(it - numbers.begin()));
  }

  [[nodiscard]] bool alive(const Position& at, const rgtrans_env_op& op) const {
    const std::uint32_t cell = shared_.shown[op.offset].cell;
    return cell != kNone && at.seat->position().cell_alive(cell);
  }
  // The position of the cell's value in the values of its source.
  [[nodiscard]] std::uint32_t cell(const Position& at, const rgtrans_env_op& op) {
    const Reasoner& position = at.seat->position();
    const auto [cell, list] = shared_.shown[op.offset];
    const std::uint32_t value = position.cell_value(cell);
    std::vector<std::uint32_t>& known = value_numbers_[list];
    if (value >= known.size()) known.resize(value + std::size_t{1}, kNone);
    if (known[value] == kNone) {
      const std::vector<std::string>& values = shared_.lists[list];
      known[value] = static_cast<std::uint32_t>(std::ranges::find(values, position.value_text(value)) - values.begin());
    }
    return known[value];
  }

  [[nodiscard]] const std::vector<SeenTag>& notes() const { return notes_; }
  void clear_notes() { notes_.clear(); }

 private:
  // Derives who sees which tag from the texts that the players see.
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

  const Shared& shared_;
  Seat* seat_ = nullptr;  // the seat whose moves were listed last
  MoveNumbers move_numbers_;
  std::vector<std::vector<std::uint32_t>> value_numbers_;  // by list and interpreter value; kNone: not yet found
  std::vector<SeenTag> notes_;
};

}  // namespace

const rgtrans_env& interpreted_functions() {
  static const rgtrans_env kFunctions = functions_of<Interpreted>();
  return kFunctions;
}

std::unique_ptr<Reasoner> position_of(const std::byte* record) {
  return std::launder(reinterpret_cast<const Interpreted::Position*>(record))->seat->position().clone();
}

}  // namespace rgtrans::env
