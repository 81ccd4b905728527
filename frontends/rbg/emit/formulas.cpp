#include "frontends/rbg/emit/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

const Limit& kMaxTable = limits::table;  // entries of one table

using ir::TypeId;
using ir::ValueId;

// An RG expression of integer type with its range.
struct Operand {
  ir::ExprId expression;
  Interval range;
};

}  // namespace

std::int64_t Formulas::max_integer() { return static_cast<std::int64_t>(limits::integer.value()); }

class Formulas::Writer {
 public:
  Writer(const Description& description, const Arithmetic& arithmetic, const Cells& cells, Vocabulary& vocabulary,
         ir::Game& game, Diagnostics& diagnostics)
      : d_(description), arithmetic_(arithmetic), cells_(cells), v_(vocabulary), g_(game), diagnostics_(diagnostics) {}

  bool assign(const FlowStep& step, const std::vector<ir::Label>& tags, std::vector<ir::Label>& labels) {
    const auto reduced = reduce(
        {step.left}, [](std::int64_t x, std::int64_t) { return std::optional(x); }, step.where);
    if (!reduced) return false;
    const std::int64_t bound = d_.variable(step.index).bound;
    std::vector<ir::Label> checks;
    if (!require(
            *reduced, [&](std::optional<std::int64_t> value) { return value && *value >= 0 && *value <= bound; },
            "fits", checks)) {
      return false;
    }
    labels.insert(labels.end(), checks.begin(), checks.end());
    labels.insert(labels.end(), tags.begin(), tags.end());
    const ArithNode& node = d_.expressions.arith(step.left);
    ir::ExprId value;
    if (node.kind == Arith::variable || node.kind == Arith::piece) {
      value = reduced->operands.front().expression;
    } else {
      value = lookup(*reduced, {0, arithmetic_.largest(step.index)}, name_of(step.left));
    }
    if (value != cells_.variables[step.index]) labels.push_back(ir::Assign{cells_.variables[step.index], value});
    if (labels.empty()) labels.push_back(ir::Empty{});
    return true;
  }

  bool compare(const FlowStep& step, std::vector<ir::Label>& labels) {
    const Comparison relation = step.relation;
    const bool equality = relation == Comparison::equal || relation == Comparison::not_equal;
    auto simple = [&](ArithId id) {
      const Arith kind = d_.expressions.arith(id).kind;
      return kind == Arith::variable || kind == Arith::piece;
    };
    if (equality && simple(step.left) && simple(step.right) && step.left != step.right) {
      labels.push_back(ir::Compare{leaf(step.left).expression, leaf(step.right).expression,
                                   (relation == Comparison::not_equal) != step.negated});
      return true;
    }
    const auto reduced = reduce(
        {step.left, step.right},
        [relation](std::int64_t x, std::int64_t y) {
          return std::optional<std::int64_t>(holds(relation, x, y) ? 1 : 0);
        },
        step.where);
    if (!reduced) return false;
    if (!require(
            *reduced, [&](std::optional<std::int64_t> value) { return (value && *value == 1) != step.negated; },
            "compare", labels)) {
      return false;
    }
    if (labels.empty()) labels.push_back(ir::Empty{});
    return true;
  }

 private:
  Operand leaf(ArithId id) {
    const ArithNode& node = d_.expressions.arith(id);
    const auto index = static_cast<std::size_t>(node.value);
    if (node.kind == Arith::piece) return {g_.access(cells_.counters, g_.symbol(v_.pieces[index])), cells_.count_range};
    return {cells_.variables[index], {0, arithmetic_.largest(static_cast<std::uint32_t>(index))}};
  }

  using Function = std::function<std::optional<std::int64_t>(std::int64_t, std::int64_t)>;
  // An arithmetic expression or comparison as a function of at most two operands.
  struct Reduced {
    std::vector<Operand> operands;
    Function value;
  };

  bool too_large(Range where) {
    diagnostics_.error(
        where, "this arithmetic needs tables that are too large",
        fmt::format("at most {} combinations of values; use smaller bounds; {}", kMaxTable, kMaxTable.advice()));
    return false;
  }

  std::uint64_t combinations(const std::vector<Operand>& operands) const {
    std::uint64_t product = 1;
    for (const Operand& operand : operands) product *= operand.range.size();
    return product;
  }

  // Reduces `parts` (one expression, or both sides of a comparison), combined by `join`.
  std::optional<Reduced> reduce(const std::vector<ArithId>& parts, const Function& join, Range where) {
    std::vector<ArithId> leaves;
    for (ArithId part : parts) arithmetic_.leaves(part, leaves);
    Reduced result;
    if (leaves.size() <= 2) {
      for (ArithId id : leaves) result.operands.push_back(leaf(id));
      if (combinations(result.operands) <= kMaxTable) {
        result.value = [this, parts, leaves, join](std::int64_t x, std::int64_t y) -> std::optional<std::int64_t> {
          const std::vector<std::int64_t> values = {x, y};
          std::vector<std::int64_t> sides;
          for (ArithId part : parts) {
            const auto side = arithmetic_.evaluate(part, leaves, values);
            if (!side) return std::nullopt;
            sides.push_back(*side);
          }
          return join(sides.front(), sides.back());
        };
        return result;
      }
      too_large(where);
      return std::nullopt;
    }
    // With more operands, each part is looked up in tables of tables and becomes one operand.
    for (ArithId part : parts) {
      const auto operand = value_of(part, where);
      if (!operand) return std::nullopt;
      result.operands.push_back(*operand);
    }
    result.value = [join, one = parts.size() == 1](std::int64_t x, std::int64_t y) { return join(x, one ? x : y); };
    if (combinations(result.operands) > kMaxTable) {
      too_large(where);
      return std::nullopt;
    }
    return result;
  }

  // An expression as one operand, looked up in a table. Refuses divisions, whose result may be undefined.
  std::optional<Operand> value_of(ArithId id, Range where) {
    const ArithNode& node = d_.expressions.arith(id);
    const auto constant = arithmetic_.constant(id);
    if (constant && std::abs(*constant) <= max_integer()) {
      return Operand{g_.symbol(v_.number(*constant)), {*constant, *constant}};
    }
    if (node.kind == Arith::piece || node.kind == Arith::variable) return leaf(id);
    const auto range = arithmetic_.interval(id);
    if (!range || range->low < -max_integer() || range->high > max_integer() || !node.left.valid()) {
      too_large(where);
      return std::nullopt;
    }
    const auto left = value_of(node.left, where);
    const auto right = value_of(node.right, where);
    if (!left || !right) return std::nullopt;
    if (division_in(id)) {
      diagnostics_.error(where, "a division inside an expression with more than two variables is not supported",
                         "store the quotient in a variable first");
      return std::nullopt;
    }
    Reduced reduced{{*left, *right}, [kind = node.kind](std::int64_t x, std::int64_t y) { return apply(kind, x, y); }};
    if (combinations(reduced.operands) > kMaxTable) {
      too_large(where);
      return std::nullopt;
    }
    return Operand{lookup(reduced, *range, "sum"), *range};
  }

  bool division_in(ArithId id) const {
    const ArithNode& node = d_.expressions.arith(id);
    if (!node.left.valid()) return false;
    return node.kind == Arith::divide || division_in(node.left) || division_in(node.right);
  }

  // Applies the table of a function to its operands. Entries for values outside `range` are arbitrary.
  ir::ExprId lookup(const Reduced& reduced, Interval range, std::string_view name) {
    auto entry = [&](std::int64_t x, std::int64_t y) {
      const std::int64_t value = reduced.value(x, y).value_or(range.low);
      return g_.values.symbol(v_.number(std::clamp(value, range.low, range.high)));
    };
    if (reduced.operands.empty()) return g_.symbol(v_.number(reduced.value(0, 0).value_or(range.low)));
    const Operand& first = reduced.operands.front();
    const std::vector<SymbolId> keys = v_.numbers(first.range);
    std::vector<ValueId> values;
    TypeId type = v_.number_type(range);
    if (reduced.operands.size() == 1) {
      for (std::int64_t x = first.range.low; x <= first.range.high; ++x) values.push_back(entry(x, 0));
      type = g_.types.arrow(v_.number_type(first.range), type);
      return g_.access(g_.constant_ref(v_.constant(name, type, v_.map(keys, values))), first.expression);
    }
    const Operand& second = reduced.operands.back();
    const std::vector<SymbolId> inner = v_.numbers(second.range);
    for (std::int64_t x = first.range.low; x <= first.range.high; ++x) {
      std::vector<ValueId> row;
      for (std::int64_t y = second.range.low; y <= second.range.high; ++y) row.push_back(entry(x, y));
      values.push_back(v_.map(inner, row));
    }
    type = g_.types.arrow(v_.number_type(first.range), g_.types.arrow(v_.number_type(second.range), type));
    const ir::ExprId table = g_.constant_ref(v_.constant(name, type, v_.map(keys, values)));
    return g_.access(g_.access(table, first.expression), second.expression);
  }

  // Adds a label for the condition `test`. Returns false if it never holds.
  bool require(const Reduced& reduced, const std::function<bool(std::optional<std::int64_t>)>& test,
               std::string_view name, std::vector<ir::Label>& labels) {
    std::uint64_t passing = 0, failing = 0;
    std::int64_t a_pass = 0, a_fail = 0;
    const Interval none{0, 0};
    const Interval xs = reduced.operands.empty() ? none : reduced.operands.front().range;
    const Interval ys = reduced.operands.size() < 2 ? none : reduced.operands.back().range;
    for (std::int64_t x = xs.low; x <= xs.high; ++x) {
      for (std::int64_t y = ys.low; y <= ys.high; ++y) {
        const bool good = test(reduced.value(x, y));
        (good ? passing : failing) += 1;
        (good ? a_pass : a_fail) = x;
      }
    }
    if (passing == 0) return false;
    if (failing == 0) return true;
    if (reduced.operands.size() == 1 && (passing == 1 || failing == 1)) {
      labels.push_back(
          equals(reduced.operands.front().expression, v_.number(passing == 1 ? a_pass : a_fail), passing != 1));
      return true;
    }
    const Reduced indicator{reduced.operands, [&](std::int64_t x, std::int64_t y) {
                              return std::optional<std::int64_t>(test(reduced.value(x, y)) ? 1 : 0);
                            }};
    labels.push_back(equals(lookup_bool(indicator, name), v_.number(1)));
    return true;
  }

  ir::ExprId lookup_bool(const Reduced& reduced, std::string_view name) {
    v_.booleans();
    return lookup(reduced, {0, 1}, name);
  }

  // A name for the table of an expression: "plus_1" for v + 1.
  std::string name_of(ArithId id) const {
    const ArithNode& node = d_.expressions.arith(id);
    if (node.right.valid()) {
      const ArithNode& right = d_.expressions.arith(node.right);
      const ArithNode& left = d_.expressions.arith(node.left);
      const bool simple = left.kind == Arith::variable || left.kind == Arith::piece;
      if (simple && right.kind == Arith::number && node.kind == Arith::add) return fmt::format("plus_{}", right.value);
      if (simple && right.kind == Arith::number && node.kind == Arith::subtract)
        return fmt::format("minus_{}_", right.value);
    }
    return "value";
  }

  ir::Label equals(ir::ExprId lhs, SymbolId rhs, bool negated = false) {
    return ir::Compare{lhs, g_.symbol(rhs), negated};
  }

  const Description& d_;
  const Arithmetic& arithmetic_;
  const Cells& cells_;
  Vocabulary& v_;
  ir::Game& g_;
  Diagnostics& diagnostics_;
};

Formulas::Formulas(const Description& description, const Arithmetic& arithmetic, Vocabulary& vocabulary, ir::Game& game,
                   Diagnostics& diagnostics)
    : writer_(std::make_unique<Writer>(description, arithmetic, cells, vocabulary, game, diagnostics)) {}
Formulas::~Formulas() = default;

bool Formulas::assign(const FlowStep& step, const std::vector<ir::Label>& tags, std::vector<ir::Label>& labels) {
  return writer_->assign(step, tags, labels);
}
bool Formulas::compare(const FlowStep& step, std::vector<ir::Label>& labels) { return writer_->compare(step, labels); }

}  // namespace rgtrans::rbg
