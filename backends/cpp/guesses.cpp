// See guesses.hpp.
#include "backends/cpp/guesses.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

namespace {

// At first, for half of the values or more.
bool holds_mostly(const NumberedGame& model, const SetWalks& walks, const Shifted& asked) {
  const CellPredicate& source = walks.sources[asked.source];
  const auto& e = model.game.expressions();
  if (source.kind != CellPredicate::Kind::contents || e.kind(source.board) != ir::ExprKind::variable) return false;
  const VarId board = e.variable(source.board);
  std::size_t holding = 0;
  for (const std::size_t x : asked.where) holding += source.holds(model.initial_code(board, asked.cell_of(x))) ? 1 : 0;
  return 2 * holding >= asked.where.count();
}

// Nothing is asked that takes more than looks at cells.
bool cells_decide(const std::vector<SetItem>& items) {
  return std::ranges::all_of(items, [](const SetItem& item) {
    const bool asks = item.kind == SetItem::Kind::narrow || item.kind == SetItem::Kind::when;
    return is_end(item) || (asks && cells_decide(item.inside));
  });
}

}  // namespace

bool one_look_pays(const NumberedGame& model, const SetWalks& walks) {
  if (walks.words < 2 || walks.items.size() != 1) return false;
  const SetItem& item = walks.items[0];
  return item.kind == SetItem::Kind::narrow && item.conditions.size() == 1 && item.conditions[0].asked.size() == 1 &&
         item.inside.size() == 1 && is_end(item.inside[0]) && holds_mostly(model, walks, item.conditions[0].asked[0]);
}

namespace {

class GuessPlanner : PlannerPart {
 public:
  using PlannerPart::PlannerPart;

  bool collect(std::uint32_t node, const std::vector<SetTag>& tags, Guesses& into) {
    if (!context_.contains(node)) return true;
    const CodeContext::Node& info = context_.at(node);
    if (context_.is_goal(node) || info.test || info.tag_cycle || tags.size() > kEfforts.guessed_tags) return false;
    return std::ranges::all_of(info.out, [&](std::uint32_t s) {
      const Step& step = model_.steps[s];
      std::vector<SetTag> next = tags;
      switch (step.kind) {
        case Deed::nothing:
          break;
        case Deed::tag:
          next.push_back({Codes(1, model_.tag_of.at(step.symbol.value)), VarId()});
          break;
        case Deed::tag_variable:
          next.push_back({{}, step.variable});
          break;
        case Deed::assign_any:
          return facts_.assignment_live(context_, step) && collect_choice(step, tags, into);
        default:
          return false;
      }
      return collect(step.to, next, into);
    });
  }

  bool collect_choice(const Step& any, const std::vector<SetTag>& tags, Guesses& into) {
    WalkBounds bounds;
    bounds.for_single_value = true;
    auto walks = find_set_walks(model_, facts_, context_, any, std::move(bounds));
    if (!walks || !cells_decide(walks->items)) return false;
    const auto& kept = into.walks.emplace_back(std::make_unique<SetWalks>(std::move(*walks)));
    std::vector<const SetItem*> way;
    return add_ends(*kept, kept->items, tags, way, into);
  }

  bool add_ends(const SetWalks& walks, const std::vector<SetItem>& items, const std::vector<SetTag>& tags,
                std::vector<const SetItem*>& way, Guesses& into) {
    for (const SetItem& item : items) {
      // A check needs the memory of an exploration, which is not at hand here.
      if (item.kind == SetItem::Kind::when && !item.split && item.step->kind == Deed::check) return false;
      way.push_back(&item);
      if (!is_end(item)) {
        if (!add_ends(walks, item.inside, tags, way, into)) return false;
      } else {
        Guess guess{&walks, way, tags};
        guess.way.pop_back();
        guess.count = static_cast<std::uint32_t>(item.possible.count());
        guess.end = &item;
        const std::size_t shown = (form_.layout.wide ? 0 : tags.size()) + item.tags.size();
        if (item.kind != SetItem::Kind::moves || shown * form_.layout.bits_in_word() > 64) return false;
        into.total += guess.count;
        into.guesses.push_back(std::move(guess));
      }
      way.pop_back();
    }
    return true;
  }
};

}  // namespace

std::shared_ptr<const Guesses> find_guesses(const PlanningPlace& at, std::uint32_t node) {
  auto result = std::make_shared<Guesses>();
  const bool found = GuessPlanner(at).collect(node, {}, *result);
  const std::size_t sets = result->guesses.size();
  return found && sets > 0 && sets <= kEfforts.guessed_sets ? result : nullptr;
}

}  // namespace rgtrans::cpp
