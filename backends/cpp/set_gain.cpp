// What sets need and take: cells, instructions, and whether they beat following one value after the other.
#include <algorithm>
#include <map>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

std::optional<Needed> needed_behind(const SetItem& item, const Needed& before) {
  if (item.kind != SetItem::Kind::narrow || item.conditions.size() != 1) return std::nullopt;
  const SetCondition& condition = item.conditions[0];
  Needed next(before.size());
  for (std::size_t x = 0; x < before.size(); ++x) {
    if (!before[x]) continue;
    if (condition.sure.test(x)) next[x] = before[x];
    for (const Shifted& asked : condition.asked) {
      if (!asked.where.test(x)) continue;
      next[x] = before[x];
      (*next[x])[asked.source].set(asked.cell_of(x));
    }
  }
  return next;
}

static std::size_t cost_of(const std::vector<LaneItem>& items) {
  std::size_t result = 0;
  for (const LaneItem& item : items) result += kCosts.lanes + cost_of(item.inside);
  return result;
}

std::size_t cost_of(const std::vector<SetItem>& items) {
  std::size_t result = 0;
  for (const SetItem& item : items) {
    result += cost_of(item.lanes);
    for (const SetCondition& condition : item.conditions) result += kCosts.mask * condition.asked.size();
    result += (item.kind == SetItem::Kind::moves ? kCosts.add_moves : 1) + cost_of(item.inside) + cost_of(item.check);
  }
  return result;
}

namespace {

// How many cells hold the same on average, where they do not hold what most hold.
std::size_t pieces_of_a_kind(const std::map<std::uint32_t, std::size_t>& contents) {
  std::size_t most = 0;
  std::size_t all = 0;
  for (const auto& [code, count] : contents) {
    most = std::max(most, count);
    all += count;
  }
  return contents.size() < 2 ? 0 : (all - most) / (contents.size() - 1);
}

// How many values pass a condition in the initial state: where cells are compared with what was set before, of the
// value that most of them hold. Where there is none yet, as many as there are of another kind.
std::optional<std::size_t> initial_values(const NumberedGame& model, const SetWalks& walks, const SetItem& item) {
  const auto& e = model.game.expressions();
  std::map<std::uint32_t, std::size_t> holding;
  std::size_t passing = 0;
  std::size_t of_a_kind = 0;
  for (const SetCondition& condition : item.conditions) {
    passing += condition.sure.count();
    for (const Shifted& asked : condition.asked) {
      const CellPredicate& source = walks.sources[asked.source];
      const bool negated_value = source.kind == CellPredicate::Kind::expression && source.negated;
      if (source.kind == CellPredicate::Kind::table || source.kind == CellPredicate::Kind::kinds || negated_value ||
          e.kind(source.board) != ir::ExprKind::variable)
        return std::nullopt;
      const VarId board = e.variable(source.board);
      std::map<std::uint32_t, std::size_t> contents;
      for (const std::size_t x : asked.where) {
        const std::uint32_t code = model.initial_code(board, asked.cell_of(x));
        ++contents[code];
        if (source.kind == CellPredicate::Kind::expression) {
          if (model.possible(source.expression, model.variable_shape(board).leaf).test(code)) ++holding[code];
        } else if (source.holds(code)) {
          ++passing;
        }
      }
      of_a_kind = std::max(of_a_kind, pieces_of_a_kind(contents));
    }
  }
  std::size_t most = 0;
  for (const auto& [code, count] : holding) most = std::max(most, count);
  return passing + most > 0 ? passing + most : of_a_kind;
}

// Ends behind one condition after the other (a jump, and another one) count less, each by this factor. The same ones
// asked again and again (a ray) are one.
double ends_in(const SetItem& item, double factor, double share = 1, const std::set<const Step*>& asked = {}) {
  double result = item.inside.empty() ? share : 0;
  double split = 0;  // of one value, whichever it is
  for (const std::vector<SetItem>* parts : {&item.check, &item.inside}) {
    for (const SetItem& part : *parts) {
      std::set<const Step*> with = asked;
      const bool asks = part.kind == SetItem::Kind::narrow && !part.constant;
      const bool fresh = asks && with.insert(part.step).second;
      const double ends = ends_in(part, factor, fresh && !asked.empty() ? share * factor : share, with);
      if (part.split)
        split = std::max(split, ends);
      else
        result += ends;
    }
  }
  return result + split;
}

// A queen is followed sooner than a set of queens. How many values there will be is guessed from the initial state,
// where it has any; nothing but time depends on it.
bool pays(const NumberedGame& model, const SetWalks& walks, const SetItem& item) {
  if (item.kind == SetItem::Kind::narrow && !item.constant) {
    const std::optional<std::size_t> values = initial_values(model, walks, item);
    if (!values || *values == 0) return true;
    const double most = std::max(kEfforts.few_ends, static_cast<double>(*values) * kEfforts.ends_per_value);
    return ends_in(item, 1) <= most || ends_in(item, 0.5) < static_cast<double>(*values);
  }
  const auto each = [&](const SetItem& part) { return pays(model, walks, part); };
  return std::ranges::all_of(item.check, each) && (!item.check.empty() || std::ranges::all_of(item.inside, each));
}

}  // namespace

bool sets_pay(const NumberedGame& model, const SetWalks& walks) {
  return std::ranges::all_of(walks.items, [&](const SetItem& item) { return pays(model, walks, item); });
}

}  // namespace rgtrans::cpp
