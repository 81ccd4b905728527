// The rules played as they stand: in each state, all that follows from it is derived anew, bottom-up. Nothing is
// prepared beyond reading the rules, so the first legal moves are known at once; a state costs much more than on the
// network.
#pragma once

#include <string>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class Direct {
 public:
  using State = std::vector<TermId>;  // the facts that hold

  // Throws Error with what is wrong with the description.
  explicit Direct(const std::string& text);

  [[nodiscard]] const std::vector<TermId>& roles() const { return program_.roles; }
  [[nodiscard]] std::string text(TermId term) const;

  State initial();
  struct Moves {
    bool terminal = false;
    std::vector<std::vector<TermId>> legal;  // by role, sorted by their texts
  };
  Moves moves(const State& state);
  State successor(const State& state, const std::vector<TermId>& joint);

 private:
  // The rules that one question needs, and the predicates asked for.
  struct Question {
    std::vector<Rule> rules;
    std::vector<PredId> asked;
  };
  Question question(std::vector<PredId> asked) const;
  // The tuples of the predicates asked for, when these facts are added.
  std::vector<std::vector<std::vector<TermId>>> answer(Question& question, const State& state,
                                                       const std::vector<TermId>& joint);

  Program program_;  // without rules; what depends on the state is ordinary
  std::vector<Rule> rules_;
  PredId fact_, does_;
  Question first_, moves_, next_;
};

}  // namespace rgtrans::gdl
