#include "tests/support/random_game.hpp"

#include <string_view>
#include <vector>

namespace rgtrans::testing {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  std::string run() {
    nodes_ = 4 + below(5);
    std::string out =
        "type Player = { p, q };\n"
        "type Score = { 0, 1, 2 };\n"
        "type Small = { a, b };\n"
        "type Large = { a, b, c };\n"
        "type Other = { c, b };\n"
        "type Map = Large -> Small;\n"
        "type Grid = Small -> Large -> Large;\n"
        "const f: Large -> Large = { :" +
        large() + ", a: " + large() + ", b: " + large() + " };\n" + "const g: Small -> Large = { :" + large() +
        ", b: " + large() + " };\n" + "const k: Grid = { :{ :" + large() + ", b: " + large() + " }, a: { :" + large() +
        ", c: " + large() + " } };\n" + "const turn: Player -> Player = { :p, p: q };\n" + "var x: Large = " + large() +
        ";\n" + "var y: Small = " + small() + ";\n" + "var m: Map = { :" + small() + ", c: " + small() + " };\n" +
        "var w: Grid = k;\n" + "var who: Player = p;\n";
    out += "begin, n0: player = " + std::string(chance(4) ? "random" : "p") + ";\n";
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::size_t edges = 1 + below(3);
      for (std::size_t k = 0; k < edges; ++k) out += edge(i);
    }
    // A way out, so that the description is one at all.
    out += node(below(nodes_)) + ", last: $ out;\nlast, end: player = keeper;\n";
    return out;
  }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_ * 0x2545f4914f6cdd1dULL;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((next() >> 33U) % n); }
  bool chance(std::size_t n) { return below(n) == 0; }
  std::string pick(std::vector<std::string_view> options) { return std::string(options[below(options.size())]); }
  std::string small() { return pick({"a", "b"}); }
  std::string large() { return pick({"a", "b", "c"}); }
  static std::string node(std::size_t i) { return "n" + std::to_string(i); }

  // Something with a symbol of Large (loosely).
  std::string value(std::size_t depth = 0) {
    if (depth > 2) return pick({"x", "y", "a", "c"});
    switch (below(9)) {
      case 0:
        return "f[" + value(depth + 1) + "]";
      case 1:
        return "g[" + value(depth + 1) + "]";
      case 2:
        return "m[" + value(depth + 1) + "]";
      case 3:
        return "k[y][" + value(depth + 1) + "]";
      case 4:
        return "w[" + pick({"y", "a", "b", "x"}) + "][" + value(depth + 1) + "]";
      case 5:
        return "Large(" + value(depth + 1) + ")";
      case 6:
        return large();
      default:
        return pick({"x", "y", "x", "y"});
    }
  }

  std::string label(std::size_t from) {
    switch (below(14)) {
      case 0:
        return "";
      case 1:
        return value() + pick({" == ", " != "}) + value();
      case 2:
        return pick({"x", "y"}) + pick({" == ", " != "}) + small();
      case 3:
        return "x = " + value();
      case 4:
        return "y = " + value();
      case 5:
        return "m[" + value() + "] = " + value();
      case 6:
        return pick(
            {"x = Large(*)", "x = Small(*)", "y = Small(*)", "m[x] = Small(*)", "x = Other(*)", "w[y][x] = Large(*)"});
      case 7:
        return pick({"? ", "! "}) + node(below(nodes_)) + " -> " + node(below(nodes_));
      case 8:
        return pick({"? ", "! "}) + node((from + 1) % nodes_) + " -> " + node((from + 2) % nodes_);
      case 9:
        return pick({"$ s", "$ t", "$ a"});
      case 10:
        return pick({"$$ x", "$$ y", "$$ x", "$$ player"});
      case 11:
        return pick({"goals[p] = 1", "goals[who] = 2", "goals[p] == 1", "goals[who] != 0", "visible[q] = 0",
                     "visible[who] == 1"});
      case 12:
        return pick(
            {"w[y][x] = " + value(), "w = k", "w[y] = f", "w[a] == w[b]", "f != w[y]", "w == k", "w[a] = w[b]"});
      default:
        return pick({"who = turn[who]", "who == p", "who != p", "player == who"});
    }
  }

  std::string edge(std::size_t from) {
    std::string out = node(from) + ", ";
    if (chance(4)) {
      return out + node(below(nodes_)) + ": " +
             pick({"player = p", "player = q", "player = who", "player = PlayerOrSystem(turn[who])", "player = keeper",
                   "player = random"}) +
             ";\n";
    }
    if (chance(8)) return out + "end: player = " + pick({"keeper", "p"}) + ";\n";
    const std::string what = label(from);
    std::size_t to = below(nodes_);
    if (what.starts_with('$') && to == from) to = (to + 1) % nodes_;
    return out + node(to) + ": " + what + ";\n";
  }

  std::uint64_t state_;
  std::size_t nodes_ = 4;
};

}  // namespace

std::string random_game(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace rgtrans::testing
