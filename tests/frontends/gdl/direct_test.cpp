// The rules played as they stand make the same plays as the network.
#include "frontends/gdl/direct/direct.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "frontends/gdl/gdl.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts(const Direct& direct, const std::vector<TermId>& terms) {
  std::vector<std::string> out;
  for (const TermId term : terms) out.push_back(direct.text(term));
  std::ranges::sort(out);
  return out;
}

// Plays at random on both; false when the description cannot be read.
void compare(const fs::path& path, unsigned steps) {
  const std::string text = read_file(path);
  Diagnostics diagnostics;
  const GroundProgram program = ground(diagnostics.sources()->add(path.string(), text), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << path;
  const Network network(program);
  Machine machine(program, network);
  machine.set_state(machine.initial());
  Direct direct(text);
  Direct::State state = direct.initial();
  std::uint64_t random = 12345;
  for (unsigned step = 0; step < steps; ++step) {
    SCOPED_TRACE(fmt::format("{} step {}", path.string(), step));
    const Direct::Moves moves = direct.moves(state);
    ASSERT_EQ(moves.terminal, machine.terminal());
    if (moves.terminal) return;
    std::vector<std::uint32_t> joint, legal;
    std::vector<TermId> terms;
    for (std::uint32_t r = 0; r < program.roles.size(); ++r) {
      machine.legal(r, legal);
      std::vector<std::string> known;
      for (const std::uint32_t move : legal) known.push_back(program.text(program.moves[move].term));
      std::ranges::sort(known);
      ASSERT_EQ(texts(direct, moves.legal[r]), known);
      if (legal.empty()) return;
      random = mix_hash(random);
      terms.push_back(moves.legal[r][random % moves.legal[r].size()]);
      const auto same = [&](std::uint32_t m) {
        return program.text(program.moves[m].term) == direct.text(terms.back());
      };
      joint.push_back(*std::ranges::find_if(legal, same));
    }
    state = direct.successor(state, terms);
    machine.step(joint);
  }
}

TEST(Direct, PlaysLikeTheNetwork) {
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl")) {
    if (entry.path().extension() == ".kif") compare(entry.path(), corpus::full() ? 100 : 20);
  }
}

TEST(Direct, SaysWhatIsWrong) { EXPECT_THROW(Direct("(role a"), Error); }

}  // namespace
}  // namespace rgtrans::gdl
