#include <chrono>

#include "backends/play/play.hpp"
#include "core/support/support.hpp"

namespace rgtrans::play {

std::vector<PerftLine> perft(Reasoner& reasoner, unsigned first, unsigned last, bool walks,
                             const std::function<void(const PerftLine&)>& report) {
  std::vector<PerftLine> lines;
  for (unsigned depth = first; depth <= last; ++depth) {
    const auto begin = std::chrono::steady_clock::now();
    PerftLine line{depth, walks ? reasoner.perft_walks(depth) : reasoner.perft(depth), 0};
    line.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    lines.push_back(line);
    if (report) report(line);
  }
  return lines;
}

std::vector<DivideLine> divide(Reasoner& reasoner, unsigned depth) {
  if (depth == 0) throw Error("--divide needs a depth of at least 1", "it splits the leaves by first move");
  std::size_t undone = 0;
  std::vector<DivideLine> lines;
  while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper() && reasoner.move_count() > 0) {
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
    lines.push_back(std::move(line));
  }
  for (; undone > 0; --undone) reasoner.undo();
  return lines;
}

}  // namespace rgtrans::play
