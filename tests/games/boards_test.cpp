// The terminal boards of every game, initially and after ten moves. A person has looked at each file and recognised the
// board. RGTRANS_UPDATE=1 writes the files again; look at the changes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/scene.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans {
namespace {

constexpr int kMoves = 10;

class Boards : public testing::TestWithParam<std::string> {};

// Where the game hides something, as its first player sees it.
std::string positions(const ir::Game& game) {
  const scene::Painter painter(game);
  const scene::Wording wording(game);
  scene::Witness witness(game);
  const auto state = make_interpreter(game);
  const std::optional<std::size_t> viewer = witness.hides() ? std::optional<std::size_t>(0) : std::nullopt;
  const auto draw = [&] {
    const scene::Scene scene = painter.scene(witness, viewer);
    std::string out = scene::text(scene);
    if (!scene.mover.empty()) out += scene.mover + " to move\n";
    return out;
  };
  std::string out;
  std::string made;
  std::mt19937_64 random(5);
  for (int moves = 0;;) {
    while (!state->terminal() && state->mover() == state->info().keeper()) {
      witness.apply(state->move_text(0));
      state->apply(0);
    }
    if (moves == 0) out = draw();
    if (moves == kMoves || state->terminal()) break;
    std::vector<std::string> texts(state->move_count());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = state->move_text(i);
    std::vector<std::string> sorted = texts;
    std::ranges::sort(sorted);
    const std::string chosen = sorted[random() % sorted.size()];
    const auto index = static_cast<std::size_t>(std::ranges::find(texts, chosen) - texts.begin());
    if (!viewer) made += (made.empty() ? "" : ", ") + wording.shown(texts)[index];
    witness.apply(chosen);
    state->apply(index);
    ++moves;
  }
  return out + fmt::format("\n--- {}\n\n", made.empty() ? "after ten moves" : made) + draw();
}

TEST_P(Boards, AreRecognisable) {
  const std::string text = positions(own_games::load(GetParam()));
  std::filesystem::path path = std::filesystem::path(RGTRANS_SOURCE_DIR) / "tests" / "games" / "boards" / GetParam();
  path += ".txt";
  if (std::getenv("RGTRANS_UPDATE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path << " is missing; RGTRANS_UPDATE=1 writes it";
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << "look at it; RGTRANS_UPDATE=1 writes it anew";
}

INSTANTIATE_TEST_SUITE_P(Games, Boards, testing::ValuesIn(own_games::all()),
                         [](const auto& info) { return corpus::test_name(info.param); });

}  // namespace
}  // namespace rgtrans
