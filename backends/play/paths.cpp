#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/play/play.hpp"
#include "core/support/letters.hpp"
#include "core/support/play_path.hpp"
#include "core/support/support.hpp"

namespace rgtrans::play {

namespace {

constexpr std::size_t kMaxShown = 12;

// A list such as "a b", "c", … with the number of further moves.
std::string some_moves(const std::vector<std::string>& moves) {
  std::string out;
  for (std::size_t i = 0; i < std::min(moves.size(), kMaxShown); ++i) {
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", moves[i]);
  }
  if (moves.size() > kMaxShown) out += fmt::format(", and {} more", moves.size() - kMaxShown);
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

// Makes the move that a text means. Throws Error if none or several are meant; `place` names the text in the message.
void make(Reasoner& reasoner, const scene::Wording& wording, const std::string& wanted, const std::string& place,
          std::vector<std::string>& made) {
  if (reasoner.terminal()) throw Error(fmt::format("{}: the play is already over", place));
  const std::vector<std::string> moves = reasoner.move_texts();
  const std::vector<std::size_t> meant = wording.meant(moves, wanted);
  if (meant.size() != 1) {
    std::string hint = "legal here: " + some_moves(wording.shown(moves));
    if (!wanted.empty() && moves.size() == 1 && moves[0].empty()) {
      hint = "the only move here is empty, so the path needs one more '/': moves of keeper are part of it";
    } else if (moves.empty()) {
      hint = "there is no legal move here";
    }
    throw Error(fmt::format("{}: {} has {}", place, reasoner.mover_name(),
                            meant.empty() ? "no such move" : "several such moves"),
                hint);
  }
  reasoner.apply(meant[0]);
  made.push_back(moves[meant[0]]);
}

void settle(Reasoner& reasoner, std::vector<std::string>& made) {
  constexpr std::size_t kMaxUnseen = 100'000;
  for (std::size_t i = 0; i < kMaxUnseen && reasoner.moves_unseen(); ++i) {
    reasoner.apply(0);
    made.emplace_back();
  }
}

// At commas outside brackets, but not between two digits: "5,2 5,4, S(5,7) S(5,5)" has two moves.
std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool digits = i > 0 && i + 1 < line.size() && is_digit(line[i - 1]) && is_digit(line[i + 1]);
    if ((c == ',' && depth <= 0 && !digits) || c == ';' || c == '\n') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  for (std::string& move : out) move = normalised(move);
  std::erase(out, "");
  return out;
}

}  // namespace

std::vector<std::string> go_to(Reasoner& reasoner, std::string_view path, const scene::Wording& wording) {
  const auto refuse = [whole = path] {
    throw Error(fmt::format("'{}' is no path: it must start and end with '/'", whole),
                "'/' is the initial state, '//e4 e5/' the state after an empty move and the move 'e4 e5'; a slash in a "
                "move is written \\/");
  };
  if (path.empty() || path.front() != '/') refuse();
  path.remove_prefix(1);
  std::vector<std::string> wanted_moves;
  while (!path.empty()) {
    std::optional<std::string> move = next_path_move(path);
    if (!move) refuse();
    wanted_moves.push_back(normalised(*move));
  }
  reasoner.reset();
  std::vector<std::string> made;
  for (const std::string& wanted : wanted_moves) {
    make(reasoner, wording, wanted, fmt::format("move {} of the path, '{}'", made.size() + 1, wanted), made);
  }
  return made;
}

std::vector<std::string> follow_line(Reasoner& reasoner, std::string_view line, const scene::Wording& wording) {
  reasoner.reset();
  std::vector<std::string> made;
  settle(reasoner, made);
  std::size_t number = 0;
  for (const std::string& wanted : split_line(line)) {
    make(reasoner, wording, wanted, fmt::format("move {} of the line, '{}'", ++number, wanted), made);
    settle(reasoner, made);
  }
  return made;
}

std::string moves_text(Reasoner& reasoner, const scene::Wording& wording) {
  constexpr std::size_t kMaxAlone = 1000;
  std::string before;
  std::vector<std::string> moves = reasoner.move_texts();
  for (std::size_t i = 0; i < kMaxAlone && moves.size() == 1 && reasoner.keeper_moves(); ++i) {
    before += path_step(wording.shown(moves)[0]);
    reasoner.apply(0);
    moves = reasoner.move_texts();
  }
  if (moves.empty()) return before.empty() ? "" : before + "\n";
  std::string out;
  for (const std::string& move : wording.shown(moves)) out += before + path_step(move) + "\n";
  return out;
}

}  // namespace rgtrans::play
