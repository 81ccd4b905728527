#include <fmt/format.h>

#include <algorithm>

#include "backends/play/play.hpp"
#include "core/support/support.hpp"

namespace rgtrans::play {

namespace {

constexpr std::size_t kMaxShown = 12;

std::string mover_name(const Reasoner& reasoner) {
  const std::size_t mover = reasoner.mover();
  if (mover == reasoner.info().keeper()) return "keeper";
  if (mover == reasoner.info().random()) return "random";
  return reasoner.info().players[mover];
}

// "a b", "c", … and how many more.
std::string some_moves(Reasoner& reasoner) {
  std::string out;
  const std::size_t count = reasoner.move_count();
  for (std::size_t i = 0; i < std::min(count, kMaxShown); ++i) {
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", reasoner.move_text(i));
  }
  if (count > kMaxShown) out += fmt::format(", and {} more", count - kMaxShown);
  return out;
}

std::string normalised(std::string_view move) {
  std::string out;
  for (char c : move) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::vector<std::string> go_to(Reasoner& reasoner, std::string_view path) {
  if (path.empty() || path.front() != '/' || path.back() != '/') {
    throw Error(fmt::format("'{}' is no path: it must start and end with '/'", path),
                "'/' is the initial state, '//e4 e5/' the state after an empty move and the move 'e4 e5'");
  }
  reasoner.reset();
  std::vector<std::string> made;
  std::size_t number = 0;
  for (path.remove_prefix(1); !path.empty(); ++number) {
    const std::size_t slash = path.find('/');
    const std::string wanted = normalised(path.substr(0, slash));
    path.remove_prefix(slash + 1);
    const std::string place = fmt::format("move {} of the path, '{}'", number + 1, wanted);
    if (reasoner.terminal()) throw Error(fmt::format("{}: the play is already over", place));
    const std::size_t count = reasoner.move_count();
    std::size_t found = 0;
    while (found < count && reasoner.move_text(found) != wanted) ++found;
    if (found == count) {
      std::string hint = "legal here: " + some_moves(reasoner);
      if (!wanted.empty() && count == 1 && reasoner.move_text(0).empty()) {
        hint = "the only move here is empty, so the path needs one more '/': moves of keeper are part of it";
      } else if (count == 0) {
        hint = "there is no legal move here";
      }
      throw Error(fmt::format("{}: {} has no such move", place, mover_name(reasoner)), hint);
    }
    reasoner.apply(found);
    made.push_back(wanted);
  }
  return made;
}

std::string moves_text(Reasoner& reasoner) {
  std::string out;
  const std::size_t count = reasoner.terminal() ? 0 : reasoner.move_count();
  for (std::size_t i = 0; i < count; ++i) out += reasoner.move_text(i) + "/\n";
  return out;
}

}  // namespace rgtrans::play
