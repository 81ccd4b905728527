// The author's form of facts, moves and values, which flattening, classes and cells have changed: `(move 1_2 2_3)` is
// `(move 1 2 2 3)`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frontends/gdl/lifted/cells.hpp"
#include "frontends/gdl/lifted/classes.hpp"
#include "frontends/gdl/lifted/flatten.hpp"

namespace rgtrans::gdl::lifted {

class AuthorTerms {
 public:
  using Texts = std::vector<std::string>;
  // The arguments must outlive this object.
  AuthorTerms(const Program& program, const Unground& unground, const Parted& parted, const Cells& cells,
              const Forms& forms)
      : program_(program), u_(unground), parted_(parted), cells_(cells), forms_(forms) {}

  // The number of the author's columns that a column represents: the coordinates, for a cell.
  [[nodiscard]] std::size_t width(RelId relation, std::uint32_t column) const;
  // The value of a column, which may be a cell.
  [[nodiscard]] Texts value(TermId term) const;
  // The fact or move, without the role of a move.
  [[nodiscard]] std::string term(RelId relation, const std::vector<Texts>& columns) const;
  // The author's functor has further facts: of another class, or with terms of another form.
  [[nodiscard]] bool partial(RelId relation) const;
  // The move for a term of the rewritten rules; the term itself if it is the author's.
  [[nodiscard]] std::string move(const std::string& term) const;

 private:
  const Program& program_;
  const Unground& u_;
  const Parted& parted_;
  const Cells& cells_;
  const Forms& forms_;
};

}  // namespace rgtrans::gdl::lifted
