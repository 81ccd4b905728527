// A proof consists of two strategies, written as walks through the game as the author wrote it. By the first one, the
// first player gets at least the value. By the second one, the other player holds him to at most the value. Without
// another player, all plays of the first player replace the second strategy. At a position where the chooser moves, the
// file has one line, the text of his move. At every other position the walk follows all moves, in the order of their
// texts. So a file names neither positions nor anything else that an optimizer could change, and a checker needs the
// rules alone: it computes what the strategies guarantee, and compares.
//
//     {"rgtrans-proof":2,"game":"5d6a…","path":[],"player":"x","endless":"50"}
//     {"strategy":"x"}
//     C__2_2
//     …
//     {"strategy":"o"}
//     …
//     {"value":"50","moves":917,"digest":"80c1…"}
//
// The digest covers all lines before it, which distinguishes copying errors from wrong proofs. The checker believes
// nothing: each line that is no move must equal the line that the checker would have written itself.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backends/search/strategies.hpp"
#include "core/support/digest.hpp"
#include "core/support/json_text.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

std::string header_of(const WrittenGame& game, const std::vector<std::string>& path) {
  Json out;
  out["rgtrans-proof"] = kVersion;
  out["game"] = game.digest();
  out["path"] = path;
  out["player"] = game.info().players[0];
  out["endless"] = text(game.endless());
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The first line of the strategy of player 0, or of the opponent against it. Without an opponent there is no chooser.
std::string strategy_line(const GameInfo& info, std::size_t chooser) {
  Json out;
  out["strategy"] = chooser < info.players.size() ? Json(info.players[chooser]) : Json();
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string footer_of(const Worth& value, std::uint64_t moves, const Digest& digest) {
  Json out;
  out["value"] = text(value);
  out["moves"] = moves;
  out["digest"] = digest.hex();
  return out.dump();
}

// The object of a line; null where it is none.
Json parsed(const std::string& line) {
  Json out = parse_json<Json>(line);
  if (!out.is_object()) out = nullptr;
  return out;
}
const Json& field(const Json& object, const char* key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto at = object.find(key);
  return at == object.end() ? kNothing : *at;
}
std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>().substr(0, 100);
  if (value.is_structured()) return "something else";
  return value.dump();
}

// --- Writing. ---

class ProofWriter {
 public:
  explicit ProofWriter(const ProofRequest& request) : write_(request.write) {}
  void line(const std::string& text) {
    digest_.add(text).add("\n");
    write_(text);
    write_("\n");
  }
  void move(const std::string& text) {
    line(text);
    ++moves_;
  }
  void end(const Worth& value) { write_(footer_of(value, moves_, digest_) + "\n"); }

 private:
  const std::function<void(std::string_view)>& write_;
  Digest digest_;
  std::uint64_t moves_ = 0;
};

// Replays the walk through the original game in the solved version, where the adviser works.
class SolvedGuide : public Guide {
 public:
  SolvedGuide(const Reasoner& start, const Adviser& adviser, const ProofClaim& claim, ProofWriter& out)
      : at_(start), adviser_(adviser), claim_(claim), out_(out) {}

  std::size_t choose(Walker& at) override {
    const std::size_t advised = adviser_(at_, claim_);
    at_.list();
    const std::string text = at_.at().move_text(advised);
    out_.move(text);
    return found(at.at(), text);
  }
  void down(Walker& at, std::size_t index) override {
    const std::string text = at.at().move_text(index);
    at_.down(found(at_.at(), text));
  }
  void up() override { at_.up(); }

 private:
  static std::size_t found(Reasoner& at, const std::string& text) {
    if (const auto index = at.find_move(text)) return *index;
    throw Error(
        fmt::format("the move '{}' is not legal both in the game as written and in the one that was solved", text));
  }

  Walker at_;
  const Adviser& adviser_;
  const ProofClaim& claim_;
  ProofWriter& out_;
};

}  // namespace

void write_proof(const Reasoner& start, const ProofRequest& request, double value, const Adviser& adviser,
                 SolveLimits& limits) {
  const WrittenGame game(*request.written);
  game.require_provable();
  const GameInfo& info = game.info();
  ProofWriter out(request);
  out.line(header_of(game, request.path));
  const Walker at = game.at(request.path);
  Worth low = info.least_goal, high = info.most_goal;
  const auto follow = [&](const ProofClaim& claim) {
    out.line(strategy_line(info, claim.chooser));
    SolvedGuide guide(start, adviser, claim, out);
    return StrategyWalk(at, claim.chooser, claim.at_least, game.endless(), guide, limits).run();
  };
  if (value > info.least_goal) low = follow({0, 0, true, value});
  if (value < info.most_goal) high = follow({1, 0, false, value});
  if (low != high || abs(Worth(low - Worth(value))) > Worth(1e-6)) {
    throw Error(fmt::format("it guarantees between {} and {} to {}, and not {}", text(low), text(high), info.players[0],
                            value));
  }
  out.end(low);
}

// --- Checking. ---

namespace {

// The lines of a proof, with the number of moves and the digest of the lines already read.
class ProofReader {
 public:
  explicit ProofReader(LineSource& lines) : lines_(lines) { advance(); }
  // Null at the end.
  [[nodiscard]] const std::string* peek() const { return line_ ? &*line_ : nullptr; }
  std::string next() {
    if (!line_) throw Error("the proof ends too early");
    std::string line = std::move(*line_);
    digest_.add(line).add("\n");
    advance();
    return line;
  }
  // Whether the next line is this one, which is passed then.
  bool take(const std::string& expected) {
    if (!line_ || *line_ != expected) return false;
    next();
    return true;
  }
  std::string move() {
    ++moves_;
    return next();
  }
  [[nodiscard]] std::string footer(const Worth& value) const { return footer_of(value, moves_, digest_); }
  // Of the line that comes next, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  void advance() {
    line_ = lines_.next();
    ++number_;
  }

  LineSource& lines_;
  std::optional<std::string> line_;
  std::uint64_t number_ = 0, moves_ = 0;
  Digest digest_;
};

class FileGuide : public Guide {
 public:
  explicit FileGuide(ProofReader& proof) : proof_(proof) {}
  std::size_t choose(Walker& at) override {
    const std::string move = proof_.move();
    if (const auto index = at.at().find_move(move)) return *index;
    throw Error(fmt::format("the move '{}' is not legal there", move.substr(0, 100)));
  }

 private:
  ProofReader& proof_;
};

// Says what is wrong with a first line.
[[noreturn]] void refuse_header(const std::string& line, const std::string& expected) {
  const Json found = parsed(line), mine = parsed(expected);
  const Json& version = field(found, "rgtrans-proof");
  if (version.is_null()) throw Error("line 1: this is no proof of rgtrans");
  if (version != kVersion) {
    throw Error(fmt::format("line 1: this is a proof of version {}, and {} is expected", shown(version), kVersion),
                "proofs of version 1 chose their claims themselves; write it again with `rgtrans solve --proof`");
  }
  if (field(found, "game") != mine["game"]) {
    throw Error("line 1: the proof is about another game", "it belongs to one text of a game and to its options");
  }
  if (field(found, "path") != mine["path"]) {
    throw Error("line 1: the proof is about another position of the game",
                "solve --check takes the position with --path or --moves");
  }
  for (const char* key : {"player", "endless"}) {
    if (field(found, key) == mine[key]) continue;
    throw Error(fmt::format("line 1: '{}' is {}, and it must be {}", key, shown(field(found, key)), shown(mine[key])));
  }
  throw Error("line 1: this line is not as rgtrans writes it");
}

}  // namespace

struct ProofChecker::Parts {
  WrittenGame game;
  std::vector<std::string> path;
  Walker at;
  std::string header;
};

ProofChecker::ProofChecker(const ir::Game& written, std::vector<std::string> path) {
  WrittenGame game(written);
  game.require_provable();
  Walker at = game.at(path);
  std::string header = header_of(game, path);
  parts_ = std::make_unique<Parts>(Parts{std::move(game), std::move(path), std::move(at), std::move(header)});
}
ProofChecker::~ProofChecker() = default;

std::string ProofChecker::check(LineSource& lines, const SolveOptions& options) const {
  const WrittenGame& game = parts_->game;
  const GameInfo& info = game.info();
  SolveLimits limits(options);
  ProofReader proof(lines);
  if (proof.peek() == nullptr) throw Error("the proof is empty");
  if (!proof.take(parts_->header)) refuse_header(*proof.peek(), parts_->header);
  std::string confirmed = fmt::format(
      "position {}\n", parts_->path.empty() ? "at the start" : fmt::format("after {} moves", parts_->path.size()));
  bool chance = false;
  const auto follow = [&](std::size_t chooser, bool at_least) {
    FileGuide guide(proof);
    StrategyWalk walk(parts_->at, chooser, at_least, game.endless(), guide, limits);
    try {
      Worth worth = walk.run();
      chance = chance || walk.chance();
      confirmed += fmt::format(
          "verified: {} {} gets at {} {}{} ({} positions)\n",
          chooser < info.players.size() ? info.players[chooser] + " sees to it that" : std::string("whatever happens,"),
          info.players[0], at_least ? "least" : "most", text(worth), walk.chance() ? " on average" : "",
          walk.positions());
      return worth;
    } catch (const OutOfTime& limit) {
      throw Error(limit.why());
    } catch (const std::runtime_error& e) {
      throw Error(fmt::format("line {}: {}", proof.number(), e.what()));
    }
  };
  // A strategy may be left out where it would guarantee no more than any play does.
  Worth low = info.least_goal, high = info.most_goal;
  if (proof.take(strategy_line(info, 0))) low = follow(0, true);
  if (proof.take(strategy_line(info, 1))) high = follow(1, false);
  if (proof.peek() == nullptr) throw Error("the proof ends too early");
  const Json last = parsed(*proof.peek());
  if (field(last, "value").is_null()) throw Error(fmt::format("line {}: here the proof should end", proof.number()));
  if (low != high || field(last, "value") != text(low)) {
    throw Error(fmt::format("the proof claims that {} gets {}, and its strategies show between {} and {}",
                            info.players[0], shown(field(last, "value")), text(low), text(high)));
  }
  if (*proof.peek() != proof.footer(low)) {
    throw Error(fmt::format("line {}: the proof was changed after it had been written", proof.number()));
  }
  proof.next();
  if (proof.peek() != nullptr) throw Error(fmt::format("line {}: something follows the end", proof.number()));
  return confirmed + fmt::format("value: {} gets {}{}; a play without end counts {}\n", info.players[0], text(low),
                                 chance ? " on average" : "", text(game.endless()));
}

ProofVerdict ProofChecker::judge(std::string_view proof) const {
  TextLines lines(proof);
  try {
    return {true, check(lines, {})};
  } catch (const std::runtime_error& e) {
    return {false, e.what()};
  }
}

}  // namespace rgtrans::search
