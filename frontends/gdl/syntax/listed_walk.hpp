// A walk relation that keeps a list of visited places, and the removal of its list column. trails.cpp has the proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontends/gdl/syntax/columns.hpp"
#include "frontends/gdl/syntax/list_relations.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// Analyses one relation and one list column. It changes the program on the way; the caller keeps the program only after
// success.
class ListedWalk {
 public:
  ListedWalk(Program& program, PredId walk, std::uint32_t column) : p_(program), walk_(walk), column_(column) {}

  // Removes the lists. False if the proof fails, and the program must not be used then.
  bool drop();

 private:
  struct Question {
    Literal literal;
    bool negated = false;
    std::optional<ListRelations::Holds> holds;  // unless the literal is negated and no list starts outside
    Element compared;                           // the compared element; empty if the answer depends on none
    bool exact = false;                         // the conditions are those under which elements are recognised
  };
  struct Step {
    std::size_t rule;
    std::optional<std::size_t> own;  // the recursive literal; none in a rule that starts a walk
    std::optional<std::uint32_t> list;
    std::vector<Element> added;
    std::vector<std::size_t> asking;  // literals that are removed
    std::vector<Question> questions;
  };
  enum class Handed : std::uint8_t { open, to_heads, to_bodies };
  enum class Place : std::uint8_t { before, behind, other };

  [[nodiscard]] const Rule& rule(const Step& step) const { return p_.rules[step.rule]; }
  // The two nodes of a step in chain order. If lists are passed to bodies, the chain begins with the head.
  [[nodiscard]] const Literal& before(const Step& step) const {
    return step.own && handed_ == Handed::to_heads ? rule(step).body[*step.own] : rule(step).head;
  }
  [[nodiscard]] const Literal& behind(const Step& step) const {
    return step.own && handed_ == Handed::to_bodies ? rule(step).body[*step.own] : rule(step).head;
  }

  bool find_steps();
  bool take_list(Step& step);
  bool set_form(Pattern list, std::uint32_t variable);
  [[nodiscard]] ListParts parts(Pattern pattern) const { return gdl::parts(p_.patterns, lists_.form, pattern); }
  bool find_places();
  std::optional<Element> place(const Element& element, const Literal& node);
  std::optional<Pattern> place(Pattern pattern, const Literal& node);
  Place place_of(const Element& element, const Step& step);
  bool find_starts();
  bool starts_with(const ListParts& list, const Literal& node);
  std::optional<Element> kept_place(const Element& element, const Literal& node);
  bool recognises_elements(Question& question, std::uint32_t at, const ListRelations::Compared& compared,
                           ListRelations& relations);
  void keep_apart(const Step& step, Rule& rule);
  bool find_questions(Step& step);
  bool find_question(Step& step, std::size_t literal, std::uint32_t list);
  [[nodiscard]] WalkLists lists_of_walk() const;
  [[nodiscard]] bool not_visited(const Step& step, const Element& compared, const ListParts& asked);

  [[nodiscard]] bool depends_on_failure() const;

  void rewrite();
  void renumber(Rule& rule);
  [[nodiscard]] bool reads_list(const Rule& rule, const Literal& literal);
  bool settle(const Step& step);
  [[nodiscard]] bool has_shape(const Element& shape) const;
  bool settle_needed(const Step& step, const Question& question, const Literal& needed);
  bool settle_elements(const Question& question);
  bool holds_of_element(const Question& question, const Literal& literal, const Element& element, std::size_t rule);
  bool bind(const Step& step);
  [[nodiscard]] bool stated(std::size_t rule, const Literal& literal) const;
  bool always(const Rule& rule, const Literal& literal);
  Literal instance(const Literal& condition, const Literal& asked, const std::vector<Pattern>& leaves);
  std::optional<std::vector<Pattern>> leaves_of(const Element& shape, const Element& element) const;
  bool match(Pattern shape, Pattern pattern, std::vector<Pattern>& leaves) const;
  bool settle_both(const Step& step, const Question& question, const Literal& condition);
  [[nodiscard]] std::vector<bool> needed() const;
  bool drop_unneeded();

  Program& p_;
  PredId walk_, made_;
  std::uint32_t column_;
  WalkLists lists_;
  Handed handed_ = Handed::open;
  std::vector<Step> steps_;
  std::vector<bool> kept_;  // columns that no step changes
  bool adds_before_ = false, adds_behind_ = false, starts_with_own_ = false, newest_ = false;
  bool single_ = true;                           // elements are added one at a time
  std::optional<std::vector<Element>> outside_;  // elements of kept columns with which all lists start
  struct Added {                                 // an element that some rule adds to a list
    std::size_t rule;
    Element element;
  };
  std::vector<Added> added_;
  std::vector<std::size_t> others_;                    // rules of other relations that query the walk
  std::vector<std::pair<std::size_t, Literal>> more_;  // literals to add to rules after the proof
  ColumnContents* columns_ = nullptr;
};

}  // namespace rgtrans::gdl
