// A relation that keeps lists of visited places, and the removal of these lists. The head of trails.cpp has the proof.
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

// One relation and its column of lists, in a program that is changed on the way and kept if all is shown.
class ListedWalk {
 public:
  ListedWalk(Program& program, PredId walk, std::uint32_t column) : p_(program), walk_(walk), column_(column) {}

  // Leaves out the lists; false where that is not shown to change nothing, and the program is of no use then.
  bool drop();

 private:
  struct Question {
    Literal literal;
    bool negated = false;
    std::optional<ListRelations::Holds> holds;  // where it is not
    Element compared;                           // what is asked for; none where that makes no difference
    bool exact = false;                         // the conditions are those under which elements are told
  };
  struct Step {
    std::size_t rule;
    std::optional<std::size_t> own;  // the literal that asks the relation itself; else the rule begins
    std::optional<std::uint32_t> list;
    std::vector<Element> added;
    std::vector<std::size_t> asking;  // literals that go
    std::vector<Question> questions;
  };
  enum class Handed : std::uint8_t { open, to_heads, to_bodies };
  enum class Place : std::uint8_t { before, behind, other };

  [[nodiscard]] const Rule& rule(const Step& step) const { return p_.rules[step.rule]; }
  // The nodes of a step in the order of the chain. Where lists go to bodies the chain begins with the head.
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
  bool tells_elements(Question& question, std::uint32_t at, const ListRelations::Compared& compared,
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
  std::vector<bool> kept_;  // columns that all steps hand on
  bool adds_before_ = false, adds_behind_ = false, starts_with_own_ = false, newest_ = false;
  bool single_ = true;                           // elements come one at a time
  std::optional<std::vector<Element>> outside_;  // with which lists begin besides, of columns that are kept
  struct Added {                                 // a place comes into a list
    std::size_t rule;
    Element element;
  };
  std::vector<Added> added_;
  std::vector<std::size_t> others_;                    // rules that ask for the walk
  std::vector<std::pair<std::size_t, Literal>> more_;  // literals for rules, when all is shown
  ColumnContents* columns_ = nullptr;
};

}  // namespace rgtrans::gdl
