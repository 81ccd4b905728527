#include "backends/lockstep/equal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "backends/lockstep/forced.hpp"
#include "backends/lockstep/names.hpp"
#include "backends/lockstep/pairs.hpp"
#include "core/support/clock.hpp"
#include "core/support/digest.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

namespace {

constexpr std::size_t kSystems = 2;       // keeper and random
constexpr double kSaveEvery = 300;        // seconds
constexpr std::size_t kNamedMoves = 5;    // of those that one game lacks
constexpr std::size_t kMostPermuted = 4;  // players

// One of the two games, as one thread plays it.
struct Side {
  Side(const Reasoner& game, MoveNames& names, std::size_t number)
      : play(game.clone()), cache(names, number), number(number) {
    play->reset();
  }

  struct Move {
    std::uint32_t name, index;
    friend bool operator==(const Move& a, const Move& b) { return a.name == b.name; }
    friend auto operator<=>(const Move& a, const Move& b) { return a.name <=> b.name; }
  };

  std::unique_ptr<Reasoner> play;
  NameCache cache;
  std::size_t number;
  std::vector<Move> moves;        // of the current state, by name
  std::vector<std::byte> states;  // behind the moves, in the engine's order
  std::vector<std::string> seen;  // by the players, during moves of keeper

  // Makes the moves that need no decision.
  void settle(bool skip_forced, bool views) {
    seen.assign(views ? play->info().players.size() : 0, "");
    make_forced_moves(*play, skip_forced, [this] {
      for (std::size_t p = 0; p < seen.size(); ++p) {
        const std::string text = play->observed_move_text(0, p);
        if (!text.empty()) seen[p] += (seen[p].empty() ? "" : " ") + text;
      }
    });
  }
  void list() {
    const std::size_t count = play->move_count();
    moves.resize(count);
    const std::size_t mover = play->mover();
    for (std::uint32_t i = 0; i < count; ++i) moves[i] = {cache.number(*play, mover, i), i};
    std::ranges::sort(moves);
  }
};

struct Finding {
  std::string_view kind;
  std::string words;
};

class Comparison {
 public:
  Comparison(const Reasoner& first, const Reasoner& second, const EqualOptions& options)
      : first_(first),
        second_(second),
        options_(options),
        players_(options.renaming.players.empty() ? match_players(first.info(), second.info())
                                                  : options.renaming.players),
        names_(options, players_, kSystems),
        views_(options.renaming.identical()),
        hidden_(first.info().hidden || second.info().hidden) {}

  EqualResult run() {
    Worker start(*this);
    sizes_ = {start.sides[0].play->state_bytes().size(), start.sides[1].play->state_bytes().size()};
    pairs_ = std::make_unique<Pairs>(sizes_[0] + sizes_[1]);
    if (!load()) level_ = {pairs_->insert(start.bytes(), Pairs::kNoPair, 0).first};
    while (!level_.empty() && result_.difference.empty() && result_.stopped.empty()) {
      explore();
      if (!result_.difference.empty()) break;
      if (!level_.empty()) {  // a bound, or time to save
        save();
      } else {
        level_ = std::exchange(next_, {});
        ++result_.depth;
      }
    }
    if (!result_.difference.empty() || result_.stopped.empty()) forget();
    result_.states = pairs_->size();
    result_.moves = moves_;
    if (result_.difference.empty() && !result_.stopped.empty()) play_at_random(start);
    result_.unused = names_.unused();
    result_.verdict = !result_.difference.empty() ? Verdict::different
                      : result_.stopped.empty()   ? Verdict::equal
                                                  : Verdict::open;
    return std::move(result_);
  }

 private:
  struct Worker {
    explicit Worker(Comparison& all) : sides{Side(all.first_, all.names_, 0), Side(all.second_, all.names_, 1)} {}
    std::array<Side, 2> sides;
    std::vector<std::byte> both;
    std::vector<Pairs::Id> next;

    std::span<const std::byte> bytes() {
      both = sides[0].play->state_bytes();
      const std::vector<std::byte> second = sides[1].play->state_bytes();
      both.insert(both.end(), second.begin(), second.end());
      return both;
    }
  };

  [[nodiscard]] const std::string& player(std::size_t p) const { return first_.info().players[p]; }

  // Compares the current states and lists their moves.
  std::optional<Finding> compare(Worker& worker) {
    auto& [a, b] = worker.sides;
    for (Side& side : worker.sides) side.settle(options_.skip_forced, hidden_);
    for (std::size_t p = 0; hidden_ && p < players_.size(); ++p) {
      if (!views_.fit(p, a.seen[p], b.seen[players_[p]]))
        return Finding{"views", fmt::format("{} sees \"{}\" and \"{}\"", player(p), a.seen[p], b.seen[players_[p]])};
    }
    if (a.play->terminal() != b.play->terminal()) {
      return Finding{"end",
                     fmt::format("the play is over in the {} game only", a.play->terminal() ? "first" : "second")};
    }
    a.moves.clear();
    b.moves.clear();
    if (a.play->terminal()) return compare_scores(worker);
    const std::size_t mover = a.play->mover();
    if (const std::size_t other = names_.first_mover(b.play->mover()); other != mover) {
      return Finding{"mover", fmt::format("{} moves in the first game and {} in the second", a.play->mover_name(),
                                          b.play->mover_name())};
    }
    for (Side& side : worker.sides) {
      side.list();
      if (const auto twice = std::ranges::adjacent_find(side.moves); twice != side.moves.end())
        return Finding{"names",
                       fmt::format("two moves of the {} game are called \"{}\"", side.number == 0 ? "first" : "second",
                                   names_.text(side.number, twice->name))};
    }
    if (!std::ranges::equal(a.moves, b.moves)) return Finding{"moves", lists_differ(a, b)};
    if (options_.ways) {
      if (auto found = compare_ways(worker)) return found;
    }
    return hidden_ ? compare_views(worker) : std::nullopt;
  }
  std::optional<Finding> compare_scores(Worker& worker) {
    for (std::size_t p = 0; p < players_.size(); ++p) {
      const std::string a = worker.sides[0].play->goal(p), b = worker.sides[1].play->goal(players_[p]);
      if (a != b)
        return Finding{"score",
                       fmt::format("the score of {} is {} in the first game and {} in the second", player(p), a, b)};
    }
    return std::nullopt;
  }
  std::optional<Finding> compare_ways(Worker& worker) {
    std::array<std::vector<std::uint64_t>, 2> ways;
    for (Side& side : worker.sides) {
      std::uint64_t common = 0;
      for (const Side::Move& move : side.moves) {
        ways[side.number].push_back(side.play->walk_count(move.index));
        common = std::gcd(common, ways[side.number].back());
      }
      // The numbers of ways to the moves of random are probabilities.
      if (side.play->mover() != side.play->info().random()) continue;
      for (std::uint64_t& number : ways[side.number]) number /= std::max<std::uint64_t>(common, 1);
    }
    if (ways[0] == ways[1]) return std::nullopt;
    return Finding{"ways", fmt::format("the moves have {} ways in the first game and {} in the second",
                                       fmt::join(ways[0], " "), fmt::join(ways[1], " "))};
  }
  std::optional<Finding> compare_views(Worker& worker) {
    auto& [a, b] = worker.sides;
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
      for (std::size_t p = 0; p < players_.size(); ++p) {
        const std::string first = a.play->observed_move_text(a.moves[i].index, p);
        const std::string second = b.play->observed_move_text(b.moves[i].index, players_[p]);
        if (!views_.fit(p, first, second))
          return Finding{"views", fmt::format("of the move \"{}\", {} sees \"{}\" in the first game and \"{}\" in "
                                              "the second",
                                              a.play->move_text(a.moves[i].index), player(p), first, second)};
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string lists_differ(const Side& a, const Side& b) const {
    const auto missing = [&](const Side& has, const Side& lacks) {
      std::vector<Side::Move> only;
      std::ranges::set_difference(has.moves, lacks.moves, std::back_inserter(only));
      std::vector<std::string> texts;
      for (const Side::Move& move : only) texts.push_back('"' + names_.text(has.number, move.name) + '"');
      std::ranges::sort(texts);
      const std::size_t all = texts.size();
      if (all > kNamedMoves) texts.resize(kNamedMoves);
      return fmt::format("{}{}", fmt::join(texts, ", "),
                         all > kNamedMoves ? fmt::format(" and {} more", all - kNamedMoves) : "");
    };
    const std::string first = missing(a, b), second = missing(b, a);
    std::string words = fmt::format("{} moves and {} moves", a.moves.size(), b.moves.size());
    if (!first.empty()) words += "; only in the first game: " + first;
    if (!second.empty()) words += "; only in the second game: " + second;
    return words;
  }

  void bring(Worker& worker, std::span<const std::byte> bytes) const {
    worker.sides[0].play->set_state_bytes(bytes.first(sizes_[0]));
    worker.sides[1].play->set_state_bytes(bytes.subspan(sizes_[0]));
  }

  // Compares the pair and adds the pairs behind it.
  std::optional<Finding> visit(Worker& worker, Pairs::Id pair) {
    bring(worker, pairs_->bytes(pair));
    if (auto found = compare(worker)) return found;
    for (Side& side : worker.sides) {
      const std::size_t size = sizes_[side.number];
      side.states.resize(side.moves.size() * size);
      if (side.moves.empty()) continue;
      side.play->each_result([&](std::size_t index, std::span<const std::byte> state) {
        std::ranges::copy(state, side.states.begin() + static_cast<std::ptrdiff_t>(index * size));
      });
    }
    const auto& [a, b] = worker.sides;
    worker.both.resize(sizes_[0] + sizes_[1]);
    const auto second = worker.both.begin() + static_cast<std::ptrdiff_t>(sizes_[0]);
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
      std::copy_n(a.states.begin() + static_cast<std::ptrdiff_t>(a.moves[i].index * sizes_[0]), sizes_[0],
                  worker.both.begin());
      std::copy_n(b.states.begin() + static_cast<std::ptrdiff_t>(b.moves[i].index * sizes_[1]), sizes_[1], second);
      const auto [id, fresh] = pairs_->insert(worker.both, pair, a.moves[i].name);
      if (fresh) worker.next.push_back(id);
    }
    moves_.fetch_add(a.moves.size(), std::memory_order_relaxed);
    return std::nullopt;
  }

  // Compares the pairs of the level and adds to those that are one decision further. Stops at a difference or a bound;
  // then the level keeps the pairs that are left.
  void explore() {
    constexpr std::size_t kTogether = 64;
    const std::vector<Pairs::Id> level = std::exchange(level_, {});
    std::atomic<std::size_t> taken = 0, compared = 0;
    std::atomic<std::size_t> limit = level.size();  // pairs from here on are not needed
    std::mutex mutex;
    std::exception_ptr failure;
    const std::size_t threads = std::clamp<std::size_t>(level.size() / kTogether, 1, std::max(1U, options_.threads));
    std::vector<std::vector<Pairs::Id>> found(threads);
    const auto work = [&](std::size_t thread) {
      try {
        Worker& worker = worker_of(thread);
        for (std::size_t begin; (begin = taken.fetch_add(kTogether)) < limit.load();) {
          if (bound_reached()) {
            const std::lock_guard lock(mutex);
            const std::size_t end = std::min(begin + kTogether, level.size());
            level_.insert(level_.end(), level.begin() + static_cast<std::ptrdiff_t>(begin),
                          level.begin() + static_cast<std::ptrdiff_t>(end));
            continue;
          }
          for (std::size_t i = begin; i < std::min(begin + kTogether, limit.load()); ++i) {
            auto difference = visit(worker, level[i]);
            if (!difference) continue;
            const std::lock_guard lock(mutex);
            if (i >= limit) continue;
            limit = i;
            report(std::move(*difference), level[i]);
          }
          compared.fetch_add(kTogether);
          options_.following.tell([&] {
            return fmt::format("{} pairs of states, {} of {} at depth {}", pairs_->size(),
                               std::min(compared.load(), level.size()), level.size(), result_.depth);
          });
        }
        found[thread] = std::exchange(worker.next, {});
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        limit = 0;
      }
    };
    for (std::size_t i = 0; i < threads; ++i) worker_of(i);
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, i);
    work(0);
    for (std::thread& other : others) other.join();
    if (failure != nullptr) std::rethrow_exception(failure);
    for (const std::vector<Pairs::Id>& part : found) next_.insert(next_.end(), part.begin(), part.end());
  }

  // --- The file that keeps the work. ---
  [[nodiscard]] std::string identity() const {
    Digest digest;
    digest.field("rgtrans equal 1").field(options_.identity).add_number(options_.skip_forced).add_number(options_.ways);
    digest.add_number(sizes_[0]).add_number(sizes_[1]).add_number(options_.named[0] ? 1 : 0);
    for (const std::size_t player : players_) digest.add_number(player);
    digest.add_number(options_.renaming.complete).add_number(options_.renaming.reversed);
    for (const auto& [move, other] : options_.renaming.moves)
      digest.add_number(move.first).field(move.second).field(other);
    return digest.hex();
  }
  void save() {
    saved_ = Clock::now();
    if (options_.resume.empty()) return;
    kept_ = true;
    SavedWriter out(options_.resume);
    out.text(options_.identity);
    out.text(identity());
    out.number(result_.depth);
    out.number(moves_);
    names_.save(out);
    views_.save(out);
    pairs_->save(out);
    out.numbers(level_);
    out.numbers(next_);
    out.close();
  }
  bool load() {
    if (options_.resume.empty() || !std::filesystem::exists(options_.resume)) return false;
    SavedReader in(options_.resume);
    if (in.text() != options_.identity)
      throw Error(fmt::format("{} keeps a comparison of other games", options_.resume),
                  "remove it, or name another file");
    if (in.text() != identity()) return false;  // under other names
    result_.depth = in.number();
    moves_ = in.number();
    names_.load(in);
    views_.load(in);
    pairs_->load(in);
    level_ = in.numbers();
    next_ = in.numbers();
    in.close();
    kept_ = true;
    return true;
  }
  // Nothing is left to go on with. A file of this comparison under other names stays.
  void forget() const {
    std::error_code ignored;
    if (kept_) std::filesystem::remove(options_.resume, ignored);
  }
  Worker& worker_of(std::size_t thread) {
    while (workers_.size() <= thread) workers_.push_back(std::make_unique<Worker>(*this));
    return *workers_[thread];
  }

  bool bound_reached() {
    std::string why;
    if (options_.following.stopped()) why = "interrupted";
    if (pairs_->size() > options_.states) why = fmt::format("the limit of {} states", options_.states);
    if (pairs_->memory() > options_.memory) why = fmt::format("the limit of {} MiB", options_.memory >> 20U);
    if (options_.seconds > 0 && seconds_since(begin_) > options_.seconds)
      why = fmt::format("the limit of {} s", options_.seconds);
    if (why.empty()) return !options_.resume.empty() && seconds_since(saved_) > kSaveEvery;
    const std::lock_guard lock(stop_mutex_);
    result_.stopped = std::move(why);
    return true;
  }

  void report(Finding difference, Pairs::Id pair) {
    result_.kind = difference.kind;
    result_.difference = std::move(difference.words);
    std::vector<std::uint32_t> names;
    for (; pairs_->parent(pair) != Pairs::kNoPair; pair = pairs_->parent(pair)) names.push_back(pairs_->move(pair));
    std::ranges::reverse(names);
    result_.path = steps(names);
  }
  // The moves with their movers, as both games call them.
  [[nodiscard]] std::vector<EqualResult::Step> steps(const std::vector<std::uint32_t>& names) {
    std::vector<EqualResult::Step> out;
    Worker worker(*this);
    for (const std::uint32_t name : names) {
      EqualResult::Step& step = out.emplace_back();
      for (Side& side : worker.sides) {
        side.settle(options_.skip_forced, false);
        side.list();
        const Side::Move& move = *std::ranges::lower_bound(side.moves, name, {}, &Side::Move::name);
        if (side.number == 0) step.mover = side.play->mover_name();
        (side.number == 0 ? step.first : step.second) = options_.name(side.number, side.play->move_text(move.index));
        side.play->apply(move.index);
      }
    }
    return out;
  }

  // Prefers moves that were made rarely.
  void play_at_random(Worker& worker) {
    std::mt19937_64 random(options_.seed);
    std::vector<std::uint64_t> made;
    const auto begin = Clock::now();
    const double seconds = options_.seconds > 0 ? options_.seconds : 1e9;
    for (; result_.plays < options_.plays && result_.difference.empty(); ++result_.plays) {
      for (Side& side : worker.sides) side.play->reset();
      std::vector<std::uint32_t> names;
      for (std::size_t length = 0; length < kMostForced; ++length) {
        if (options_.following.stopped() || seconds_since(begin) > seconds) return;
        if (auto difference = compare(worker)) {
          result_.kind = difference->kind;
          result_.difference = std::move(difference->words);
          result_.path = steps(names);
          break;
        }
        const auto& [a, b] = worker.sides;
        if (a.moves.empty()) break;
        std::size_t chosen = random() % a.moves.size();
        const std::size_t other = random() % a.moves.size();
        for (const Side::Move& move : a.moves)
          if (move.name >= made.size()) made.resize(move.name + 1, 0);
        if (made[a.moves[other].name] < made[a.moves[chosen].name]) chosen = other;
        ++made[a.moves[chosen].name];
        names.push_back(a.moves[chosen].name);
        for (const Side& side : worker.sides) side.play->apply(side.moves[chosen].index);
        ++result_.moves;
      }
    }
  }

  const Reasoner& first_;
  const Reasoner& second_;
  const EqualOptions& options_;
  std::vector<std::size_t> players_;
  MoveNames names_;
  Views views_;
  bool hidden_;
  Clock::time_point begin_ = Clock::now(), saved_ = begin_;
  bool kept_ = false;                    // the file is that of this comparison
  std::vector<Pairs::Id> level_, next_;  // pairs to compare, and those one decision further
  std::array<std::size_t, 2> sizes_{};
  std::unique_ptr<Pairs> pairs_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::uint64_t> moves_ = 0;
  std::mutex stop_mutex_;
  EqualResult result_;
};

}  // namespace

std::vector<std::size_t> match_players(const GameInfo& first, const GameInfo& second) {
  const std::size_t count = first.players.size();
  if (count != second.players.size())
    throw Error(fmt::format("the first game has {} players and the second has {}", count, second.players.size()));
  std::vector<std::size_t> by_name, in_order(count);
  for (const std::string& name : first.players) {
    const auto found = std::ranges::find(second.players, name);
    if (found != second.players.end()) by_name.push_back(static_cast<std::size_t>(found - second.players.begin()));
  }
  std::iota(in_order.begin(), in_order.end(), 0);
  return by_name.size() == count ? by_name : in_order;
}

std::vector<std::vector<std::size_t>> player_orders(const GameInfo& first, const GameInfo& second) {
  std::vector<std::vector<std::size_t>> out = {match_players(first, second)};
  std::vector<std::size_t> next(first.players.size());
  if (next.size() > kMostPermuted) return out;
  std::iota(next.begin(), next.end(), 0);
  do {
    if (next != out[0]) out.push_back(next);
  } while (std::ranges::next_permutation(next).found);
  return out;
}

EqualResult compare_games(const Reasoner& first, const Reasoner& second, const EqualOptions& options) {
  return Comparison(first, second, options).run();
}

}  // namespace rgtrans::lockstep
