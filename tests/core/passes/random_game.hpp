// Random small games with everything that makes passes go wrong: loops through begin, checks that share nodes with
// moves, any-assignments with indices, tag variables, cell writes, constants, hidden tags.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace rgtrans::testing_games {

class RandomGame {
 public:
  explicit RandomGame(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out =
        "type Player = { p, q };\ntype Score = { 0, 9 };\ntype T = { 1, 2, 3 };\ntype U = { 1, 2 };\ntype M = T -> T;\n"
        "type N = T -> T -> T;\n"
        "const f: M = { 1: 2, 2: 3, :1 };\nconst g: M = { 1: 3, :2 };\nconst h: N = { 1: { 1: 2, :1 }, 2: { :3 }, : { "
        "3: 2, :1 } };\n"
        "const k: T = 2;\n"
        "var x: T = 1;\nvar y: T = 2;\nvar z: U = 1;\nvar m: M = { 1: 2, :1 };\nvar n: M = { :3 };\nvar o: N = { : { "
        ":1 } };\n";
    const int nodes = pick(3, 9);
    const int subs = pick(0, 6);
    auto main_node = [&] { return "n" + std::to_string(pick(1, nodes)); };
    auto sub_node = [&] { return "s" + std::to_string(pick(1, subs)); };
    // Spine: every node leads on, so that most of the game is used.
    edge(out, "begin", "n1", coin(70) ? "player = p" : label(subs, nodes, true));
    for (int i = 1; i <= nodes; ++i) {
      const std::string from = "n" + std::to_string(i);
      const std::string to = i == nodes ? "end" : "n" + std::to_string(i + 1);
      edge(out, from, to, i == nodes ? "player = keeper" : label(subs, nodes, true));
      if (i == nodes) break;
      for (int extra = pick(0, 2); extra > 0; --extra) {
        const std::string target = coin(10) ? "begin" : main_node();
        edge(out, from, target, label(subs, nodes, true));
      }
    }
    if (coin(30)) edge(out, main_node(), "end", "player = keeper");
    for (int i = 1; i <= subs; ++i) {
      const std::string from = "s" + std::to_string(i);
      for (int e = pick(1, 2); e > 0; --e)
        edge(out, from, coin(85) ? sub_node() : main_node(), label(subs, nodes, false));
    }
    return out;
  }

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high < low ? low : high)(random_); }
  bool coin(int percent) { return pick(1, 100) <= percent; }

 private:
  static void edge(std::string& out, const std::string& from, const std::string& to, const std::string& label) {
    out += from + ", " + to + ": " + label + ";\n";
  }

  std::string scalar(int depth = 0) {
    switch (pick(0, depth > 1 ? 6 : 12)) {
      case 0:
      case 1:
        return "x";
      case 2:
        return "y";
      case 3:
        return "z";
      case 4:
        return std::to_string(pick(1, 3));
      case 5:
        return coin(70) ? "2" : "k";
      case 6:
        return "1";
      case 7:
        return "f[" + scalar(depth + 1) + "]";
      case 8:
        return "g[" + scalar(depth + 1) + "]";
      case 9:
        return "m[" + scalar(depth + 1) + "]";
      case 10:
        return "n[" + scalar(depth + 1) + "]";
      case 11:
        return "h[" + scalar(depth + 1) + "][" + scalar(depth + 1) + "]";
      default:
        return "o[" + scalar(depth + 1) + "][" + scalar(depth + 1) + "]";
    }
  }
  std::string map() {
    static const char* const kMaps[] = {"m", "n", "f", "g"};
    if (coin(15)) return "o[" + scalar(1) + "]";
    if (coin(10)) return "h[" + scalar(1) + "]";
    return kMaps[pick(0, 3)];
  }
  std::string place() {
    switch (pick(0, 8)) {
      case 0:
      case 1:
      case 2:
        return "x";
      case 3:
      case 4:
        return "y";
      case 5:
        return "m[" + scalar(1) + "]";
      case 6:
        return "n[" + scalar(1) + "]";
      case 7:
        return "o[" + scalar(1) + "][" + scalar(1) + "]";
      default:
        return "x";
    }
  }

  std::string label(int subs, int nodes, bool main) {
    const int roll = pick(1, 100);
    if (roll <= 12) return "";
    if (roll <= 30) {  // comparisons, often from a small pool so that equal and opposite ones occur
      const std::string op = coin(60) ? " == " : " != ";
      if (coin(60)) return std::string(coin(50) ? "x" : "y") + op + std::to_string(pick(1, 3));
      if (coin(10)) return map() + op + map();
      return scalar() + op + scalar();
    }
    if (roll <= 52) {
      if (coin(8)) return std::string(coin(50) ? "m" : "n") + " = " + map();
      if (coin(5)) return "o[" + scalar(1) + "] = " + map();
      if (coin(8)) return "goals[" + std::string(coin(50) ? "p" : "q") + "] = " + (coin(50) ? "9" : "0");
      if (coin(3)) return "visible[q] = " + std::to_string(pick(0, 1));
      if (coin(8)) return "z = " + std::to_string(pick(1, 2));
      return place() + " = " + scalar();
    }
    if (roll <= 60) return coin(25) ? "z = U(*)" : place() + " = T(*)";
    if (roll <= 70 && subs > 0) {
      const std::string from = coin(90) ? "s" + std::to_string(pick(1, subs)) : "n" + std::to_string(pick(1, nodes));
      const std::string to = coin(90) ? "s" + std::to_string(pick(1, subs)) : "n" + std::to_string(pick(1, nodes));
      return (coin(60) ? "? " : "! ") + from + " -> " + to;
    }
    if (roll <= 80) return "$ t" + std::to_string(pick(1, 3));
    if (roll <= 88) return coin(60) ? "$$ x" : coin(60) ? "$$ y" : "$$ z";
    if (!main && coin(80)) return "";
    return std::string("player = ") + (coin(50) ? "p" : coin(60) ? "q" : "keeper");
  }

  std::mt19937_64 random_;
};

}  // namespace rgtrans::testing_games
