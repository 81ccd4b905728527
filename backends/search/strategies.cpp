#include "backends/search/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backends/rg/rg.hpp"
#include "core/support/digest.hpp"
#include "core/support/secrets.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

std::string text(const Worth& worth) {
  constexpr int kMostDecimals = 9;
  Worth scaled = worth;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, scaled *= 10) {
    if (denominator(scaled) != 1) continue;
    std::string digits = numerator(scaled < 0 ? Worth(-scaled) : scaled).str();
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    if (places > 0) digits.insert(digits.size() - places, ".");
    return (worth < 0 ? "-" : "") + digits;
  }
  return worth.str();
}

namespace {

// Pragmas are promises of the file's author; no proof may rely on them.
std::unique_ptr<Reasoner> without_promises(const ir::Game& game) {
  InterpreterOptions options;
  options.trust_pragmas = false;
  return make_interpreter(game, options);
}

}  // namespace

WrittenGame::WrittenGame(const ir::Game& game)
    : reasoner_(without_promises(game)), digest_(Digest().add(rg::print(game)).hex()) {}

void WrittenGame::require_provable() const {
  if (info().hidden) {
    throw Error("this game hides moves from players, so a position alone has no value",
                "players of such games can be compared with `rgtrans match`");
  }
  if (info().players.size() > 2) throw Error("proofs are about games of one or two players");
}

Worth WrittenGame::endless() const {
  const Worth least = info().least_goal, most = info().most_goal;
  return info().players.size() == 1 ? least : Worth((least + most) / 2);
}

Walker WrittenGame::at(const std::vector<std::string>& path) const {
  const std::unique_ptr<Reasoner> start = reasoner_->clone();
  for (const std::string& move : path) {
    const auto index = start->find_move(move);
    if (!index) throw Error(fmt::format("the move '{}' on the way to the position is not legal", move));
    start->apply(*index);
  }
  return Walker(*start, true);
}

StrategyWalk::StrategyWalk(const Walker& start, std::size_t chooser, bool at_least, Worth endless, Guide& guide,
                           SolveLimits& limits)
    : at_(start),
      chooser_(chooser),
      at_least_(at_least),
      endless_(std::move(endless)),
      guide_(guide),
      limits_(limits),
      secret_(fresh_secret()) {}

// The key is random, so the author of a game cannot construct two positions with the same hash.
Key StrategyWalk::key() const {
  std::vector<std::byte> bytes = at_.at().state_bytes();
  at_.at().canonical(bytes, false);
  const std::string_view key(reinterpret_cast<const char*>(&secret_), sizeof secret_);
  const Digest digest = Digest(key).add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const Digest::Bytes all = digest.bytes();
  Key out;
  std::copy_n(all.begin(), 8, reinterpret_cast<std::uint8_t*>(&out.a));
  std::copy_n(all.begin() + 8, 8, reinterpret_cast<std::uint8_t*>(&out.b));
  return out;
}

std::uint32_t StrategyWalk::number_of(const Worth& worth) {
  const auto [at, fresh] = numbers_.try_emplace(worth, static_cast<std::uint32_t>(worths_.size()));
  if (fresh) worths_.push_back(worth);
  return kWorths + at->second;
}

void StrategyWalk::collect(Frame& frame, const Worth& worth) const {
  if (!frame.worth) {
    frame.worth = worth;
  } else if (frame.random) {
    *frame.worth += worth;
  } else if (at_least_ ? worth < *frame.worth : worth > *frame.worth) {
    frame.worth = worth;
  }
}

Worth StrategyWalk::run() {
  std::optional<Worth> result = enter();
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    if (frame.next < frame.moves.size()) {
      const std::uint32_t move = frame.moves[frame.next++];
      guide_.down(at_, move);
      at_.down(move);
      if (const std::optional<Worth> worth = enter()) {
        collect(stack_.back(), *worth);
        at_.up();
        guide_.up();
      }
      continue;
    }
    if (frame.random) *frame.worth /= frame.moves.size();
    result = std::move(frame.worth);
    entries_[frame.key] = number_of(*result);
    stack_.pop_back();
    if (stack_.empty()) break;
    collect(stack_.back(), *result);
    at_.up();
    guide_.up();
  }
  // Without chance the value of the whole is the worst of all ends, and of the endless play if there may be one. The
  // order in which they are found does not matter.
  if (chance_ && repeats_) throw Error("positions come back in a game of chance, for which there are no proofs");
  return *result;
}

// The value of this position if it is known; else marks it as open.
std::optional<Worth> StrategyWalk::enter() {
  Reasoner& here = at_.at();
  if (here.terminal()) return Worth(goal_numbers(here)[0]);
  const Key key = this->key();
  std::uint32_t& entry = entries_[key];
  if (entry == kOpen) {
    repeats_ = true;
    return endless_;
  }
  if (entry != kNew) return worths_[entry - kWorths];
  entry = kOpen;
  limits_.check(entries_.bytes() + worths_.size() * 3 * sizeof(Worth));
  Frame frame{key, {}, here.mover() == here.info().random(), 0, std::nullopt};
  const std::size_t count = at_.list();
  chance_ = chance_ || (frame.random && count > 1);
  if (here.mover() == chooser_) {
    frame.moves = {static_cast<std::uint32_t>(guide_.choose(at_))};
  } else {
    const std::vector<std::string> texts = here.move_texts();
    frame.moves.resize(count);
    std::iota(frame.moves.begin(), frame.moves.end(), 0U);
    std::ranges::stable_sort(frame.moves, {}, [&](std::uint32_t i) -> const std::string& { return texts[i]; });
  }
  stack_.push_back(std::move(frame));
  return std::nullopt;
}

}  // namespace rgtrans::search
