// The Game Manager protocol, over loopback: our player and our host, and players that do everything wrong.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "backends/interpreter/interpreter.hpp"
#include "backends/rules/rules.hpp"
#include "backends/search/search.hpp"
#include "cli/ggp/host.hpp"
#include "cli/ggp/http.hpp"
#include "cli/ggp/kif.hpp"
#include "tests/cli/run.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::cli::ggp {

using rules::JointReasoner;
using rules::MatchRules;

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::string kGames = RGTRANS_SOURCE_DIR "/games/gdl/";

// A description as it travels.
std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';') at = text.find('\n', at);
    if (at < text.size()) out += text[at] == '\n' || text[at] == '\r' ? ' ' : text[at];
  }
  return out;
}
std::string description(const std::string& game) { return without_comments(read_file(kGames + game)); }

std::string tell(int port, const std::string& message, std::chrono::milliseconds patience = 10s) {
  return send_message("127.0.0.1", std::to_string(port), "player", message, patience);
}

// `rgtrans ggp-player` as a process.
class PlayerProcess {
 public:
  explicit PlayerProcess(std::vector<std::string> more = {"--no-compile"}) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      std::vector<std::string> words = {RGTRANS_BINARY, "ggp-player", "--port", "0"};
      words.insert(words.end(), more.begin(), more.end());
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(RGTRANS_BINARY, arguments.data());
      _exit(127);
    }
    close(ends[1]);
    std::string line;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    EXPECT_THAT(line, HasSubstr("127.0.0.1:"));
    port = std::atoi(line.substr(line.rfind(':') + 1).c_str());
  }
  PlayerProcess(const PlayerProcess&) = delete;
  PlayerProcess& operator=(const PlayerProcess&) = delete;
  ~PlayerProcess() { stop(); }
  void stop() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", port); }
  int port = 0;

 private:
  pid_t child_ = -1;
};

// A player that is a function.
class FakePlayer {
 public:
  explicit FakePlayer(Server::Handler handler)
      : server_("127.0.0.1", 0, std::move(handler)), thread_([this] { server_.run(); }) {}
  ~FakePlayer() {
    server_.stop();
    thread_.join();
  }
  FakePlayer(const FakePlayer&) = delete;
  FakePlayer& operator=(const FakePlayer&) = delete;
  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", server_.port()); }

 private:
  Server server_;
  std::thread thread_;
};

HostedMatch host(const std::string& game, std::vector<std::string> players, double play_clock = 0.3) {
  HostOptions options;
  options.players = std::move(players);
  options.start_clock = 2;
  options.play_clock = play_clock;
  options.grace = 0.2;
  const std::string text = description(game);
  return host_match(text, std::make_shared<const MatchRules>(text), options);
}

TEST(Kif, ReadsMessages) {
  const Kif play = read_kif(" ( PLAY m1 ( (mark 1 1)\n noop ) ) rest");
  EXPECT_EQ(play.items[0].keyword(), "PLAY");
  EXPECT_EQ(play.items[2].items[0].text(), "(mark 1 1)");
  EXPECT_EQ(read_kif("((move))").items[0].text(), "move");
  EXPECT_EQ(read_kif("(a ; b)\n c)").items.size(), 2U);
  for (const std::string& wrong :
       {std::string(), std::string("("), std::string(")"), std::string("(a"), std::string(100'000, '(')}) {
    EXPECT_THROW(read_kif(wrong), Error) << wrong.substr(0, 10);
  }
}

TEST(Joint, PlaysByTheRules) {
  JointReasoner game{MatchRules(description("tic-tac-toe.kif"))};
  EXPECT_EQ(game.perft(3), 9U * 8 * 7);
  EXPECT_FALSE(game.info().hidden);
  // Search on it finds that it is a draw.
  const search::TreeReport report = search::make_tree(game, {}, 1)->run(game, {.simulations = 100'000});
  EXPECT_TRUE(report.proven);
  EXPECT_THAT(report.values, testing::ElementsAre(50, 50));
  JointReasoner dilemma{MatchRules(description("prisoners-dilemma.kif"))};
  EXPECT_TRUE(dilemma.info().hidden);
  EXPECT_EQ(dilemma.observed_move_text(0, 1), "");
  const std::string first = dilemma.move_text(0);
  dilemma.apply(0);
  EXPECT_EQ(dilemma.observed_move_text(1, 0), first + " " + dilemma.move_text(1));
}

TEST(Player, SpeaksTheProtocol) {
  const PlayerProcess player;
  EXPECT_THAT(tell(player.port, "( info )"), HasSubstr("( status available )"));
  const std::string rules = description("tic-tac-toe.kif");
  EXPECT_EQ(tell(player.port, "( PREVIEW ( " + rules + " ) 1 )"), "ready");
  const MatchRules known(rules);
  EXPECT_EQ(tell(player.port, "(START m1 " + known.role(0) + " (" + rules + ") 2 1)"), "ready");
  EXPECT_THAT(tell(player.port, "(INFO)"), HasSubstr("( status busy )"));
  EXPECT_EQ(tell(player.port, "(START m2 " + known.role(0) + " (" + rules + ") 2 1)"), "busy");
  const auto begin = std::chrono::steady_clock::now();
  const std::string move = tell(player.port, "( PLAY m1 NIL )");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s) << "within the play clock";
  EXPECT_NE(known.find_move(0, read_kif(move).text()), kNone) << move;
  EXPECT_EQ(tell(player.port, "( PLAY other NIL )"), "busy");
  EXPECT_EQ(tell(player.port, "( ABORT m1 )"), "aborted");
  EXPECT_EQ(tell(player.port, "( ABORT m1 )"), "done");
  EXPECT_EQ(tell(player.port, "nonsense ((("), "unknown");
  EXPECT_EQ(tell(player.port, "((("), "error");
  EXPECT_EQ(tell(player.port, "(START m3)"), "error");
  EXPECT_EQ(tell(player.port, "(START m3 x ((role)) 1 1)"), "ready") << "what is wrong shows when a move is asked for";
  EXPECT_EQ(tell(player.port, "(PLAY m3 NIL)"), "NIL");
}

// What other hosts and browsers send, byte by byte.
std::string raw(int port, const std::string& bytes) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(s, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  std::string out;
  char buffer[1000];
  for (ssize_t got = 0; (got = recv(s, buffer, sizeof buffer, 0)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  close(s);
  return out;
}

TEST(Player, ReadsEveryFormOfARequest) {
  const PlayerProcess player;
  const std::string answer =
      raw(player.port, "POST / HTTP/1.0\r\nACCEPT: text/delim\r\ncontent-LENGTH: 6\r\n\r\n(INFO)");
  EXPECT_THAT(answer, testing::StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/acl\r\n"));
  EXPECT_THAT(answer, HasSubstr("Access-Control-Allow-Origin: *\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\n( ( name rgtrans )"));
  EXPECT_THAT(raw(player.port, "GET /%28%20INFO+) HTTP/1.0\r\n\r\n"), HasSubstr("( name rgtrans )"));
  EXPECT_THAT(raw(player.port, "OPTIONS / HTTP/1.1\r\n\r\n"),
              HasSubstr("Access-Control-Allow-Methods: POST, GET, OPTIONS"));
  EXPECT_THAT(raw(player.port, "POST / HTTP/1.0\r\n\r\n( INFO )"), HasSubstr("( name rgtrans )"));
  EXPECT_EQ(raw(player.port, "nonsense\r\n\r\n"), "");
  EXPECT_EQ(raw(player.port, "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n("), "");
  EXPECT_THAT(tell(player.port, "(INFO)"), HasSubstr("available")) << "it is still there";
}

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
std::vector<int> goals_of_automaton(const std::string& text, const HostedMatch& match) {
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
  std::vector<int> goals;
  for (std::size_t r = 0; r < playable.names.roles.size(); ++r) {
    // Random has no goal in the automaton.
    const auto it = std::ranges::find(play->info().players, playable.names.roles[r]);
    const bool known = it != play->info().players.end();
    const auto player = static_cast<std::size_t>(it - play->info().players.begin());
    goals.push_back(known ? std::stoi(play->goal(player)) : match.goals[r]);
  }
  return goals;
}

// What stands in for one of our players in a match, by its number.
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
        // What a player can only do where it gets a processor when it wants one.
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
}

// Six digits that are counted up one by one: a million facts, which take long to ground. Legal moves are known at once.
TEST(Player, HasALegalMoveBeforeTheRulesAreGround) {
  std::string text = "(role a) (init (at 0 0 0 0 0 0))";
  for (int digit = 0; digit < 9; ++digit) text += fmt::format(" (after {} {})", digit, digit + 1);
  for (int place = 0; place < 6; ++place) {
    std::string before = "(at", after = "(at";
    for (int i = 0; i < 6; ++i) {
      before += fmt::format(" ?x{}", i);
      after += i == place ? std::string(" ?y") : fmt::format(" ?x{}", i);
    }
    text += fmt::format(" (<= (legal a (up {0})) (true {1})) (after ?x{0} ?y))", place, before);
    text += fmt::format(" (<= (next {2})) (does a (up {0})) (true {1})) (after ?x{0} ?y))", place, before, after);
  }
  text += " (<= terminal (true (at 9 9 9 9 9 9))) (goal a 100)";
  const PlayerProcess player;
  EXPECT_EQ(tell(player.port, "(START m a (" + text + ") 1 1)"), "ready");
  const std::string first = tell(player.port, "(PLAY m NIL)");
  EXPECT_THAT(first, testing::MatchesRegex("\\(up [0-5]\\)"));
  const std::string second = tell(player.port, "(PLAY m (" + first + "))");
  EXPECT_THAT(second, testing::MatchesRegex("\\(up [0-5]\\)"));
}

// The player follows what was really played, not what it answered.
TEST(Player, FollowsReplacedMoves) {
  const PlayerProcess player;
  const std::string text = description("tic-tac-toe.kif");
  const MatchRules rules(text);
  const gdl::Network& network = rules.network();
  gdl::NetworkMachine machine(rules.program(), network);
  machine.set_state(machine.initial());
  ASSERT_EQ(tell(player.port, "(START m " + rules.role(0) + " (" + text + ") 2 1)"), "ready");
  std::string last = "NIL";
  while (!machine.terminal()) {
    const std::string answer = tell(player.port, "(PLAY m " + last + ")");
    std::vector<std::uint32_t> joint(2), legal;
    machine.legal(0, legal);
    EXPECT_THAT(legal, testing::Contains(rules.find_move(0, read_kif(answer).text()))) << answer;
    for (std::uint32_t r = 0; r < 2; ++r) {
      machine.legal(r, legal);
      joint[r] = legal.back();
    }
    last = "( " + rules.move_text(joint[0]) + " " + rules.move_text(joint[1]) + " )";
    machine.step(joint);
  }
  EXPECT_EQ(tell(player.port, "(STOP m " + last + ")"), "done");
}

}  // namespace
}  // namespace rgtrans::cli::ggp
