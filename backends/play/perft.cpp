#include <algorithm>
#include <set>

#include "backends/play/play.hpp"
#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::play {

std::vector<PerftLine> perft(Reasoner& reasoner, unsigned first, unsigned last, bool walks,
                             const std::function<void(const PerftLine&)>& report) {
  std::vector<PerftLine> lines;
  for (unsigned depth = first; depth <= last; ++depth) {
    const auto begin = Clock::now();
    PerftLine line{depth, walks ? reasoner.perft_walks(depth) : reasoner.perft(depth), 0};
    line.seconds = seconds_since(begin);
    lines.push_back(line);
    if (report) report(line);
  }
  return lines;
}

std::uint64_t perft_in_steps(Reasoner& reasoner, unsigned depth, const std::function<void()>& check,
                             unsigned in_one_go) {
  check();
  if (depth <= in_one_go || reasoner.terminal()) return reasoner.perft(depth);
  const bool keeper = reasoner.keeper_moves(), random = reasoner.mover() == reasoner.info().random();
  // All moves of keeper lead to the same state.
  const std::size_t count = keeper ? std::min<std::size_t>(1, reasoner.move_count()) : reasoner.move_count();
  std::set<std::vector<std::byte>> met;  // moves of random that lead to equal states count once
  std::uint64_t leaves = 0;
  for (std::size_t i = 0; i < count; ++i) {
    reasoner.apply(i);
    if (!random || met.insert(reasoner.state_bytes()).second)
      leaves += perft_in_steps(reasoner, keeper ? depth : depth - 1, check, in_one_go);
    reasoner.undo();
    reasoner.move_count();
  }
  return leaves;
}

std::vector<DivideLine> divide(Reasoner& reasoner, unsigned depth,
                               const std::function<void(const DivideLine&)>& report) {
  if (depth == 0) throw Error("--divide needs a depth of at least 1", "it splits the leaves by first move");
  std::size_t undone = 0;
  std::vector<DivideLine> lines;
  while (reasoner.keeper_moves() && reasoner.move_count() > 0) {
    reasoner.apply(0);
    ++undone;
  }
  const std::size_t moves = reasoner.terminal() ? 0 : reasoner.move_count();
  for (std::size_t i = 0; i < moves; ++i) {
    DivideLine line{reasoner.move_text(i), 0};
    reasoner.apply(i);
    line.leaves = reasoner.perft(depth - 1);
    reasoner.undo();
    reasoner.move_count();
    if (report) report(line);
    lines.push_back(std::move(line));
  }
  for (; undone > 0; --undone) reasoner.undo();
  return lines;
}

}  // namespace rgtrans::play
