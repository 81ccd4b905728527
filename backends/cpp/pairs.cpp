#include "backends/cpp/pairs.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/set_simpler.hpp"

namespace rgtrans::cpp {

namespace {

// The only condition of an item, which is about cells of whole boards.
const Shifted* sole_condition(const SetWalks& walks, const NumberedGame& model, const SetItem& item) {
  if (item.kind != SetItem::Kind::narrow || item.conditions.size() != 1 || item.inside.size() != 1) return nullptr;
  const SetCondition& condition = item.conditions[0];
  if (condition.sure.any() || condition.asked.size() != 1 || !condition.asked[0].cell.empty()) return nullptr;
  const CellPredicate& source = walks.sources[condition.asked[0].source];
  const bool plain = source.kind == CellPredicate::Kind::contents && !source.negated &&
                     model.game.expressions().kind(source.board) == ir::ExprKind::variable;
  return plain ? &condition.asked[0] : nullptr;
}

class Joiner {
 public:
  Joiner(SetWalks& walks, const NumberedGame& model) : walks_(walks), model_(model) {}

  bool join(std::vector<SetItem>& items) {
    bool joined = false;
    for (SetItem& item : items) {
      joined = join(item.check) || joined;
      joined = join(item.inside) || joined;
    }
    for (std::size_t i = 0; i < items.size(); ++i) joined = join_with(items, i) || joined;
    return joined;
  }

 private:
  // Both conditions of an item, and what comes here.
  struct Pair {
    const Shifted* first;
    const Shifted* second;
    Bits where;
  };

  [[nodiscard]] std::optional<Pair> pair_of(const SetItem& item) const {
    const Shifted* const first = sole_condition(walks_, model_, item);
    const Shifted* const second = first != nullptr ? sole_condition(walks_, model_, item.inside[0]) : nullptr;
    if (second == nullptr || item.inside[0].inside[0].kind != SetItem::Kind::goal) return std::nullopt;
    if (walks_.sources[second->source].codes.size() != 1) return std::nullopt;
    return Pair{first, second, first->where & second->where & item.possible};
  }

  [[nodiscard]] bool alike(const Pair& a, const Pair& b) const {
    const auto board = [&](const Shifted* asked) { return walks_.sources[asked->source].board; };
    return board(a.first) == board(b.first) && board(a.second) == board(b.second) && a.where == b.where &&
           a.first->delta == b.first->delta && a.second->delta == b.second->delta;
  }

  [[nodiscard]] VarId board_of(const CellPredicate& source) const {
    return model_.game.expressions().variable(source.board);
  }

  // All words of cells that are asked have whole words of the other cells.
  [[nodiscard]] bool in_bounds(const Pair& pair, std::int64_t apart) const {
    const auto length = [&](const Shifted* asked) {
      return static_cast<std::int64_t>(model_.padded_size(board_of(walks_.sources[asked->source])));
    };
    const std::int64_t cells = length(pair.first);
    const std::int64_t others = length(pair.second);
    if (cells % 16 != 0 || others % 16 != 0 || (cells > static_cast<std::int64_t>(kWord) && cells % kWord != 0))
      return false;
    return std::ranges::all_of(pair.where, [&](std::size_t x) {
      const auto from = static_cast<std::int64_t>(pair.first->cell_of(x) / kWord * kWord) + apart;
      return from >= 0 && from + std::min<std::int64_t>(cells, kWord) <= others;
    });
  }

  // The item and those behind it that ask the same of other contents.
  bool join_with(std::vector<SetItem>& items, std::size_t at) {
    const std::optional<Pair> pair = pair_of(items[at]);
    if (!pair || pair->where.none()) return false;
    const CellPredicate& source = walks_.sources[pair->first->source];
    const std::size_t kinds = model_.universe(board_of(source)).size();
    const std::size_t others = model_.universe(board_of(walks_.sources[pair->second->source])).size();
    const std::int64_t apart = pair->second->delta - pair->first->delta;
    if (kinds > kMostKinds || others > kNothing || !in_bounds(*pair, apart)) return false;
    CellPredicate made{.kind = CellPredicate::Kind::pairs,
                       .board = source.board,
                       .table = std::vector<std::uint64_t>(kind_lanes(kinds), kNothing),
                       .other = walks_.sources[pair->second->source].board,
                       .apart = apart};
    std::vector<std::size_t> with;
    for (std::size_t i = at; i < items.size(); ++i) {
      const std::optional<Pair> next = pair_of(items[i]);
      if (!next || !alike(*pair, *next)) continue;
      const std::vector<std::uint32_t>& codes = walks_.sources[next->first->source].codes;
      const std::uint32_t partner = walks_.sources[next->second->source].codes[0];
      const auto free = [&](std::uint32_t c) { return made.table[c] == kNothing || made.table[c] == partner; };
      if (partner >= kNothing || !std::ranges::all_of(codes, free)) continue;
      for (const std::uint32_t c : codes) made.table[c] = partner;
      with.push_back(i);
    }
    if (with.size() < kCosts.pairs_least) return false;
    SetItem& item = items[at];
    Shifted asked{walks_.sources.size(), pair->first->delta, pair->where, {}};
    walks_.sources.push_back(std::move(made));
    SetItem goal = std::move(item.inside[0].inside[0]);
    goal.possible = asked.where;
    item.conditions[0].asked[0] = std::move(asked);
    item.inside = {std::move(goal)};
    for (std::size_t i = with.size(); i-- > 1;) items.erase(items.begin() + static_cast<std::ptrdiff_t>(with[i]));
    return true;
  }

  static constexpr std::uint64_t kNothing = 255;  // no board with so few kinds holds this
  SetWalks& walks_;
  const NumberedGame& model_;
};

}  // namespace

void join_pairs(SetWalks& walks, const NumberedGame& model) {
  if (Joiner(walks, model).join(walks.items)) drop_sources(walks);
}

}  // namespace rgtrans::cpp
