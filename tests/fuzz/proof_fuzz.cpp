// Any bytes are a proof of the value of a small game, which is known. The checker ends with a verdict and confirms only
// that value. The first byte chooses the game. If the last line is "seal", the target writes a last line that fits the
// lines before it, as an enemy would.
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/interpreter/interpreter.hpp"
#include "backends/search/search.hpp"
#include "core/support/digest.hpp"
#include "core/support/text.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

// A play may be endless, which is worth 50.
constexpr const char* kEndless = R"(
type Player = { a, b };
type Score = { 0, 50, 100 };
begin, a0: player = a;
a0, a1: $ go;
a1, b0: player = b;
b0, b1: $ back;
b0, b2: $ lose;
b1, a0: player = a;
b2, f: player = keeper;
f, f1: goals[a] = 100;
f1, end: player = keeper;
)";
// A roll of a die, which the second player may have repeated; six points are shared: 22/9.
constexpr const char* kRoll = R"(
type Player = { one, two };
type Score = { 0, 1, 2, 3, 4, 5, 6 };
type Die = { d1, d2, d3 };
const mine: Die -> Score = { d1: 6, d2: 1, :3 };
const yours: Die -> Score = { d1: 0, d2: 5, :3 };
var die: Die = d1;
begin, first: player = one;
first, safe: $ safe;
safe, safe1: goals[one] = 2;
safe1, safe2: goals[two] = 4;
safe2, end: player = keeper;
first, rolls: $ roll;
rolls, dice: player = random;
dice, rolled: die = Die(*);
rolled, seen: $$ die;
seen, second: player = two;
second, judge: $ take;
second, again: $ again;
again, dice2: player = random;
dice2, rolled2: die = Die(*);
rolled2, judge: $$ die;
judge, judged: goals[one] = mine[die];
judged, judged2: goals[two] = yours[die];
judged2, end: player = keeper;
)";
// A single player; its highest score is out of reach.
constexpr const char* kAlone = R"(
type Player = { me };
type Score = { 0, 30, 100 };
type Place = { p0, p1, p2, p3 };
const left: Place -> Place = { p1: p0, p2: p1, p3: p2, :p0 };
const right: Place -> Place = { p0: p1, p1: p2, p2: p3, :p3 };
const prize: Place -> Score = { p3: 30, :0 };
var at: Place = p1;
begin, turn: player = me;
turn, goes: $ left;
goes, gone: at = left[at];
turn, comes: $ right;
comes, gone: at = right[at];
turn, stops: $ stop;
stops, over: goals[me] = prize[at];
over, end: player = keeper;
gone, turn: player = me;
)";

struct ProvenGame {
  std::string value, player;
  std::string proof;
  std::unique_ptr<search::ProofChecker> checker;
};

std::string proof_of(const ir::Game& game) {
  std::string text;
  search::ProofRequest request;
  request.written = &game;
  request.write = [&](std::string_view piece) { text += piece; };
  search::SolveOptions options;
  options.written = &game;
  options.proof = &request;
  require(search::solve(*make_interpreter(game), options).proven, "a small game is not proven", text);
  return text;
}

const std::array<ProvenGame, 3>& proven_games() {
  static const auto kGames = [] {
    std::array<ProvenGame, 3> made;
    const std::array<std::array<const char*, 3>, 3> given = {
        {{kEndless, "50", "a"}, {kRoll, "22/9", "one"}, {kAlone, "30", "me"}}};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const ir::Game game = rg::parse_game(given[i][0]);
      made[i] = {given[i][1], given[i][2], proof_of(game), std::make_unique<search::ProofChecker>(game)};
    }
    return made;
  }();
  return kGames;
}

constexpr std::string_view kSealed = "seal";

// The same proof with a last line that fits.
std::string sealed_proof(std::string_view text, const std::string& value) {
  Digest digest;
  std::uint64_t moves = 0;
  std::string out;
  for (const std::string& line : split_lines(text)) {
    out += line + "\n";
    moves += line.starts_with('{') ? 0 : 1;
  }
  nlohmann::ordered_json last;
  last["value"] = value;
  last["moves"] = moves;
  last["digest"] = digest.add(out).hex();
  return out + last.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void proof_target(std::string_view bytes) {
  if (bytes.empty()) return;
  const ProvenGame& game = proven_games()[static_cast<unsigned char>(bytes[0]) % proven_games().size()];
  bytes.remove_prefix(1);
  std::string proof(bytes);
  // "seal VALUE": the value that the enemy claims.
  const std::size_t last = bytes.rfind('\n') + 1;  // 0 where there is one line
  if (bytes.substr(last).starts_with(kSealed)) {
    const std::string value(bytes.substr(std::min(last + kSealed.size() + 1, bytes.size())));
    proof = sealed_proof(bytes.substr(0, last), value);
  }
  const search::ProofVerdict verdict = game.checker->judge(proof);
  require(!verdict.text.empty(), "a verdict without a text", proof);
  if (!verdict.holds) return;
  const std::string truth = "value: " + game.player + " gets " + game.value;
  require(verdict.text.find(truth + ";") != std::string::npos ||
              verdict.text.find(truth + " on average;") != std::string::npos,
          "a proof of something else is confirmed", verdict.text + "\n" + proof);
}

// Honest proofs, some of them with a piece of another one, to be changed.
std::string random_proof(test::Choices& c) {
  const std::size_t chosen = c.below(proven_games().size());
  std::vector<std::string> lines = split_lines(proven_games()[chosen].proof);
  const bool keeps_last = c.chance(4);
  if (!keeps_last) lines.pop_back();
  if (c.chance(3) && lines.size() > 1) {
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(1 + c.below(lines.size() - 1));
    const auto other = split_lines(proven_games()[c.below(proven_games().size())].proof);
    lines.insert(at, c.chance(2) ? other[c.below(other.size())]
                                 : c.one_of({"{\"strategy\":null}", "", "go", "roll", "d1", "left", "again", "[[[["}));
  }
  std::string text(1, static_cast<char>(chosen));
  for (const std::string& line : lines) text += line + "\n";
  if (!keeps_last) text += "seal " + c.one_of({"0", "50", "100", "30", "22/9", "2", "3", "-1", "1e2", "6"});
  return text;
}

const Registration kProofRegistration("proof", proof_target, {random_proof});

}  // namespace
}  // namespace rgtrans::fuzz
