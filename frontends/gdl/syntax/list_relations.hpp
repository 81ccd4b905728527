// Lists as people write them in GDL, `(cons ?c ?rest)`, and relations that ask whether something is an element of one:
// `(member ?c ?list)`, or the other way round `(absent ?c ?list)`. What such a relation means is shown on its rules, by
// induction over the list.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// The functor of a list, and which argument is the shorter list; the others are the element.
struct ListForm {
  SymbolId functor;
  std::uint32_t arity = 0, tail = 0;
};

using Element = std::vector<Pattern>;

// The elements in front, the last one added first, and what is behind them.
struct ListParts {
  std::vector<Element> elements;
  Pattern rest;
};

ListParts parts(const Patterns& patterns, const ListForm& form, Pattern pattern);

// Equal terms; compound patterns have no numbers of their own.
bool same(const Patterns& patterns, Pattern a, Pattern b);
bool same(const Patterns& patterns, const Element& a, const Element& b);
// Adds the variables, in order and as often as they occur.
void variables_of(const Patterns& patterns, const Element& element, std::vector<std::uint32_t>& out);
bool mentions(const Patterns& patterns, const Literal& literal, std::uint32_t variable);

// Some lists are those of a walk: they begin as one of `starts`, and grow by one element at a time.
struct WalkLists {
  ListForm form;
  std::vector<std::pair<std::size_t, Pattern>> starts;  // number of elements, and what is behind them
  // The relation whose tuples have these lists, the column of the list, and the element that a tuple stands for, whose
  // variables are numbers of columns.
  PredId walk;
  std::uint32_t column = 0;
  Element element;
  bool newest = false;     // the list of a tuple begins with its element
  bool each = false;       // all lists are of tuples, and what is behind an element, too, unless it has none
  bool different = false;  // no list has an element twice
};

class ListRelations {
 public:
  // Variables of literals that are handed out.
  static constexpr std::uint32_t kLeaf = 500;    // and more: parts of an element of the list
  static constexpr std::size_t kMaxLeaves = 6;   // of an element
  static constexpr std::uint32_t kOther = 1000;  // and more: anything; below are the columns of the relation

  ListRelations(Program& program, WalkLists lists);

  // Which columns together are compared with the elements.
  struct Compared {
    Element shape;                       // of an element; its variables are numbered from 0
    std::vector<std::uint32_t> columns;  // by these variables
  };
  // The relation holds for elements of the list in the column only. None where that is not shown.
  std::optional<Compared> only_elements(PredId relation, std::uint32_t column);

  // The relation holds for every list of a walk, and everything that is no element of it,
  struct Holds {
    Element shape;                     // of elements, where there are conditions of them; variables from 0
    std::optional<Compared> compared;  // (none: whatever the elements are)
    std::vector<Literal> needed;       // if these hold of its other columns,
    std::vector<Literal> of_elements;  // these of each element of the list,
    std::vector<Literal> of_both;      // and these of both.
    std::vector<Literal> implied;      // Where it holds, these do.
  };
  std::optional<Holds> holds_beside(PredId relation, std::uint32_t column);
  // The other way round: the relation holds for all elements of every list of a walk if the conditions hold.
  std::optional<Holds> holds_for_elements(PredId relation, std::uint32_t column);
  // And it holds for no element of a list, whatever that is of, that has the form.
  bool never_for_elements(PredId relation, std::uint32_t column, const Compared& compared);

 private:
  using Asked = std::pair<PredId, std::uint32_t>;
  struct Case;

  [[nodiscard]] ListParts parts(Pattern pattern) const { return gdl::parts(p_.patterns, lists_.form, pattern); }
  [[nodiscard]] std::vector<const Rule*> rules_of(PredId relation) const;
  [[nodiscard]] std::optional<std::uint32_t> list_column(const Literal& literal, Pattern rest) const;
  [[nodiscard]] bool ends_like(const ListParts& whole, const ListParts& end) const;
  bool unite(std::optional<Compared>& known, const Compared& more) const;
  std::optional<Compared> compared_in(const Literal& head, std::uint32_t column, const Element& element);
  std::optional<Compared> through(const Rule& rule, std::uint32_t column, const Literal& literal,
                                  const ListParts& list);
  [[nodiscard]] bool is_of_walk(const Rule& rule, const Literal& literal, const Element& element);
  std::optional<Case> case_of(const Rule& rule, std::uint32_t column);
  bool take(Case& made, const Rule& rule, std::uint32_t column, const Literal& literal);
  bool take_difference(Case& made, const Literal& literal);
  bool take_list(Case& made, const Rule& rule, std::uint32_t column, const Literal& literal, std::uint32_t at);
  void take_condition(Case& made, const Literal& literal);
  bool take_conditions(Case& made, const Literal& literal, const Holds& inner);
  bool take_compared(Case& made, const Rule& rule, std::uint32_t column, const Element& other, bool shorter);
  void compare_by_relation(Case& made) const;
  [[nodiscard]] bool parts_are_free(const Case& made) const;
  Literal renamed(const Case& made, const Literal& literal);
  [[nodiscard]] std::vector<Literal> implied_by(PredId relation, std::uint32_t column);
  [[nodiscard]] bool contains(const std::vector<Literal>& literals, const Literal& literal) const;
  void add(std::vector<Literal>& to, const std::vector<Literal>& more) const;
  bool collect(const std::vector<Case>& used, Holds& result) const;
  bool cover(const std::vector<const Case*>& cases, std::vector<Case>& used) const;

  Program& p_;
  WalkLists lists_;
  std::vector<Rule> facts_;  // of relations on lists, as rules
  std::set<Asked> open_;     // what is being shown
};

}  // namespace rgtrans::gdl
