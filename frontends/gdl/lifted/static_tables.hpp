// Static relations as bodies of rules read them: a literal selects tuples, its companions filter them, and the bound
// columns form a key. The planner asks for selectivities and numbers of results, the writer for keys and projections.
//
//   (step ?c ?d) with ?c known, at most 8 tuples for each value: `?d` is a number below 8 and a look-up
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontends/gdl/lifted/body.hpp"

namespace rgtrans::gdl::lifted {

class StaticTables {
 public:
  explicit StaticTables(Model& model) : m_(model) {}

  using Tuple = std::vector<std::uint32_t>;
  using Row = const std::uint32_t*;
  struct Rows {
    Tuple columns;        // of the literal, one for each different variable
    Tuple values;         // of these columns, tuple after tuple
    std::size_t count{};  // number of tuples, which differ
  };
  // The tuples of a static literal that satisfy its companions, restricted to the sorts of its variables.
  const Rows& rows_of(const LiftedRule& rule, const EngineLiteral& literal);
  // Removes a literal and its companions from the open ones.
  void finish(BodyState& f, std::uint32_t index) const;
  // The companions: other static literals and `distinct` over the variables of this static literal. Its tuples are
  // filtered by them, so they need no test after it.
  [[nodiscard]] std::vector<std::uint32_t> companions(const LiftedRule& rule, const EngineLiteral& literal) const;
  // The binding pattern of a column: open, known, or kConstant plus a constant.
  enum : std::uint64_t { kOpen, kKnown, kConstant };
  using Signature = std::vector<std::uint64_t>;
  // The tuples for a binding pattern, prepared for tests and tables.
  struct BoundRows {
    const Rows& rows;
    Signature signature;
    std::vector<Row> tuples;
    std::vector<std::size_t> columns{};  // known columns that are not constants
    std::vector<SortId> sorts{};         // of these columns
    std::vector<Value> keys{};           // of these columns
    double cells = 1;                    // of a table over them
  };
  BoundRows bound_rows(const BodyState& f, const EngineLiteral& literal);
  // The projection of the tuples to the known columns.
  const std::vector<Tuple>& known_of(const BoundRows& asked);
  // Splits the columns into a key and the columns that it determines.
  using Split = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
  const Split& split_of(const std::vector<Tuple>& tuples, std::size_t columns);
  // A static literal that allows few values of a variable for each binding of the others, so that they are listed.
  struct Lister {
    std::uint32_t literal = 0;
    double values = 0;  // on average
  };
  [[nodiscard]] std::optional<Lister> lister(const BodyState& f, std::uint32_t variable);
  // The selectivity: the share of the combinations of bound values that occur in the relation.
  [[nodiscard]] double presence(const BodyState& f, const EngineLiteral& literal);
  // The maximal number of results per combination of bound values.
  [[nodiscard]] std::size_t fan_out(const BodyState& f, const EngineLiteral& literal);

 private:
  [[nodiscard]] static Signature signature(const BodyState& f, const EngineLiteral& literal, const Rows& rows);
  // The tuples with the constants of a signature.
  [[nodiscard]] static std::vector<Row> fitting(const Rows& rows, const Signature& signature);

  Model& m_;
  std::map<std::pair<RelId, std::vector<std::uint64_t>>, Rows> rows_;
  using Question = std::pair<const Rows*, Signature>;
  std::map<Question, std::vector<Tuple>> known_of_;
  std::map<const std::vector<Tuple>*, Split> splits_;
  std::map<Question, std::size_t> fan_outs_;
  std::map<Question, double> presences_;
};

}  // namespace rgtrans::gdl::lifted
