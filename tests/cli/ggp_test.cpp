// The Game Manager protocol, over loopback: messages, and our player.
#include "tests/cli/ggp.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "backends/rules/rules.hpp"
#include "backends/search/search.hpp"
#include "cli/ggp/kif.hpp"
#include "cli/ggp/seat.hpp"
#include "cli/ggp/translated.hpp"
#include "frontends/gdl/gdl.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::cli::ggp {

using rules::JointReasoner;
using rules::MatchRules;

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Kif, ReadsMessages) {
  const Kif play = read_kif(" ( PLAY m1 ( (mark 1 1)\n noop ) ) rest");
  EXPECT_EQ(play.items[0].keyword(), "PLAY");
  EXPECT_EQ(play.items[2].items[0].text(), "(mark 1 1)");
  EXPECT_EQ(read_kif("((move))").items[0].text(), "move");
  EXPECT_EQ(read_kif("(a ; b)\n c)").items.size(), 2U);
  std::string many;  // parts, which take more memory than their text
  for (int i = 0; i < 500'000; ++i) many += "()";
  for (const std::string& wrong : {std::string(), std::string("("), std::string(")"), std::string("(a"),
                                   std::string(100'000, '('), "(" + many + ")"}) {
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

// Both roles have a choice after twelve steps, to which random plays hardly ever come.
std::string late_choices() {
  std::string out = "(role a) (role b) (init (step 0)) ";
  for (int i = 0; i < 12; ++i) out += fmt::format("(succ {} {}) ", i, i + 1);
  for (int i = 1; i <= 5; ++i) out += fmt::format("(many {}) {}", i, i <= 2 ? fmt::format("(few {}) ", i) : "");
  return out +
         "(<= (on) (true (step ?n)) (succ ?n ?m)) (<= (legal a go) (on)) (<= (legal a stop) (on)) "
         "(<= (legal b noop) (on)) (<= (legal a (pick ?x)) (true (step 12)) (many ?x)) "
         "(<= (legal b (pick ?x)) (true (step 12)) (few ?x)) "
         "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m) (does a go)) (<= (next over) (does a stop)) "
         "(<= (next over) (does a (pick ?x))) (<= terminal (true over)) (goal a 50) (goal b 50)";
}

TEST(Rules, MayHideUnlessProved) {
  EXPECT_FALSE(MatchRules(late_choices()).hidden()) << "an estimate";
  EXPECT_TRUE(rules::follow(late_choices(), "late.kif", false)->info().hidden);
  for (const char* const game : {"tic-tac-toe.kif", "prisoners-dilemma.kif"}) {
    const bool hidden = game == std::string("prisoners-dilemma.kif");
    EXPECT_EQ(rules::follow(description(game), game, false)->info().hidden, hidden) << game;
  }
}

TEST(Player, DecidesWhereNobodyExpectedTwoChoices) {
  const PlayerProcess player;
  ASSERT_EQ(tell(player.port, "(START m1 b (" + late_choices() + ") 2 0.3)"), "ready");
  EXPECT_EQ(tell(player.port, "(PLAY m1 NIL)"), "noop");
  for (int i = 1; i < 12; ++i) EXPECT_EQ(tell(player.port, "(PLAY m1 (go noop))"), "noop");
  EXPECT_THAT(tell(player.port, "(PLAY m1 (go noop))"), testing::MatchesRegex(R"(\( ?pick [12] ?\))"));
  EXPECT_THAT(player.log(), HasSubstr("network by information sets, "));
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
  EXPECT_THAT(player.log(), testing::ContainsRegex("match m3, x: the rules are not ground: [^<]"));
}

TEST(Player, ReadsEveryFormOfARequest) {
  const PlayerProcess player;
  const std::string answer =
      raw(player.port, "POST / HTTP/1.0\r\nACCEPT: text/delim\r\ncontent-LENGTH: 6\r\n\r\n(INFO)");
  EXPECT_THAT(answer, testing::StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/acl\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\n( ( name rgtrans )"));
  EXPECT_THAT(raw(player.port, "GET /%28%20INFO+) HTTP/1.0\r\n\r\n"), HasSubstr("( name rgtrans )"));
  EXPECT_THAT(raw(player.port, "OPTIONS / HTTP/1.1\r\n\r\n"), HasSubstr("200 OK"));
  EXPECT_THAT(raw(player.port, "POST / HTTP/1.0\r\n\r\n( INFO )"), HasSubstr("( name rgtrans )"));
  // Old hosts end lines with a line feed alone.
  EXPECT_THAT(raw(player.port, "POST / HTTP/1.0\nAccept: text/delim\nContent-length: 6\n\n(INFO)"),
              HasSubstr("( name rgtrans )"));
  EXPECT_THAT(
      raw(player.port, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n(INF\r\n2\r\nO)\r\n0\r\n\r\n"),
      HasSubstr("( name rgtrans )"));
  EXPECT_EQ(raw(player.port, "nonsense\r\n\r\n"), "");
  EXPECT_EQ(raw(player.port, "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n("), "");
  EXPECT_EQ(raw(player.port, "POST / HTTP/1.0\r\nContent-Length: 4000000\r\n\r\n("), "");
  EXPECT_THAT(tell(player.port, "(INFO)"), HasSubstr("available")) << "it is still there";
  EXPECT_THAT(player.log_with("refused a request of 127.0.0.1: this is no HTTP"),
              HasSubstr("refused a request of 127.0.0.1: this is no HTTP"));
  EXPECT_THAT(player.log_with("refused a request of 127.0.0.1: 99999999999 bytes are announced"),
              HasSubstr("refused a request of 127.0.0.1: 99999999999 bytes are announced"));
}

TEST(Player, SlowSendersGiveWay) {
  const PlayerProcess player;
  std::vector<int> slow;
  for (int i = 0; i < 100; ++i) slow.push_back(connect_and_send(player.port, "POST / HTTP/1.0\r\nContent-"));
  EXPECT_THAT(tell(player.port, "(INFO)"), HasSubstr("available"));
  EXPECT_THAT(player.log_with("the header does not end"), HasSubstr("the header does not end"));
  for (const int s : slow) close(s);
}

// A page that somebody reads must not play with a player that runs on the same machine.
TEST(Player, WebPagesAreAnsweredOnlyWhereThatIsAllowed) {
  const std::string post = "POST / HTTP/1.1\r\nOrigin: http://evil.example\r\nContent-Length: 6\r\n\r\n(INFO)";
  const std::string picture = "GET /(INFO) HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n\r\n";
  const PlayerProcess careful;
  for (const std::string& request : {post, picture}) {
    EXPECT_THAT(raw(careful.port, request), AllOf(HasSubstr("403"), Not(HasSubstr("rgtrans"))));
  }
  EXPECT_THAT(careful.log_with("a web page asks"), HasSubstr("a web page asks"));
  const PlayerProcess open({"--no-compile", "--web-pages"});
  EXPECT_THAT(raw(open.port, post), AllOf(HasSubstr("Access-Control-Allow-Origin: *"), HasSubstr("( name rgtrans )")));
}

TEST(Player, OnlyTheHostOfAMatchMayStopOrReplaceIt) {
  const PlayerProcess player;
  const std::string rules = description("tic-tac-toe.kif");
  const std::string start = "(START m1 " + MatchRules(rules).role(0) + " (" + rules + ") 2 1)";
  ASSERT_EQ(tell_from("127.0.0.2", player.port, start), "ready");
  for (const std::string& message :
       {std::string("(ABORT m1)"), std::string("(STOP m1 NIL)"), std::string("(PLAY m1 NIL)"), start}) {
    EXPECT_EQ(tell_from("127.0.0.3", player.port, message), "busy") << message.substr(0, 20);
  }
  EXPECT_EQ(tell_from("127.0.0.2", player.port, "(ABORT m2)"), "busy") << "another match";
  EXPECT_THAT(player.log_with("refused a message of 127.0.0.3: ABORT m1: match m1 of 127.0.0.2 goes on"),
              HasSubstr("refused a message of 127.0.0.3: ABORT m1: match m1 of 127.0.0.2 goes on"));
  EXPECT_EQ(tell_from("127.0.0.2", player.port, start), "ready") << "its host begins it again";
  EXPECT_THAT(tell_from("127.0.0.2", player.port, "(PLAY m1 NIL)"), Not(testing::AnyOf("busy", "NIL")));
  EXPECT_EQ(tell_from("127.0.0.2", player.port, "(ABORT m1)"), "aborted");
}

TEST(Player, FreesItselfFromAMatchThatNobodyContinues) {
  const PlayerProcess player({"--no-compile", "--patience", "2"});
  const std::string rules = description("tic-tac-toe.kif");
  ASSERT_EQ(tell(player.port, "(START m1 " + MatchRules(rules).role(0) + " (" + rules + ") 1 0.2)"), "ready");
  EXPECT_THAT(tell(player.port, "(INFO)"), HasSubstr("busy"));
  std::string state;
  for (int i = 0; i < 100 && state.find("available") == std::string::npos; ++i) {
    std::this_thread::sleep_for(100ms);
    state = tell(player.port, "(INFO)");
  }
  EXPECT_THAT(state, HasSubstr("available"));
  EXPECT_THAT(player.log_with("match m1 of 127.0.0.1 is left: nobody continues it"),
              HasSubstr("match m1 of 127.0.0.1 is left: nobody continues it"));
}

TEST(Player, LogsItsThoughtsAndTakesSearchOptions) {
  const PlayerProcess player({"--no-compile", "--search", "rave=100,mast=0.5,cutoff=50"});
  const std::string rules = description("tic-tac-toe.kif");
  ASSERT_EQ(tell(player.port, "(START m1 " + MatchRules(rules).role(0) + " (" + rules + ") 2 0.5)"), "ready");
  static_cast<void>(tell(player.port, "(PLAY m1 NIL)"));
  EXPECT_THAT(player.log(),
              testing::ContainsRegex("answer 1: .* after 0\\.[0-9]+ of 0\\.5 s; network, [0-9]+ simulations, "
                                     "[0-9]+ nodes, (value|proven) [0-9.]+, line "));
  const test::Outcome wrong = test::run_rgtrans({"ggp-player", "--port", "0", "--search", "deep=3"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("there is no option 'deep'"));
}

// The processes that a process has started, and those that these have.
std::vector<pid_t> descendants(pid_t process) {
  std::vector<pid_t> out;
  for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process))) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) {
      out.push_back(child);
      const std::vector<pid_t> more = descendants(child);
      out.insert(out.end(), more.begin(), more.end());
    }
  }
  return out;
}

TEST(Player, CompilersEndWithTheirMatch) {
  const test::TemporaryFolder folder;
  const std::string compiler = folder.file("compiler", "#!/bin/sh\nsleep 600 &\nwait\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  setenv("CXX", compiler.c_str(), 1);
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const PlayerProcess player(std::vector<std::string>{});
  unsetenv("CXX");
  unsetenv("XDG_CACHE_HOME");
  const std::string rules = description("tic-tac-toe.kif");
  ASSERT_EQ(tell(player.port, "(START m1 " + MatchRules(rules).role(0) + " (" + rules + ") 2 1)"), "ready");
  const auto soon = [](const auto& condition) {
    for (int i = 0; i < 400 && !condition(); ++i) std::this_thread::sleep_for(50ms);
    return condition();
  };
  ASSERT_TRUE(soon([&] { return descendants(player.process()).size() >= 3; })) << "it compiles";
  EXPECT_EQ(tell(player.port, "(ABORT m1)"), "aborted");
  EXPECT_TRUE(soon([&] { return descendants(player.process()).empty(); })) << "compilers go on";
}

// Moves of the translated game are those of the rules as they stand, in every state of some plays.
TEST(Player, FollowsTheTranslatedGame) {
  for (const char* name : {"tic-tac-toe.kif", "blocker.kif", "connect-four.kif", "prisoners-dilemma.kif"}) {
    SCOPED_TRACE(name);
    const std::string text = read_file(kGames + name);
    gdl::Direct direct(text);
    Translated translated(text);
    ASSERT_EQ(translated.roles(), direct.role_names());
    std::mt19937 random(1);
    direct.set_state(direct.initial());
    for (int step = 0; step < 12 && !direct.terminal(); ++step) {
      std::vector<std::uint32_t> joint;
      std::vector<std::string> terms;
      for (std::uint32_t r = 0; r < direct.role_names().size(); ++r) {
        std::vector<std::uint32_t> legal;
        direct.legal(r, legal);
        std::vector<std::string> expected;
        for (const std::uint32_t move : legal) expected.push_back(read_kif(direct.move_text(move)).text());
        EXPECT_THAT(translated.decide(r).moves, testing::UnorderedElementsAreArray(expected)) << step << " " << r;
        joint.push_back(legal[random() % legal.size()]);
        terms.push_back(direct.move_text(joint.back()));
      }
      direct.step(joint);
      translated.step(terms);
    }
  }
  EXPECT_THROW(Translated(read_file(kGames + "monty-hall.kif")), Error) << "percepts say too little";
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
// Steps are played before the rules are ground. Their percepts count, too.
TEST(Player, FollowsPerceptsThatCameBeforeTheRules) {
  const char* const text = R"(
(role random) (role x) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (coin h) (coin t)
(<= (legal random (flip ?c)) (coin ?c))
(<= (legal x (say ?n ?c)) (true (step ?n)) (coin ?c))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (sees x (shown ?c)) (does random (flip ?c)))
(<= terminal (true (step 5))) (goal x 100))";
  SeatOptions options;
  options.compile = false;
  Seat seat("percepts", "x", text, 0.6, options);
  const auto long_ago = Clock::now() - 100s;
  seat.play(read_kif("NIL"), long_ago);
  seat.play(read_kif("((shown h))"), long_ago);
  seat.wait_ready(Clock::now() + 20s, Clock::now() + 20s);
  EXPECT_THAT(seat.play(read_kif("((shown t))"), Clock::now()), testing::StartsWith("(say 3 "));
}

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
