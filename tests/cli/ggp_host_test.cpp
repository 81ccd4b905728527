// Our host of the Game Manager protocol, over loopback, against players that do everything wrong.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "backends/interpreter/interpreter.hpp"
#include "backends/search/search.hpp"
#include "cli/ggp/kif.hpp"
#include "frontends/gdl/gdl.hpp"
#include "tests/cli/ggp.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::cli::ggp {
namespace {

using testing::HasSubstr;

TEST(Host, TwoPlayersPlay) {
  const PlayerProcess first, second;
  for (const char* game : {"tic-tac-toe.kif", "prisoners-dilemma.kif", "blocker.kif"}) {
    const HostedMatch match = host(game, {first.address(), second.address()});
    EXPECT_TRUE(match.completed) << game;
    for (const HostedStep& step : match.steps) {
      EXPECT_THAT(step.errors, testing::Each("")) << game;
      for (const double seconds : step.seconds) EXPECT_LT(seconds, 0.3) << game;
    }
  }
}

TEST(Host, PerceptsAreSentInGdl2) {
  const PlayerProcess candidate;
  const HostedMatch match = host("monty-hall.kif", {candidate.address()});
  EXPECT_TRUE(match.completed);
  for (const HostedStep& step : match.steps) EXPECT_THAT(step.errors, testing::Each(""));
}

TEST(Host, CarriesOnWithPlayersThatFail) {
  const auto rules = std::make_shared<const MatchRules>(description("tic-tac-toe.kif"));
  const auto worst_step = [](const HostedMatch& match) {
    double worst = 0;
    for (const HostedStep& step : match.steps) worst = std::max(worst, *std::ranges::max_element(step.seconds));
    return worst;
  };
  const PlayerProcess good;
  const FakePlayer nonsense([](const std::string&) { return "(((what"; });
  HostedMatch match = host("tic-tac-toe.kif", {good.address(), nonsense.address()});
  EXPECT_TRUE(match.completed);
  EXPECT_THAT(match.steps[0].errors, testing::ElementsAre("", HasSubstr("illegal")));

  std::atomic<bool> over = false;
  const auto sleepy = [&](std::chrono::milliseconds time) {
    return [&over, time](const std::string&) {
      for (auto slept = 0ms; slept < time && !over; slept += 5ms) std::this_thread::sleep_for(5ms);
      return std::string("noop");
    };
  };
  const FakePlayer late(sleepy(700ms)), silent(sleepy(1h));
  for (const FakePlayer* player : {&late, &silent}) {
    match = host("tic-tac-toe.kif", {player->address(), good.address()}, 0.2);
    EXPECT_TRUE(match.completed);
    EXPECT_EQ(match.steps[0].errors[0], "timeout");
    EXPECT_LT(worst_step(match), 0.2 + 0.2 + 0.05) << "play clock, grace and 50 ms";
  }
  over = true;

  PlayerProcess killed;
  std::thread killer([&] {
    std::this_thread::sleep_for(900ms);
    killed.stop();
  });
  match = host("connect-four.kif", {good.address(), killed.address()});
  killer.join();
  EXPECT_TRUE(match.completed);
  EXPECT_EQ(match.goals.size(), 2U);
  EXPECT_THAT(match.steps.back().errors[1], HasSubstr("connection"));
}

// The goals by role when these joint moves are made in the automaton of the description, which shares nothing with the
// host's rules but the parser. None when the play is not over then.
std::vector<std::optional<int>> goals_of_automaton(const std::string& text, const HostedMatch& match) {
  const gdl::Playable playable = gdl::make_playable(text);
  const auto play = make_interpreter(*playable.game);
  gdl::Line line(playable);
  search::run_keeper(*play);
  for (const HostedStep& step : match.steps) {
    for (const std::string& move : line.step([&](std::uint32_t role) { return step.moves[role]; })) {
      std::size_t index = 0;
      while (index < play->move_count() && play->move_text(index) != move) ++index;
      EXPECT_LT(index, play->move_count()) << move;
      if (index == play->move_count()) return {};
      play->apply(index);
      search::run_keeper(*play);
    }
  }
  if (!play->terminal()) return {};
  std::vector<std::optional<int>> goals;
  for (std::size_t r = 0; r < playable.names.roles.size(); ++r) {
    // Random has no goal in the automaton.
    const auto it = std::ranges::find(play->info().players, playable.names.roles[r]);
    const bool known = it != play->info().players.end();
    const auto player = static_cast<std::size_t>(it - play->info().players.begin());
    goals.push_back(known ? std::optional(std::stoi(play->goal(player))) : match.goals[r]);
  }
  return goals;
}

// The replacement for one of our players in a match, by its number.
enum class Stranger : std::uint8_t { kNone, kKilled, kNonsense, kLate, kSilent };

void play_five_matches(const std::string& text) {
  constexpr double kPlayClock = 0.2, kGrace = 0.1, kMargin = 0.1, kLeeway = 0.05;
  const auto rules = std::make_shared<const MatchRules>(text);
  std::size_t seats = 0;
  for (std::uint32_t r = 0; r < rules->role_count(); ++r) seats += rules->role(r) == "random" ? 0 : 1;
  for (const Stranger stranger :
       {Stranger::kNone, Stranger::kKilled, Stranger::kNonsense, Stranger::kLate, Stranger::kSilent}) {
    SCOPED_TRACE(static_cast<int>(stranger));
    std::atomic<bool> over = false;
    const auto sleepy = [&over](std::chrono::milliseconds time) {
      return [&over, time](const std::string&) {
        for (auto slept = 0ms; slept < time && !over; slept += 5ms) std::this_thread::sleep_for(5ms);
        return std::string("noop");
      };
    };
    std::vector<std::unique_ptr<PlayerProcess>> ours;
    HostOptions options;
    for (std::size_t i = 0; i < seats; ++i) {
      ours.push_back(std::make_unique<PlayerProcess>(
          std::vector<std::string>{"--no-compile", "--margin", fmt::format("{}", kMargin)}));
      options.players.push_back(ours.back()->address());
    }
    options.start_clock = 2;
    options.play_clock = kPlayClock;
    options.grace = kGrace;
    options.most_steps = 60;
    const std::size_t odd = static_cast<std::size_t>(stranger) % seats;
    std::unique_ptr<FakePlayer> fake;
    std::thread killer;
    if (stranger == Stranger::kKilled) {
      killer = std::thread([&] {
        std::this_thread::sleep_for(2500ms);
        ours[odd]->stop();
      });
    } else if (stranger == Stranger::kNonsense) {
      fake = std::make_unique<FakePlayer>([](const std::string&) { return "((("; });
    } else if (stranger != Stranger::kNone) {
      fake = std::make_unique<FakePlayer>(sleepy(stranger == Stranger::kLate ? 700ms : 1h));
    }
    if (fake) options.players[odd] = fake->address();
    const HostedMatch match = host_match(text, rules, options);
    over = true;
    if (killer.joinable()) killer.join();
    for (const HostedStep& step : match.steps) {
      std::size_t seat = 0;
      for (std::uint32_t r = 0; r < step.seconds.size(); ++r) {
        EXPECT_LT(step.seconds[r], kPlayClock + kGrace + kLeeway) << "the host waits no longer";
        const bool ours_sits_there = rules->role(r) != "random" && (stranger == Stranger::kNone || seat != odd);
        // Only a player that gets a processor at once can do this.
        if (corpus::full() && ours_sits_there) {
          EXPECT_LT(step.seconds[r], kPlayClock - kMargin + kLeeway) << "players answer when the margin begins";
        }
        seat += rules->role(r) == "random" ? 0 : 1;
      }
    }
    if (stranger == Stranger::kNone) {
      EXPECT_FALSE(match.steps.empty());
      for (const HostedStep& step : match.steps) EXPECT_THAT(step.errors, testing::Each(""));
    }
    if (match.completed) {
      EXPECT_EQ(match.goals, goals_of_automaton(text, match));
    }
  }
}

// Five matches of each game: all well, one killed, one that answers nonsense, one late, one silent.
TEST(Host, MatchesOnManyGames) {
  std::vector<std::filesystem::path> games;
  for (const auto& entry : std::filesystem::directory_iterator(kGames)) {
    if (entry.path().extension() == ".kif") games.push_back(entry.path());
  }
  std::ranges::sort(games);
  if (!corpus::full()) games = {kGames + "monty-hall.kif"};
  for (const char* more :
       {"connectFourSimultaneous", "gt_prisoner", "gt_staghunt", "chickentictactoe", "blockerParallel", "3pConnectFour",
        "biddingTicTacToe_10coins", "minichess", "breakthroughSuicideSmall", "2pttc", "crisscross"}) {
    const auto path = corpus::shared() / "corpus" / "gdl" / "ggp-repository" / fmt::format("{}.kif", more);
    if (corpus::full() && std::filesystem::exists(path)) games.push_back(path);
  }
  for (const auto& game : games) {
    SCOPED_TRACE(game);
    play_five_matches(without_comments(read_file(game)));
  }
  fmt::print("{} games, five matches each\n", games.size());
}

// A server with one answer to every request.
class HostilePlayer {
 public:
  explicit HostilePlayer(std::string answer) : answer_(std::move(answer)), listening_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listening_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listening_, 50), 0);
    getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~HostilePlayer() {
    over_ = true;
    shutdown(listening_, SHUT_RDWR);
    close(listening_);
    thread_.join();
  }
  HostilePlayer(const HostilePlayer&) = delete;
  HostilePlayer& operator=(const HostilePlayer&) = delete;
  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", port_); }

 private:
  void run() {
    while (!over_) {
      const int client = accept(listening_, nullptr, nullptr);
      if (client < 0) continue;
      std::array<char, 65536> request{};
      static_cast<void>(recv(client, request.data(), request.size(), 0));
      for (std::string_view rest = answer_; !rest.empty();) {
        const ssize_t sent = send(client, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent <= 0) break;
        rest.remove_prefix(static_cast<std::size_t>(sent));
      }
      shutdown(client, SHUT_WR);
      while (recv(client, request.data(), request.size(), 0) > 0) {
      }
      close(client);
    }
  }
  std::string answer_;
  int listening_;
  int port_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

std::size_t resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return (resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) >> 20U;
}

// Whatever a player answers, the match goes on, is recorded, and costs no memory.
TEST(Host, OneHostilePlayerCannotEndAMatch) {
  const PlayerProcess good;
  const std::size_t before = resident_megabytes();
  const std::string bytes(5'000'000, 'x');
  for (const auto& [answer, error] : std::vector<std::pair<std::string, std::string>>{
           {"HTTP/1.0 200 OK\r\nContent-length: 100000000000\r\n\r\nready", "100000000000 bytes are announced"},
           {"HTTP/1.0 200 OK\r\nContent-length: 99999999999999999999999\r\n\r\nready", "connection"},
           {"HTTP/1.0 200 OK\r\nContent-length: 5000000\r\n\r\n" + bytes, "connection"},
           {"HTTP/1.0 200 OK\r\n\r\n" + bytes, "connection"},
           {"HTTP/1.0 200 OK\r\n\r\n(" + std::string(900'000, 'x') + ")", "(900000 bytes)"},
           {"HTTP/1.0 200 OK\r\nX: " + bytes + "\r\n\r\nready", "the header has more than"},
           {"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n" + bytes, "connection"},
           {"", "nothing was sent"},
           {"\n\n\n", "connection"},
       }) {
    const HostilePlayer hostile(answer);
    const HostedMatch match = host("tic-tac-toe.kif", {hostile.address(), good.address()});
    EXPECT_TRUE(match.completed);
    EXPECT_THAT(match.steps[0].errors[0], HasSubstr(error)) << answer.substr(0, 80);
    EXPECT_EQ(match.steps[0].errors[1], "");
    EXPECT_LT(record(match).size(), 20'000U) << "answers are not copied into records";
  }
  EXPECT_LT(resident_megabytes(), before + 200);
}

// Real players write so.
TEST(Host, UnderstandsBareLineFeeds) {
  for (const char* answer : {"HTTP/1.0 200 OK\nContent-type: text/acl\nContent-length: 4\n\nnoop",
                             "HTTP/1.0 200 OK\n\nnoop", "HTTP/1.1 200 OK\r\nContent-Length: 4\n\r\nnoop"}) {
    const HostilePlayer player(answer);
    const std::string address = player.address();
    EXPECT_EQ(send_message("127.0.0.1", address.substr(address.find(':') + 1), "p", "(PLAY m NIL)", 5s), "noop")
        << answer;
  }
}

// The words and parentheses of a description.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find(';'));
    std::string word;
    for (const char c : line + " ") {
      const bool ends = c == '(' || c == ')' || std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!ends) word += c;
      if (ends && !word.empty()) tokens.push_back(std::exchange(word, {}));
      if (c == '(' || c == ')') tokens.emplace_back(1, c);
    }
  }
  return tokens;
}

// `send` returns the message as it arrives.
void expect_to_arrive(const std::string& text, const std::function<std::string(const std::string& message)>& send) {
  const std::string line = one_line(text);
  EXPECT_EQ(tokens_of(line), tokens_of(text));
  EXPECT_EQ(line.find_first_of("\r\n;\t"), std::string::npos);
  const std::string arrived = send(fmt::format("( START m r ( {} ) 10 5 )", line));
  const Kif message = read_kif(arrived);
  ASSERT_EQ(message.items.size(), 6U);
  EXPECT_EQ(tokens_of(arrived.substr(message.items[3].begin, message.items[3].end - message.items[3].begin)),
            tokens_of("(" + text + "\n)"));
  EXPECT_EQ(message.items[5].text(), "5");
}

// Every description of the games, with the comments and ends of lines that files have.
TEST(Host, DescriptionsArriveWhole) {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> folders = {kGames};
  if (const auto more = corpus::shared() / "corpus" / "gdl"; corpus::full() && std::filesystem::exists(more))
    folders.push_back(more);
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".kif") files.push_back(entry.path());
    }
  }
  std::mutex mutex;
  std::string arrived;
  const FakePlayer player([&](const std::string& message) {
    const std::lock_guard lock(mutex);
    arrived = message;
    return std::string("ready");
  });
  const std::string address = player.address(), port = address.substr(address.find(':') + 1);
  const auto send = [&](const std::string& message) {
    EXPECT_EQ(send_message("127.0.0.1", port, "r", message, 10s), "ready");
    const std::lock_guard lock(mutex);
    return arrived;
  };
  for (const auto& file : files) {
    SCOPED_TRACE(file);
    const std::string text = read_file(file);
    expect_to_arrive(text, send);
    expect_to_arrive(text + "; the end of the file has no line feed", send);
    expect_to_arrive("; first\r\n" + text + "\r\n;; (((", send);
  }
  fmt::print("{} descriptions\n", files.size());
  EXPECT_EQ(one_line("(a ; x\r b)\n(c(d))e;"), "(a b) (c (d)) e");
  EXPECT_THROW(one_line("(a"), Error);
  EXPECT_THROW(one_line("a)"), Error);
}

// A player receives the rules that the host reads.
TEST(Host, AMessageIsNotCutOffByAComment) {
  const std::string text = read_file(kGames + "tic-tac-toe.kif") + "\n; the last line ( has no end";
  std::mutex mutex;
  std::string started;
  const FakePlayer player([&](const std::string& message) {
    const std::lock_guard lock(mutex);
    if (message.find("START") != std::string::npos) started = message;
    return std::string("ready");
  });
  HostOptions options;
  options.players = {player.address(), player.address()};
  options.start_clock = 2;
  options.play_clock = 0.3;
  const HostedMatch match = host_match(text, std::make_shared<const MatchRules>(text), options);
  EXPECT_TRUE(match.completed);
  const Kif message = read_kif(started);
  ASSERT_EQ(message.items.size(), 6U) << started;
  EXPECT_EQ(message.items[3].items.size(), read_kif("(" + one_line(text) + ")").items.size());
}

TEST(Host, ARoleWithoutAGoalHasNone) {
  const std::string text =
      "(role a) (role b) (init (at 1)) (legal a go) (legal b go) (<= (next (at 2)) (does a go))"
      "(<= terminal (true (at 2))) (<= (goal a 70) (true (at 2)))";
  const FakePlayer player([](const std::string&) { return "go"; });
  std::vector<std::string> logged;
  HostOptions options;
  options.players = {player.address(), player.address()};
  options.start_clock = options.play_clock = 1;
  options.log = [&](const std::string& line) { logged.push_back(line); };
  const HostedMatch match = host_match(text, std::make_shared<const MatchRules>(text), options);
  EXPECT_EQ(match.goals, (std::vector<std::optional<int>>{70, std::nullopt}));
  EXPECT_EQ(nlohmann::json::parse(record(match))["goalValues"], nlohmann::json::parse("[70, null]"));
  EXPECT_THAT(logged, testing::Contains(HasSubstr("the end, b: the rules give it no goal")));
}

// The record has what viewers of other systems read.
TEST(Host, Records) {
  const FakePlayer a([](const std::string&) { return "ready"; });
  const HostedMatch match = host("tic-tac-toe.kif", {a.address(), a.address()});
  const auto json = nlohmann::json::parse(record(match));
  for (const char* key : {"matchId", "startClock", "playClock", "gameMetaURL", "states", "moves", "stateTimes",
                          "errors", "goalValues", "isCompleted", "isAborted"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["states"].size(), json["moves"].size() + 1);
  const Kif first = read_kif(json["states"][0].get<std::string>());
  EXPECT_EQ(first.items.size(), match.states[0].size());
  for (const Kif& fact : first.items) EXPECT_NE(fact.items[0].keyword(), "TRUE") << "facts stand as they are";
}

}  // namespace
}  // namespace rgtrans::cli::ggp
