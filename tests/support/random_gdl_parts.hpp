// Typical parts of GDL descriptions. Each adds rules, and its relations extend the vocabulary of other rules.
#pragma once

#include <string>
#include <vector>

#include "tests/support/random_gdl_rules.hpp"

namespace rgtrans::test {

// The first three sorts of a vocabulary.
inline constexpr std::size_t kGdlRoles = 0, kGdlThings = 1, kGdlNumbers = 2;

class GdlParts {
 public:
  // `alternate`: `(control ?r)` holds for the role whose turn it is. Appends statements to `out`.
  GdlParts(Choices& choices, GdlVocabulary& vocabulary, bool alternate, std::vector<std::string>& out)
      : c_(choices), v_(vocabulary), alternate_(alternate), out_(out) {}

  // Adds a random part, unless it exists already.
  void add();

 private:
  // A position of one or two coordinates that moves change step by step, with marks on visited places.
  void walker();
  // Cells that moves fill, with lines, neighbours and captured pieces.
  void board();
  // A number that increases and decreases.
  void counter();
  // A fact per role that moves of any role change.
  void shared();
  // A relation over the successor chain with left, right, double or mutual recursion.
  void recursion();
  // random_gdl_rare.cpp
  void owners();
  void sliders();
  void quadrants();
  void groups();

  // The literal of a rule for the role whose turn it is.
  [[nodiscard]] std::string turn() const;
  void say(const std::string& statement) { out_.push_back(statement + (statement.ends_with('\n') ? "" : "\n")); }
  [[nodiscard]] int highest() const { return static_cast<int>(v_.sorts[kGdlNumbers].values.size()); }
  std::string number() { return std::to_string(c_.pick(1, highest())); }
  GdlRule rule(GdlKind kind, std::size_t rank = 1000) { return GdlRule(c_, v_, {kind, rank}); }

  Choices& c_;
  GdlVocabulary& v_;
  bool alternate_;
  std::vector<std::string>& out_;
  bool walks_ = false, board_ = false, counts_ = false, shares_ = false, recurs_ = false, owns_ = false,
       slides_ = false, fills_ = false, groups_ = false;  // parts that are there
};

}  // namespace rgtrans::test
