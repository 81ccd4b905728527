#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "backends/json/json.hpp"
#include "core/passes/passes.hpp"
#include "tests/differential/driver/partial_player.hpp"
#include "tests/differential/driver/players.hpp"

extern char** environ;

namespace rgtrans::differential {

namespace {

using Json = nlohmann::json;

// The process of node. It plays one game at a time.
class Node {
 public:
  static Node& instance() {
    static Node node;
    return node;
  }

  Json ask(const std::string& request) {
    const std::string line = request + "\n";
    if (std::fwrite(line.data(), 1, line.size(), to_) != line.size() || std::fflush(to_) != 0)
      throw Error("node does not listen");
    std::string answer;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
      if (c == EOF) throw Error("node does not answer");
      answer += static_cast<char>(c);
    }
    Json json = Json::parse(answer);
    if (json.contains("error")) throw Error("page: " + json["error"].get<std::string>());
    return json;
  }

  // The player whose game it has. A number, since a later player can get the address of an earlier one.
  std::uint64_t owner = 0;
  std::uint64_t players = 0;

 private:
  Node() {
    std::array<int, 2> request{}, answer{};
    if (pipe(request.data()) != 0 || pipe(answer.data()) != 0) throw Error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, request[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answer[1], STDOUT_FILENO);
    for (const int end : {request[0], request[1], answer[0], answer[1]})
      posix_spawn_file_actions_addclose(&actions, end);
    const std::string folder = RGTRANS_SOURCE_DIR;
    const std::array<std::string, 3> words = {"node", folder + "/tests/differential/driver/page.mjs",
                                              folder + "/ide/studio/dist/reasoner.mjs"};
    std::array<char*, 4> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = const_cast<char*>(words[i].c_str());
    pid_t child = 0;
    const int failure = posix_spawnp(&child, "node", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(request[0]);
    close(answer[1]);
    if (failure != 0) throw Error("there is no node");
    to_ = fdopen(request[1], "w");
    from_ = fdopen(answer[0], "r");
  }

  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

class PagePlayer : public PartialPlayer {
 public:
  explicit PagePlayer(ir::Game game) {
    // As `rgtrans page` prepares it.
    passes::OptimizeOptions options;
    options.passes = {"pragma-disjoint", "pragma-unique"};
    passes::optimize(game, options);
    game_ = json::print(game);
    PagePlayer::reset();
    for (const Json& player : now_["players"]) {
      symbols_.push_back(player.get<std::string>());
      info_.players.push_back(ir::written(game, game.symbols.find(symbols_.back())));
    }
  }

  void reset() override { now_ = ask(Json::object()); }
  [[nodiscard]] bool terminal() const override { return now_["over"].get<bool>(); }
  [[nodiscard]] std::size_t mover() const override {
    const auto name = now_["mover"].get<std::string>();
    const auto found = std::ranges::find(symbols_, name);
    if (found != symbols_.end()) return static_cast<std::size_t>(found - symbols_.begin());
    return name == "random" ? info_.random() : info_.keeper();
  }
  std::size_t move_count() override { return now_["moves"].size(); }
  std::string move_text(std::size_t index) override { return now_["moves"].at(index).get<std::string>(); }
  std::string observed_move_text(std::size_t index, std::size_t player) override {
    return now_["seen"].at(index).at(player).get<std::string>();
  }
  void apply(std::size_t index) override {
    take();
    now_ = ask({{"move", index}});
  }
  [[nodiscard]] std::string goal(std::size_t player) const override {
    return now_["goals"].at(player).get<std::string>();
  }
  [[nodiscard]] std::vector<std::byte> state_bytes() const override {
    const auto state = now_["state"].get<std::string>();
    const auto bytes = std::as_bytes(std::span(state));
    return {bytes.begin(), bytes.end()};
  }
  void set_state_bytes(std::span<const std::byte> bytes) override {
    std::string state(bytes.size(), ' ');
    std::memcpy(state.data(), bytes.data(), bytes.size());
    now_ = ask({{"state", state}});
  }

 private:
  // The process plays this game, in the present state, from now on.
  void take() {
    if (Node::instance().owner == number_) return;
    const std::string state = now_["state"].get<std::string>();
    ask({{"state", state}});
  }
  Json ask(const Json& request) {
    std::string text = request.dump();
    Node& node = Node::instance();
    if (std::exchange(node.owner, number_) != number_)
      text = fmt::format("{{\"game\":{}{}{}", game_, request.empty() ? "" : ",", text.substr(1));
    return node.ask(text);
  }

  const std::uint64_t number_ = ++Node::instance().players;
  std::string game_;
  std::vector<std::string> symbols_;  // of the players
  Json now_;
};

}  // namespace

std::unique_ptr<Reasoner> make_page_player(const ir::Game& game) { return std::make_unique<PagePlayer>(game); }

}  // namespace rgtrans::differential
