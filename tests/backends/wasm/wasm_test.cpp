// Modules in Node against the interpreter: perft, positions with all moves, and the totals of playouts.
#include "backends/wasm/wasm.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "core/passes/passes.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::wasm {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool has_node() { return std::system("command -v node >/dev/null 2>&1") == 0; }

// A folder with modules and jobs for Node.
class Node {
 public:
  Node() {
    std::string name = (fs::temp_directory_path() / "rgtrans-wasm-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() { fs::remove_all(folder_); }

  Json run(const std::string& module, Json job) const {
    std::ofstream(folder_ / "game.wasm", std::ios::binary) << module;
    job["file"] = (folder_ / "game.wasm").string();
    std::ofstream(folder_ / "jobs") << job.dump() << "\n";
    const std::string command =
        fmt::format("timeout 120 node {}/tests/backends/wasm/host.mjs <{} >{} 2>&1", RGTRANS_SOURCE_DIR,
                    (folder_ / "jobs").string(), (folder_ / "answers").string());
    const int status = std::system(command.c_str());
    std::ifstream in(folder_ / "answers");
    std::string answer;
    std::getline(in, answer);
    Json result = Json::parse(answer, nullptr, false);
    if (result.is_discarded()) return Json{{"error", fmt::format("Node ended with {}: {}", status, answer)}};
    return result;
  }

 private:
  fs::path folder_;
};

constexpr std::uint64_t kSeed = 11;
constexpr int kPlays = 3;
constexpr int kSteps = 60;
constexpr std::uint64_t kMost = 400;  // moves of a playout

std::string goals(const Reasoner& reasoner) {
  std::string out;
  for (std::size_t p = 0; p < reasoner.info().players.size(); ++p) out += " " + reasoner.goal(p);
  return out;
}

// The positions of host.mjs.
std::vector<std::string> positions(Reasoner& reasoner) {
  std::vector<std::string> out;
  for (int play = 0; play < kPlays; ++play) {
    reasoner.reset();
    int step = 0;
    for (; step < kSteps && !reasoner.terminal(); ++step) {
      const std::size_t count = reasoner.move_count();
      std::string& position = out.emplace_back(reasoner.info().mover_name(reasoner.mover()));
      for (std::size_t move = 0; move < count; ++move) position += "|" + reasoner.move_text(move);
      if (count == 0) break;
      reasoner.apply((kSeed + 31 * static_cast<std::uint64_t>(play) + 7919 * static_cast<std::uint64_t>(step)) % count);
    }
    out.push_back(fmt::format("after {}:{}", step, goals(reasoner)));
  }
  reasoner.reset();
  return out;
}

Json totals(Reasoner& reasoner, std::uint64_t count) {
  const PlayoutStats stats = reasoner.playouts({.count = count, .seed = kSeed, .max_moves = kMost});
  return {{"playouts", stats.playouts},
          {"moves", stats.moves},
          {"longest", stats.max_length},
          {"shortest", stats.min_length},
          {"squares", stats.length_squares},
          {"choices", stats.branching_sum},
          {"mostChoices", stats.branching_max},
          {"stopped", stats.stopped},
          {"goals", stats.goal_sum},
          {"goalSquares", stats.goal_squares},
          {"wins", stats.wins}};
}

// The depths whose counts take little time.
std::vector<unsigned> depths(Reasoner& reasoner) {
  constexpr std::uint64_t kMostLeaves = 3000;
  std::vector<unsigned> out{0};
  for (unsigned depth = 1; depth < 5; ++depth) {
    out.push_back(depth);
    if (reasoner.perft(depth) > kMostLeaves) break;
  }
  return out;
}

void expect_lock_step(const ir::Game& game) {
  const Node node;
  const auto reasoner = make_interpreter(game);
  const std::vector<unsigned> all = depths(*reasoner);
  const std::uint64_t count = 20;
  const Json answer = node.run(write(game), {{"perft", all},
                                             {"plays", {{"seed", kSeed}, {"plays", kPlays}, {"steps", kSteps}}},
                                             {"playouts", {{"count", count}, {"seed", kSeed}, {"most", kMost}}}});
  ASSERT_FALSE(answer.contains("error")) << answer["error"];
  std::vector<std::uint64_t> leaves;
  for (const unsigned depth : all) leaves.push_back(reasoner->perft(depth));
  EXPECT_EQ(answer["perft"].get<std::vector<std::uint64_t>>(), leaves);
  EXPECT_EQ(answer["plays"].get<std::vector<std::string>>(), positions(*reasoner));
  EXPECT_EQ(answer["playouts"], totals(*reasoner, count));
}

class WasmGames : public testing::TestWithParam<std::string> {};

TEST_P(WasmGames, PlayInLockStepWithTheInterpreter) {
  if (!has_node()) GTEST_SKIP() << "no Node";
  ir::Game game = own_games::load(GetParam());
  {
    SCOPED_TRACE("-O0");
    expect_lock_step(game);
  }
  passes::optimize(game, {.level = 2});
  expect_lock_step(game);
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Own, WasmGames, testing::ValuesIn(own_games::all()), name_of);

}  // namespace
}  // namespace rgtrans::wasm
