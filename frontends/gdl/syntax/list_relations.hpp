// Lists as GDL authors write them, `(cons ?c ?rest)`, and relations that test membership, `(member ?c ?list)`, or its
// negation, `(absent ?c ?list)`. An induction over the list proves the meaning of such a relation from its rules.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// The functor of a list and the index of its tail argument; the other arguments form the element.
struct ListForm {
  SymbolId functor;
  std::uint32_t arity = 0, tail = 0;
};

using Element = std::vector<Pattern>;

// The leading elements, the one added last first, and the tail.
struct ListParts {
  std::vector<Element> elements;
  Pattern rest;
};

ListParts parts(const Patterns& patterns, const ListForm& form, Pattern pattern);

// Structural equality; compound patterns are not interned.
bool same(const Patterns& patterns, Pattern a, Pattern b);
bool same(const Patterns& patterns, const Element& a, const Element& b);
// Appends the variables in order, with repetitions.
void variables_of(const Patterns& patterns, const Element& element, std::vector<std::uint32_t>& out);
bool mentions(const Patterns& patterns, const Literal& literal, std::uint32_t variable);

// The lists of a walk: each begins as one of `starts` and grows by one element at a time.
struct WalkLists {
  ListForm form;
  std::vector<std::pair<std::size_t, Pattern>> starts;  // number of elements, and the tail
  // The relation whose tuples hold these lists, the column of the list, and the element of a tuple; variables of the
  // element are column numbers.
  PredId walk;
  std::uint32_t column = 0;
  Element element;
  bool newest = false;     // the list of a tuple begins with its own element
  bool each = false;       // every list and every non-empty tail belongs to a tuple
  bool different = false;  // no list contains an element twice
};

class ListRelations {
 public:
  // Variable numbers in the returned literals: below kLeaf, a column of the relation.
  static constexpr std::uint32_t kLeaf = 500;    // from here: parts of an element of the list
  static constexpr std::size_t kMaxLeaves = 6;   // of an element
  static constexpr std::uint32_t kOther = 1000;  // from here: any value

  ListRelations(Program& program, WalkLists lists);

  // The columns that the relation compares with elements.
  struct Compared {
    Element shape;                       // of an element; its variables are numbered from 0
    std::vector<std::uint32_t> columns;  // by these variables
  };
  // Set if the relation holds for elements of the list in this column only.
  std::optional<Compared> only_elements(PredId relation, std::uint32_t column);

  // Conditions under which the relation holds for every list of a walk and everything that is not an element of it.
  struct Holds {
    Element shape;                     // of elements, if conditions mention them; variables from 0
    std::optional<Compared> compared;  // none: holds whatever the elements are
    std::vector<Literal> needed;       // must hold of the other columns
    std::vector<Literal> of_elements;  // must hold of each element of the list
    std::vector<Literal> of_both;      // must hold of columns and elements together
    std::vector<Literal> implied;      // entailed by the relation
  };
  std::optional<Holds> holds_outside(PredId relation, std::uint32_t column);
  // Conditions under which the relation holds for all elements of every list of a walk.
  std::optional<Holds> holds_for_elements(PredId relation, std::uint32_t column);
  // The relation holds for no element of this shape in any list.
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
  std::set<Asked> open_;     // queries under evaluation, against endless recursion
};

}  // namespace rgtrans::gdl
