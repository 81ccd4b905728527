// Random GDL in the style of human authors: boards with columns and rows, alternating control or simultaneous moves,
// step counters, pieces that are placed, step, slide and jump, promotion, counted captures, lines and chains of stones,
// dice and percepts. Each part occurs in several styles.
#include <fmt/format.h>

#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

using Words = std::vector<std::string>;

class GdlBoard {
 public:
  explicit GdlBoard(Choices& c) : c_(c) {}

  std::string game() {
    decide();
    describe_board();
    describe_contents();
    describe_moves();
    describe_steps();
    describe_end();
    if (dice_ || c_.chance(8)) describe_percepts();
    return out_;
  }

 private:
  void rule(const std::string& head, const std::string& body) { out_ += "(<= " + head + "\n    " + body + ")\n"; }
  void fact(const std::string& text) { out_ += "(" + text + ")\n"; }

  void decide() {
    width_ = c_.pick(2, 4);
    height_ = c_.pick(2, 4);
    const std::vector<Words> names = {{"robot"}, {"white", "black"}, {"xplayer", "oplayer"}, {"red", "green", "blue"}};
    roles_ = names[c_.below(6) % 5 % 4];
    if (c_.chance(2)) roles_ = names[1];
    dice_ = c_.chance(8);
    together_ = !dice_ && roles_.size() > 1 && c_.chance(5);
    nested_ = c_.chance(5);
    blanks_ = c_.coin(60);
    kings_ = c_.chance(4);
    counts_ = c_.chance(3);
    per_role_ = c_.chance(2);
    letters_ = c_.chance(3);
    for (const std::string& role : roles_) fact("role " + role);
    if (dice_) fact("role random");
  }

  std::string column(int x) const {
    return letters_ ? std::string(1, static_cast<char>('a' + x - 1)) : std::to_string(x);
  }

  void describe_board() {
    for (int x = 1; x <= width_; ++x) fact("column " + column(x));
    for (int y = 1; y <= height_; ++y) fact("row " + std::to_string(y));
    for (int x = 1; x < width_; ++x) fact("beside " + column(x) + " " + column(x + 1));
    most_ = c_.pick(4, 9);
    for (int n = 0; n < 12; ++n) fact(fmt::format("succ {} {}", n, n + 1));
    rule("(above ?a ?b)", "(succ ?a ?b) (row ?a) (row ?b)");
    rule("(way n ?x ?a ?x ?b)", "(column ?x) (above ?a ?b)");
    rule("(way s ?x ?a ?x ?b)", "(column ?x) (above ?b ?a)");
    rule("(way e ?a ?y ?b ?y)", "(row ?y) (beside ?a ?b)");
    rule("(way w ?a ?y ?b ?y)", "(row ?y) (beside ?b ?a)");
    if (c_.chance(2)) {
      rule("(way ne ?a ?c ?b ?d)", "(beside ?a ?b) (above ?c ?d)");
      rule("(way sw ?a ?c ?b ?d)", "(beside ?b ?a) (above ?d ?c)");
    }
    const bool or_form = c_.chance(2);
    if (or_form) {
      rule("(differ ?a ?b ?c ?d)", "(column ?a) (row ?b) (column ?c) (row ?d) (or (distinct ?a ?c) (distinct ?b ?d))");
    } else {
      rule("(differ ?a ?b ?c ?d)", "(column ?a) (row ?b) (column ?c) (row ?d) (distinct ?a ?c)");
      rule("(differ ?a ?b ?c ?d)", "(column ?a) (row ?b) (column ?c) (row ?d) (distinct ?b ?d)");
    }
  }

  std::string cell(const std::string& at, const std::string& what) const {
    return nested_ ? "(cell (at " + at + ") " + what + ")" : "(cell " + at + " " + what + ")";
  }
  std::string holds(const std::string& at, const std::string& what) const { return "(true " + cell(at, what) + ")"; }
  std::string empty(const std::string& at) const { return blanks_ ? holds(at, "blank") : "(empty " + at + ")"; }
  std::string piece(std::size_t role, bool king = false) const {
    return (king ? "king" : "man") + std::to_string(role + 1);
  }
  // Any piece of the role with this name. If the name is a variable, the piece determines it.
  std::string owned(const std::string& at, const std::string& role, const std::string& name = "?p") const {
    return holds(at, name) + " (owns " + role + " " + name + ")";
  }

  void describe_contents() {
    for (std::size_t r = 0; r < roles_.size(); ++r) {
      fact("owns " + roles_[r] + " " + piece(r));
      if (kings_) fact("owns " + roles_[r] + " " + piece(r, true));
    }
    for (int x = 1; x <= width_; ++x) {
      for (int y = 1; y <= height_; ++y) {
        std::string what = "blank";
        if (c_.coin(45)) what = piece(y == 1 ? 0 : y == height_ ? roles_.size() - 1 : c_.below(roles_.size()));
        if (what != "blank" || blanks_) fact("init " + cell(column(x) + " " + std::to_string(y), what));
      }
    }
    if (!together_) fact("init (control " + roles_[0] + ")");
    fact("init (step 0)");
    if (counts_) {
      for (const std::string& role : roles_) fact("init (taken " + role + " 0)");
    }
    if (dice_) fact("init (die 1)");
    if (!blanks_) {
      if (c_.chance(2)) {
        rule("(full ?x ?y)", holds("?x ?y", "?p") + "");
        rule("(empty ?x ?y)", "(column ?x) (row ?y) (not (full ?x ?y))");
      } else {
        std::string body = "(column ?x) (row ?y)";
        for (std::size_t r = 0; r < roles_.size(); ++r) {
          body += " (not " + holds("?x ?y", piece(r)) + ")";
          if (kings_) body += " (not " + holds("?x ?y", piece(r, true)) + ")";
        }
        rule("(empty ?x ?y)", body);
      }
    }
  }

  [[nodiscard]] std::string control(const std::string& role) const {
    return together_ ? "(role " + role + ")" : "(true (control " + role + "))";
  }

  void legal(const std::string& move, const std::string& body) {
    const std::string who = dice_ ? "(distinct ?r random) " : "";
    if (!per_role_) {
      rule("(legal ?r " + move + ")", control("?r") + " " + who + body);
    } else {
      for (const std::string& role : roles_) {
        std::string text = body;
        for (std::size_t at = text.find("?r"); at != std::string::npos; at = text.find("?r", at)) {
          if (text.compare(at, 3, "?r ") == 0 || text.compare(at, 3, "?r)") == 0)
            text.replace(at, 2, role);
          else
            ++at;
        }
        rule("(legal " + role + " " + move + ")", control(role) + " " + text);
      }
    }
  }

  std::string direction() { return c_.chance(3) ? c_.one_of({"n", "s", "e", "w"}) : "?d"; }

  void describe_moves() {
    const std::string from = "?x1 ?y1", to = "?x2 ?y2", over = "?x3 ?y3";
    marks_ = c_.chance(3);
    if (marks_) legal("(mark ?x1 ?y1)", empty(from));
    moves_ = !marks_ || c_.chance(3);
    if (moves_) {
      const std::string own = owned(from, "?r");
      const std::string target = c_.chance(2) ? " " + empty(to) : " (not (friend ?r ?x2 ?y2))";
      if (target.find("friend") != std::string::npos) rule("(friend ?r ?x ?y)", owned("?x ?y", "?r"));
      switch (c_.below(3)) {
        case 0: {
          const std::string d = direction();
          legal("(move ?x1 ?y1 ?x2 ?y2)", own + " (way " + d + " ?x1 ?y1 ?x2 ?y2)" + target);
          break;
        }
        case 1: {
          describe_slides();
          legal("(move ?x1 ?y1 ?x2 ?y2)", own + " (slide ?d ?x1 ?y1 ?x2 ?y2)");
          break;
        }
        default:
          for (std::size_t r = 0; r < roles_.size(); ++r) {
            rule("(legal " + roles_[r] + " (move ?x1 ?y1 ?x2 ?y2))", control(roles_[r]) + " " + holds(from, piece(r)) +
                                                                         " (way " + (r % 2 == 0 ? "n" : "s") +
                                                                         " ?x1 ?y1 ?x2 ?y2) " + empty(to));
            if (kings_)
              rule("(legal " + roles_[r] + " (move ?x1 ?y1 ?x2 ?y2))",
                   control(roles_[r]) + " " + holds(from, piece(r, true)) + " (way ?d ?x1 ?y1 ?x2 ?y2) " + empty(to));
          }
      }
      jumps_ = c_.chance(2);
      if (jumps_) {
        rule("(over ?x1 ?y1 ?x3 ?y3 ?x2 ?y2)", "(way ?d ?x1 ?y1 ?x3 ?y3) (way ?d ?x3 ?y3 ?x2 ?y2)");
        legal("(jump ?x1 ?y1 ?x2 ?y2)",
              own + " (over ?x1 ?y1 ?x3 ?y3 ?x2 ?y2) " + owned(over, "?o", "?q") + " (distinct ?o ?r) " + empty(to));
      }
    }
    passes_ = c_.coin(80);
    describe_rest(from);
  }

  // Rules for roles that are not in control or cannot move.
  void describe_rest(const std::string& from) {
    if (!together_ && (roles_.size() > 1 || dice_)) {
      if (c_.chance(2) || roles_.size() != 2 || dice_) {
        rule("(legal ?r noop)",
             "(role ?r) (not (true (control ?r)))" + std::string(dice_ ? " (distinct ?r random)" : ""));
      } else {
        rule("(legal " + roles_[0] + " noop)", "(true (control " + roles_[1] + "))");
        rule("(legal " + roles_[1] + " noop)", "(true (control " + roles_[0] + "))");
      }
    }
    if (passes_) {
      if (c_.chance(3)) {
        legal("pass", "(role ?r)");
      } else {
        if (marks_) rule("(can ?r)", "(role ?r) " + empty(from));
        if (moves_) {
          rule("(can ?r)", "(role ?r) (legal ?r (move ?x1 ?y1 ?x2 ?y2))");
          if (jumps_) rule("(can ?r)", "(legal ?r (jump ?x1 ?y1 ?x2 ?y2))");
        }
        legal("pass", "(role ?r) (not (can ?r))");
      }
    }
    if (dice_) rule("(legal random (roll ?n))", c_.chance(2) ? "(succ ?n ?m) (succ ?m 4)" : "(row ?n)");
  }

  void describe_slides() {
    rule("(slide ?d ?x1 ?y1 ?x2 ?y2)", "(way ?d ?x1 ?y1 ?x2 ?y2) " + empty("?x2 ?y2"));
    if (c_.chance(2)) {
      rule("(slide ?d ?x1 ?y1 ?x2 ?y2)", "(slide ?d ?x1 ?y1 ?x3 ?y3) (way ?d ?x3 ?y3 ?x2 ?y2) " + empty("?x2 ?y2"));
    } else {
      rule("(slide ?d ?x1 ?y1 ?x2 ?y2)",
           "(way ?d ?x1 ?y1 ?x3 ?y3) " + empty("?x3 ?y3") + " (slide ?d ?x3 ?y3 ?x2 ?y2)");
    }
  }

  void describe_steps() {
    const bool flips = marks_ && roles_.size() > 1 && c_.chance(3);
    Words changed;
    const auto becomes = [&](const std::string& at, const std::string& what, const std::string& body,
                             bool listed = true) {
      if (what != "blank" || blanks_) rule("(next " + cell(at, what) + ")", body);
      if (listed) rule("(changed " + at + ")", body);
    };
    if (marks_) becomes("?x ?y", "?p", "(does ?r (mark ?x ?y)) (lays ?r ?p)");
    if (marks_) {
      for (std::size_t r = 0; r < roles_.size(); ++r) fact("lays " + roles_[r] + " " + piece(r));
    }
    if (moves_) {
      moved("move", becomes);
      if (jumps_) {
        moved("jump", becomes);
        becomes("?x ?y", "blank", "(does ?r (jump ?x1 ?y1 ?x2 ?y2)) (over ?x1 ?y1 ?x ?y ?x2 ?y2)");
      }
    }
    if (flips) {
      rule("(flipped ?x ?y)", "(does ?r (mark ?x1 ?y1)) (way ?d ?x1 ?y1 ?x ?y) " + owned("?x ?y", "?o", "?q") +
                                  " (distinct ?o ?r) (way ?d ?x ?y ?x2 ?y2) " + owned("?x2 ?y2", "?r"));
      becomes("?x ?y", c_.chance(2) ? "?p" : "blank", "(flipped ?x ?y) (does ?r (mark ?x1 ?y1)) (lays ?r ?p)");
    }
    describe_frames(flips || jumps_ || together_);
    describe_turns();
  }

  template <class Becomes>
  void moved(const std::string& move, Becomes&& becomes) {
    const std::string does = "(does ?r (" + move + " ?x1 ?y1 ?x2 ?y2))";
    becomes("?x1 ?y1", "blank", does);
    if (!kings_) {
      becomes("?x2 ?y2", "?p",
              does + " " + holds("?x1 ?y1", "?p") + (blanks_ && c_.chance(2) ? " (distinct ?p blank)" : ""));
      return;
    }
    for (std::size_t r = 0; r < roles_.size(); ++r) {
      const std::string last = std::to_string(r % 2 == 0 ? height_ : 1);
      const std::string of_role = "(does " + roles_[r] + " (" + move + " ?x1 ?y1 ?x2 ?y2)) ";
      becomes("?x2 ?y2", piece(r), of_role + holds("?x1 ?y1", piece(r)) + " (distinct ?y2 " + last + ")");
      becomes("?x2 " + last, piece(r, true),
              "(does " + roles_[r] + " (" + move + " ?x1 ?y1 ?x2 " + last + ")) " + holds("?x1 ?y1", piece(r)));
      becomes("?x2 ?y2", piece(r, true), of_role + holds("?x1 ?y1", piece(r, true)));
    }
  }

  void describe_frames(bool several) {
    const std::string next = "(next " + cell("?x ?y", "?p") + ")", now = holds("?x ?y", "?p");
    if (several || c_.chance(2)) {
      rule(next, now + " (not (changed ?x ?y))");
      return;
    }
    if (marks_) rule(next, "(does ?r (mark ?x1 ?y1)) " + now + " (differ ?x ?y ?x1 ?y1)");
    if (moves_ && c_.chance(2)) {
      rule(next, "(does ?r (move ?x1 ?y1 ?x2 ?y2)) " + now + " (differ ?x ?y ?x1 ?y1) (differ ?x ?y ?x2 ?y2)");
    } else if (moves_) {
      rule(next, now +
                     " (does ?r (move ?x1 ?y1 ?x2 ?y2)) (or (distinct ?x ?x1) (distinct ?y ?y1)) (or (distinct ?x ?x2) "
                     "(distinct ?y ?y2))");
    }
    if (passes_) rule(next, "(does ?r pass) " + now);
  }

  void describe_turns() {
    rule("(next (step ?n))", "(true (step ?m)) (succ ?m ?n)");
    if (!together_) describe_control();
    if (counts_) {
      const std::string event =
          marks_   ? "(does ?r (mark ?x ?y))"
          : jumps_ ? "(does ?r (jump ?x1 ?y1 ?x2 ?y2))"
                   : "(does ?r (move ?x1 ?y1 ?x2 ?y2)) " + owned("?x2 ?y2", "?o", "?q") + " (distinct ?o ?r)";
      rule("(scores ?r)", event);
      rule("(next (taken ?r ?n))", "(true (taken ?r ?m)) (scores ?r) (succ ?m ?n)");
      rule("(next (taken ?r ?n))", "(true (taken ?r ?n)) (not (scores ?r))");
    }
    if (dice_) rule("(next (die ?n))", "(does random (roll ?n))");
  }

  void describe_control() {
    const bool again = jumps_ && c_.chance(3);
    const std::string unless = again ? " (not (again ?a))" : "";
    if (again) {
      rule("(again ?r)", "(does ?r (jump ?x1 ?y1 ?x2 ?y2))");
      rule("(next (control ?r))", "(true (control ?r)) (again ?r)");
    }
    if (c_.chance(2)) {
      for (std::size_t r = 0; r < roles_.size(); ++r)
        fact("after " + roles_[r] + " " + roles_[(r + 1) % roles_.size()]);
      rule("(next (control ?b))", "(true (control ?a)) (after ?a ?b)" + unless);
      return;
    }
    for (std::size_t r = 0; r < roles_.size(); ++r) {
      rule("(next (control " + roles_[(r + 1) % roles_.size()] + "))",
           "(true (control " + roles_[r] + "))" + (again ? " (not (again " + roles_[r] + "))" : ""));
    }
  }

  void describe_line() {
    const std::string a = owned("?x1 ?y1", "?r"), b = owned("?x2 ?y2", "?r", "?q");
    switch (c_.below(4)) {
      case 0:  // two or three in a row
        rule("(line ?r)", a + " (way ?d ?x1 ?y1 ?x2 ?y2) " + b +
                              (c_.chance(2) ? " (way ?d ?x2 ?y2 ?x3 ?y3) " + owned("?x3 ?y3", "?r", "?o") : ""));
        break;
      case 1:  // a whole row
        for (std::size_t r = 0; r < roles_.size(); ++r) {
          std::string body;
          for (int x = 1; x <= width_; ++x) body += holds(column(x) + " ?y", piece(r)) + " ";
          rule("(line " + roles_[r] + ")", body);
        }
        break;
      case 2:  // a chain from one side to the other
        rule("(reached ?r ?x 1)", owned("?x 1", "?r"));
        rule("(reached ?r ?x2 ?y2)", "(reached ?r ?x1 ?y1) (way ?d ?x1 ?y1 ?x2 ?y2) " + owned("?x2 ?y2", "?r"));
        rule("(line ?r)", fmt::format("(reached ?r ?x {})", height_));
        break;
      default:  // some piece reached the last row
        for (std::size_t r = 0; r < roles_.size(); ++r)
          rule("(line " + roles_[r] + ")", holds(fmt::format("?x {}", r % 2 == 0 ? height_ : 1), piece(r, kings_)));
    }
  }

  void describe_end() {
    describe_line();
    rule("terminal", fmt::format("(true (step {}))", most_));
    if (c_.coin(70)) rule("terminal", "(line ?r)");
    rule("(alive ?r)", owned("?x ?y", "?r"));
    if (c_.chance(2))
      rule("terminal", "(role ?r) " + std::string(dice_ ? "(distinct ?r random) " : "") + "(not (alive ?r))");
    if (counts_ && c_.chance(2)) rule("terminal", "(true (taken ?r 2))");
    if (blanks_ && c_.chance(2)) {
      rule("open", holds("?x ?y", "blank"));
      rule("terminal", "(not open)");
    }
    describe_goals();
  }

  void describe_goals() {
    rule("(won ?r)", "(line ?r)" + std::string(c_.chance(2) ? " (alive ?r)" : ""));
    if (counts_ && c_.chance(2)) rule("(won ?r)", "(true (taken ?r 3))");
    switch (c_.below(3)) {
      case 0:
        rule("(goal ?r 100)", "(role ?r) (won ?r)");
        rule("(goal ?r 0)", "(role ?r) (not (won ?r))");
        break;
      case 1:
        rule("somebody", "(won ?r)");
        rule("(goal ?r 100)", "(won ?r)");
        rule("(goal ?r 50)", "(role ?r) (not somebody)");
        rule("(goal ?r 0)", "(role ?r) (not (won ?r)) somebody");
        break;
      default:
        rule("(goal ?r 100)", "(role ?r) (won ?r) (not (other ?r))");
        rule("(other ?r)", "(role ?r) (won ?o) (distinct ?o ?r)");
        rule("(goal ?r 70)", "(won ?r) (other ?r)");
        rule("(goal ?r 30)", "(role ?r) (not (won ?r)) (not (other ?r))");
        rule("(goal ?r 10)", "(role ?r) (not (won ?r)) (other ?r)");
    }
  }

  void describe_percepts() {
    if (dice_) rule("(sees ?r (die ?n))", "(role ?r) (does random (roll ?n))");
    switch (c_.below(3)) {
      case 0:
        rule("(sees ?r ?m)", "(role ?r) (does ?r ?m)");
        break;
      case 1:
        rule("(sees ?r ?m)", "(role ?r) (role ?o) (does ?o ?m)");
        break;
      default:
        rule("(sees ?r (yours ?x ?y))", "(role ?r) " + owned("?x ?y", "?r"));
        rule("(sees ?r stopped)", "(role ?r) (does ?r pass)");
    }
  }

  Choices& c_;
  std::string out_;
  Words roles_;
  int width_ = 3, height_ = 3, most_ = 5;
  bool dice_ = false, together_ = false, nested_ = false, blanks_ = false, kings_ = false, counts_ = false;
  bool per_role_ = false, letters_ = false, marks_ = false, moves_ = false, jumps_ = false, passes_ = false;
};

}  // namespace

std::string random_board_gdl(Choices& choices) { return GdlBoard(choices).game(); }

}  // namespace rgtrans::test
