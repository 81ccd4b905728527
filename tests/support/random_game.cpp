// Random RG. The path through all nodes and the labels that respect types produce games that can be played to an end.
// Loose labels and games without a path produce unusual cases.
#include "tests/support/random_game.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tests/support/instrumented.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  Generator(Choices& choices, const RandomGameOptions& options) : c_(choices), options_(options) {}

  std::string run() {
    nodes_ = options_.turns ? c_.pick(4, 12) : c_.pick(3, 9);
    subs_ = c_.pick(0, 6);
    std::string out = prelude();
    if (options_.turns) {
      turns(out);
      return out;
    }
    edge(out, "begin", "n1",
         options_.spine && c_.coin(25) ? label(true) : "player = " + c_.one_of({"p", "p", "p", "random"}));
    for (int i = 1; i <= nodes_; ++i) {
      const std::string from = "n" + std::to_string(i);
      if (options_.spine) {
        const bool last = i == nodes_;
        edge(out, from, last ? "end" : "n" + std::to_string(i + 1), last ? "player = keeper" : label(true));
        if (last) break;
      }
      for (int extra = c_.pick(options_.spine ? 0 : 1, options_.spine ? 2 : 3); extra > 0; --extra) {
        if (!options_.spine && c_.chance(8)) {
          edge(out, from, "end", "player = " + c_.one_of({"keeper", "p"}));
          continue;
        }
        step(out, from, options_.spine && c_.coin(10) ? "begin" : main_node());
      }
    }
    // An edge to the end, so that the description is valid.
    if (!options_.spine) out += main_node() + ", last: $ out;\nlast, end: player = keeper;\n";
    if (c_.coin(30)) edge(out, main_node(), "end", "player = keeper");
    for (int i = 1; i <= subs_; ++i) {
      const std::string from = "s" + std::to_string(i);
      for (int e = c_.pick(1, 2); e > 0; --e) step(out, from, c_.coin(85) ? sub_node() : main_node(), false);
    }
    return out;
  }

 private:
  // A value of T, and a value of U.
  std::string t() { return std::to_string(c_.pick(1, 3)); }
  std::string u() { return std::to_string(c_.pick(1, 2)); }

  std::string prelude() {
    return "type Player = { p, q };\ntype Score = { 0, 5, 9 };\ntype T = { 1, 2, 3 };\ntype U = { 1, 2 };\n"
           "type V = { 3, 2 };\ntype M = T -> T;\ntype K = T -> U;\ntype N = T -> T -> T;\ntype W = U -> T -> T;\n"
           "const f: M = { 1: 2, 2: " +
           t() + ", :1 };\nconst g: M = { 1: " + t() + ", :" + t() + " };\nconst h: N = { 1: { 1: 2, :" + t() +
           " }, 2: { :3 }, : { 3: 2, :1 } };\nconst l: W = { 1: { 2: " + t() + ", :" + t() + " }, : { 1: 3, :" + t() +
           " } };\nconst k: T = 2;\nconst turn: Player -> Player = { p: q, :p };\n" + "var x: T = " + t() +
           ";\nvar y: T = 2;\nvar z: U = " + u() + ";\nvar m: M = { 1: 2, :" + t() +
           " };\nvar n: M = { :3 };\nvar o: N = { : { :1 } };\nvar c: K = { :" + u() +
           ", 3: 1 };\nvar w: W = l;\nvar who: Player = p;\n";
  }

  // A cycle of turns. On the path from each node to the next nothing fails, or a condition and its opposite part.
  void turns(std::string& out) {
    edge(out, "begin", "n1", next_player());
    for (int i = 1; i < nodes_; ++i) {
      const std::string from = "n" + std::to_string(i), to = "n" + std::to_string(i + 1);
      const int roll = c_.pick(1, 100);
      if (roll <= 20) {
        fork(out, from, to, c_.coin(50) ? "$ t" + t() : "", to, c_.coin(50) ? assignment() : "");
      } else if (roll <= 45) {
        edge(out, from, to, tag());
      } else if (roll <= 65) {
        edge(out, from, to, assignment());
      } else if (roll <= 75) {
        // Usually shown, so that a move has one result.
        const std::string variable = c_.one_of({"x", "y", "z"}), between = from + "v";
        edge(out, from, between, c_.coin(4) ? any_value() : variable + (variable == "z" ? " = U(*)" : " = T(*)"));
        edge(out, between, to, "$$ " + variable);
      } else if (roll <= 95) {
        const std::string between = from + "t";
        edge(out, from, between, tag());
        edge(out, between, to, next_player());
      } else {
        edge(out, from, to, "");
      }
      for (int extra = c_.pick(0, 2); extra > 0; --extra) {
        // Usually with a tag of its own, so that a move has one result.
        const std::string tag = "e" + std::to_string(extra) + "_" + std::to_string(i);
        const std::string start = c_.coin(95) ? tag : from;
        if (start != from) edge(out, from, start, "$ " + tag);
        if (c_.coin(25)) {
          edge(out, start, "n" + std::to_string(c_.pick(1, i)), next_player());
        } else if (c_.coin(97)) {
          edge(out, start, "n" + std::to_string(c_.pick(i + 1, nodes_)), certain_label());
        } else {
          step(out, start, main_node());
        }
      }
    }
    const std::string last = "n" + std::to_string(nodes_);
    if (c_.coin(85)) {
      edge(out, last, "stop", "$ stop");
      edge(out, "stop", "end", "player = keeper");
      edge(out, last, "more", "$ more");
      edge(out, "more", "n1", next_player());
    } else {
      fork(out, last, "end", "player = keeper", "n1", next_player());
    }
    for (int i = 1; i <= subs_; ++i) {
      const std::string from = "s" + std::to_string(i);
      const int next = std::min(i + 1, subs_);
      for (int e = c_.pick(1, 3); e > 0; --e) {
        const std::string to = c_.coin(90) ? "s" + std::to_string(c_.pick(next, subs_)) : main_node();
        std::string what = label(false);
        if (what.starts_with('?') || what.starts_with('!')) what = c_.coin(80) ? comparison() : what;
        if (to != from) edge(out, from, to, what);
      }
    }
    // Every node that is mentioned exists.
    if (subs_ > 0) edge(out, "s" + std::to_string(subs_), c_.coin(50) ? "s1" : "n1", comparison());
  }
  // A label that gives one result.
  std::string certain_label() {
    switch (c_.pick(0, 5)) {
      case 0:
        return comparison();
      case 1:
        return subs_ > 0 ? check() : comparison();
      case 2:
        return tag();
      case 3:
        return next_player();
      default:
        return assignment();
    }
  }
  std::string next_player() { return "player = " + c_.one_of({"p", "p", "q", "q", "who", "random"}); }
  // Two ways that exclude each other.
  void fork(std::string& out, const std::string& from, const std::string& first, const std::string& first_label,
            const std::string& second, const std::string& second_label) {
    const std::string place = c_.one_of({"x", "y", "m[x]", "n[y]", "o[x][y]"}), value = t();
    edge(out, from, from + "a", place + " == " + value);
    edge(out, from + "a", first, first_label);
    edge(out, from, from + "b", place + " != " + value);
    edge(out, from + "b", second, second_label);
  }

  std::string main_node() { return "n" + std::to_string(c_.pick(1, nodes_)); }
  std::string sub_node() { return "s" + std::to_string(c_.pick(1, subs_)); }
  static void edge(std::string& out, const std::string& from, const std::string& to, const std::string& label) {
    out += from + ", " + to + ": " + label + ";\n";
  }
  // A tag on a loop would make moves endless.
  void step(std::string& out, const std::string& from, std::string to, bool main = true) {
    const std::string what = label(main);
    if (what.starts_with('$') && to == from) to = main_node();
    if (what.starts_with('$') && to == from) to = "end";
    edge(out, from, to, what);
  }

  std::string scalar(int depth = 0) {
    switch (c_.pick(0, depth > 1 ? 6 : 15)) {
      case 0:
      case 1:
        return "x";
      case 2:
        return "y";
      case 3:
        return "z";
      case 4:
        return t();
      case 5:
        return c_.one_of({"2", "2", "k"});
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
      case 12:
        return "c[" + scalar(depth + 1) + "]";
      case 13:
        return c_.one_of({"l", "w"}) + "[" + (options_.loose ? scalar(depth + 1) : c_.one_of({"z", "1", "2"})) + "][" +
               scalar(depth + 1) + "]";
      case 14:
        return "T(" + scalar(depth + 1) + ")";
      default:
        return "o[" + scalar(depth + 1) + "][" + scalar(depth + 1) + "]";
    }
  }
  std::string map() {
    if (c_.coin(15)) return "o[" + scalar(1) + "]";
    if (c_.coin(10)) return "h[" + scalar(1) + "]";
    if (c_.coin(10)) return c_.one_of({"w[z]", "l[1]", "w[2]"});
    return c_.one_of({"m", "n", "f", "g"});
  }
  std::string place() {
    switch (c_.pick(0, 9)) {
      case 3:
      case 4:
        return "y";
      case 5:
        return "m[" + scalar(1) + "]";
      case 6:
        return "n[" + scalar(1) + "]";
      case 7:
        return "o[" + scalar(1) + "][" + scalar(1) + "]";
      case 8:
        return "w[" + c_.one_of({"z", "1", "2"}) + "][" + scalar(1) + "]";
      default:
        return "x";
    }
  }

  std::string comparison() {
    const std::string op = c_.coin(60) ? " == " : " != ";
    // Often from a small pool, so that equal and opposite conditions occur.
    if (c_.coin(55)) return c_.one_of({"x", "y"}) + op + t();
    if (c_.coin(10)) return map() + op + map();
    if (c_.coin(10)) return "who" + op + c_.one_of({"p", "q", "turn[who]"});
    if (c_.coin(5)) return "w" + op + c_.one_of({"l", "w"});
    if (options_.loose && c_.coin(10)) {
      return c_.one_of({"goals[p] == 5", "goals[who] != 0", "visible[who] == 1", "player == who"});
    }
    return scalar() + op + scalar();
  }

  std::string assignment() {
    if (c_.coin(8)) return c_.one_of({"m", "n"}) + " = " + map();
    if (c_.coin(5)) return "o[" + scalar(1) + "] = " + map();
    if (c_.coin(8)) return "goals[" + c_.one_of({"p", "q", "who"}) + "] = " + c_.one_of({"9", "0", "5"});
    if (c_.coin(3)) return "visible[" + c_.one_of({"q", "who"}) + "] = " + std::to_string(c_.pick(0, 1));
    if (c_.coin(8)) return "z = " + u();
    if (c_.coin(5)) return "c[" + scalar(1) + "] = " + c_.one_of({"z", "1", "2"});
    if (c_.coin(5)) return c_.one_of({"w = l", "w[1] = w[2]", "w[z] = m"});
    if (c_.coin(6)) return "who = " + c_.one_of({"turn[who]", "p", "q"});
    if (options_.loose && c_.coin(20)) {
      return c_.one_of({"z = ", "c[" + scalar(1) + "] = ", "w[y][x] = "}) + scalar();
    }
    return place() + " = " + scalar();
  }

  std::string any_value() {
    if (options_.loose && c_.coin(20)) return c_.one_of({"z = T(*)", "c[x] = V(*)", "x = V(*)"});
    if (c_.coin(15)) return c_.one_of({"x = V(*)", "y = U(*)", "c[y] = U(*)", "who = Player(*)"});
    return c_.coin(25) ? "z = U(*)" : place() + " = T(*)";
  }
  std::string variable_tag() { return c_.one_of({"$$ x", "$$ x", "$$ y", "$$ z", "$$ who"}); }
  std::string tag() { return c_.coin(55) ? "$ t" + t() : variable_tag(); }
  std::string check() {
    std::string from = c_.coin(90) ? sub_node() : main_node();
    std::string to = c_.coin(90) ? sub_node() : main_node();
    // A check that leads backwards is usually met again while it is evaluated.
    if (options_.turns && from.front() == 's' && to.front() == 's' && from > to) std::swap(from, to);
    return (c_.coin(60) ? "? " : "! ") + from + " -> " + to;
  }

  std::string label(bool main) {
    const int roll = c_.pick(1, 100);
    if (roll <= 12) return "";
    if (roll <= 30) return comparison();
    if (roll <= 52) return assignment();
    if (roll <= 60) return any_value();
    if (roll <= 70 && subs_ > 0) return check();
    if (roll <= 80) return "$ t" + t();
    if (roll <= 88) return variable_tag();
    if (!main && c_.coin(80)) return "";
    if (options_.loose) {
      return "player = " + c_.one_of({"p", "q", "who", "PlayerOrSystem(turn[who])", "keeper", "random"});
    }
    return "player = " + c_.one_of({"p", "p", "q", "keeper", "who", "random"});
  }

  Choices& c_;
  RandomGameOptions options_;
  int nodes_ = 4;
  int subs_ = 0;
};

}  // namespace

std::string random_game(Choices& choices, const RandomGameOptions& options) {
  return Generator(choices, options).run();
}

std::string random_game(std::uint64_t seed) {
  Choices choices(seed);
  return random_game(choices, {.loose = true, .spine = choices.coin(25)});
}

std::uint64_t from_environment(const char* name, std::uint64_t standard) {
  const char* const given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : standard;
}

std::uint64_t random_count(std::uint64_t standard) {
  return from_environment("RGTRANS_FUZZ_COUNT", kSanitized ? standard / 10 : standard);
}

}  // namespace rgtrans::test
