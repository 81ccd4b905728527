// Evaluates each kind of claim at the nodes and edges that it is about.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/claims/walker.hpp"
#include "backends/rg/rg.hpp"

namespace rgtrans::claims {

using ir::EdgeId;
using ir::Label;
using ir::NodeId;

namespace {

constexpr std::uint32_t kOften = 12;  // a slow query runs this often, and then more and more seldom

}  // namespace

bool ClaimWalker::may_read(std::uint32_t mark, EdgeId at) const {
  if (mark == 0) return true;
  const auto& readers = std::get<ir::Unread>(claim(mark - 1).content).readers;
  return std::ranges::find(readers, at) != readers.end();
}

void ClaimWalker::fail_unread(std::uint32_t mark, EdgeId at) const {
  if (may_read(mark, at)) return;
  const std::string edge = rg::print_edge(*game_, at, game_->node_names());
  const std::string place = game_->sources()->describe(game_->graph.where(at));
  fail(mark - 1, fmt::format("it is read by {}{}{}", edge, place.empty() ? "" : " at ", place));
}

void ClaimWalker::at_arrival(Search& search, NodeId node) {
  for (const std::uint32_t number : at_node_[node.value]) {
    std::visit(ir::Overloaded{
                   [&](const ir::Holds& c) { check_holds(number, c); },
                   [&](const ir::OneOf& c) { check_one_of(number, c); },
                   [&](const ir::Unreached& c) {
                     if (search.moves || !c.by_moves) fail(number, "a walk comes to the node");
                   },
                   [&](const ir::Alternatives& c) { check_alternatives(number, c); },
                   [&](const ir::SameFuture& c) { check_same_future(search, number, c, node); },
                   [](const auto&) {},
               },
               claim(number).content);
  }
}

void ClaimWalker::at_edge(EdgeId edge, bool passed) {
  for (const std::uint32_t number : at_edge_[edge.value]) {
    const auto& content = claim(number).content;
    if (const auto* passable = std::get_if<ir::Passable>(&content)) {
      ++evaluated_;
      if (passable->always != passed) {
        const auto* compare = std::get_if<ir::Compare>(&game_->graph.label(edge));
        fail(number, compare == nullptr ? "" : values_text(*compare));
      }
    } else if (const auto* same = std::get_if<ir::SameEffect>(&content)) {
      ++evaluated_;
      check_same_effect(number, *same, passed);
    }
  }
}

void ClaimWalker::before(EdgeId edge) {
  for (const std::uint32_t number : at_edge_[edge.value]) {
    const auto& content = claim(number).content;
    if (const auto* holds = std::get_if<ir::Holds>(&content)) check_holds(number, *holds);
    if (const auto* one_of = std::get_if<ir::OneOf>(&content)) check_one_of(number, *one_of);
    if (const auto* unreached = std::get_if<ir::Unreached>(&content); unreached && (in_moves_ || !unreached->by_moves))
      fail(number, "a walk takes the edge");
    if (const auto* tags = std::get_if<ir::TagsBefore>(&content); tags != nullptr && in_moves_) {
      ++evaluated_;
      const auto shown = static_cast<std::uint32_t>(tags_.size());
      if (shown > tags->tags || (tags->exactly && shown < tags->tags)) fail(number, fmt::format("there are {}", shown));
    }
  }
}

// No walk asks this here, so that nothing is claimed on the way.
bool ClaimWalker::true_now(const Label& condition, EdgeId at) {
  const bool was_quiet = std::exchange(quiet_, true);
  const bool result = passes(condition, at);
  quiet_ = was_quiet;
  return result;
}

std::vector<bool> ClaimWalker::truths_at(EdgeId edge) {
  std::vector<bool> truths;
  for (const std::uint32_t number : at_edge_[edge.value])
    if (const auto* same = std::get_if<ir::Unaffected>(&claim(number).content))
      truths.push_back(true_now(same->condition, edge));
  return truths;
}

void ClaimWalker::behind(EdgeId edge, const std::vector<bool>& truths_before) {
  const ir::VarId written = ir::written_variable(*game_, game_->graph.label(edge));
  const std::optional<PlainState::Target> cells = written.valid() ? state_.written() : std::nullopt;
  if (cells) {
    for (const std::uint32_t number : of_variable_[written.value])
      check_only_holds(number, cells->first, cells->first + cells->count);
  }
  mark_behind(edge);
  std::size_t k = 0;
  for (const std::uint32_t number : at_edge_[edge.value]) {
    const auto& content = claim(number).content;
    if (const auto* same = std::get_if<ir::Unaffected>(&content)) {
      ++evaluated_;
      if (true_now(same->condition, edge) != truths_before[k++]) fail(number, "it does not");
    } else if (std::holds_alternative<ir::Determined>(content) && cells) {
      ++evaluated_;
      const std::uint32_t value = state_.cell(cells->first);
      for (const Written& before : writes_)
        if (before.claim == number && before.cell == cells->first && before.value != value)
          fail(number, fmt::format("{} and {} are written to one cell", game_->symbols.text(SymbolId(before.value)),
                                   game_->symbols.text(SymbolId(value))));
      writes_.push_back({number, cells->first, value});
    }
  }
}

void ClaimWalker::mark_behind(EdgeId edge) {
  const ir::VarId written = ir::written_variable(*game_, game_->graph.label(edge));
  const std::optional<PlainState::Target> cells = written.valid() ? state_.written() : std::nullopt;
  if (marks_ && written.valid()) {
    // Values that differ in the next version; only this edge may read them.
    const auto [first, last] =
        state_.spread() || !cells ? state_.cells_of(written) : std::pair(cells->first, cells->first + cells->count);
    for (std::uint32_t cell = first; cell < last; ++cell)
      if (state_.mark(cell) != 0 && may_read(state_.mark(cell), edge)) state_.set_mark(cell, 0);
  }
  for (const std::uint32_t number : at_edge_[edge.value]) {
    const auto* unread = std::get_if<ir::Unread>(&claim(number).content);
    if (unread == nullptr) continue;
    ++evaluated_;
    std::pair<std::uint32_t, std::uint32_t> range;
    if (unread->variable.valid()) range = state_.cells_of(unread->variable);
    if (!unread->variable.valid() && cells) range = {cells->first, cells->first + cells->count};
    for (std::uint32_t cell = range.first; cell < range.second; ++cell) state_.set_mark(cell, number + 1);
    marks_ = true;
  }
}

std::string ClaimWalker::values_text(const ir::Compare& compare) {
  if (!game_->is_set(game_->expressions().type(compare.lhs))) return "";
  std::uint32_t seen = 0;
  const auto text = [&](ir::ExprId side) { return game_->symbols.str(SymbolId(state_.value(side, seen))); };
  return fmt::format("the sides are {} and {}", text(compare.lhs), text(compare.rhs));
}

void ClaimWalker::check_holds(std::uint32_t number, const ir::Holds& holds) {
  ++evaluated_;
  std::uint32_t seen = 0;
  const auto true_now = [&](const ir::Compare& c) { return state_.holds(c, seen); };
  if (!std::ranges::all_of(holds.premises, true_now) || std::ranges::any_of(holds.conclusions, true_now)) return;
  fail(number,
       holds.conclusions.empty() ? values_text(holds.premises.front()) : values_text(holds.conclusions.front()));
}

void ClaimWalker::check_one_of(std::uint32_t number, const ir::OneOf& one_of) {
  ++evaluated_;
  std::uint32_t seen = 0;
  const SymbolId value(state_.value(one_of.expression, seen));
  if (std::ranges::find(one_of.values, value) == one_of.values.end())
    fail(number, fmt::format("it is {}", game_->symbols.text(value)));
}

void ClaimWalker::check_alternatives(std::uint32_t number, const ir::Alternatives& alternatives) {
  ++evaluated_;
  const auto open =
      std::ranges::count_if(alternatives.edges, [&](EdgeId edge) { return true_now(game_->graph.label(edge), edge); });
  if ((alternatives.exclusive && open > 1) || (alternatives.covering && open == 0))
    fail(number, fmt::format("{} of {} can be taken", open, alternatives.edges.size()));
}

void ClaimWalker::check_same_effect(std::uint32_t number, const ir::SameEffect& same, bool passed) {
  const Label& own = game_->graph.label(same.edge);
  const auto symbol = [&](const Label& label) {
    if (const auto* tag = std::get_if<ir::Tag>(&label)) return tag->symbol;
    return SymbolId(state_.cell(state_.cells_of(std::get<ir::TagVariable>(label).variable).first));
  };
  const auto result = [&](const Label& label) {
    const std::size_t time = state_.time();
    if (const auto* assign = std::get_if<ir::Assign>(&label)) state_.assign(*assign);
    const WideHash hash = state_.hash();
    state_.back_to(time);
    return hash;
  };
  bool equal = true;
  if (const auto* any = std::get_if<ir::AssignAny>(&own)) {
    const auto* other = std::get_if<ir::AssignAny>(&same.label);
    std::uint32_t seen = 0;
    const auto cells = state_.target(any->lhs, seen);
    const auto others = other == nullptr ? std::nullopt : state_.target(other->lhs, seen);
    equal = other != nullptr && cells.has_value() == others.has_value() && (!cells || cells->first == others->first) &&
            std::ranges::equal(game_->members(any->type), game_->members(other->type));
  } else if (ir::is_tag(own)) {
    equal = ir::is_tag(same.label) && symbol(own) == symbol(same.label);
  } else if (ir::is_condition(own) || ir::is_condition(same.label)) {
    equal = passed == true_now(same.label, same.edge);
  } else {
    equal = result(own) == result(same.label);
  }
  if (!equal) fail(number, "it has not");
}

bool ClaimWalker::live(ir::VarId variable, NodeId node) {
  if (!liveness_) liveness_.emplace(*game_, flow_.emplace(*game_));
  return !flow_->reached(node) || liveness_->live(variable, node);
}

bool ClaimWalker::check_told_apart(Search& search, std::uint32_t number, const ir::ToldApart& told) {
  ++evaluated_;
  WideHash key, all;
  for (const std::uint32_t cell : state_.different_since(search.begin)) {
    const ir::VarId variable = state_.variable_of(cell);
    const std::uint64_t content = std::uint64_t{cell} << 32U | state_.cell(cell);
    if (std::ranges::find(told.variables, variable) != told.variables.end()) key.add(content);
    if (live(variable, told.node)) all.add(content);
  }
  for (const SymbolId tag : tags_) key.add(std::uint64_t{1} << 63U | tag.value);
  key.add(told.node.value);
  const auto [known, fresh] = search.told_apart.try_emplace(key, all);
  if (!fresh && known->second != all) fail(number, "two arrivals differ in something else");
  return fresh;
}

void ClaimWalker::check_same_future(const Search& search, std::uint32_t number, const ir::SameFuture& same,
                                    NodeId here) {
  const std::uint32_t times = ++asked_[number];
  if (times > kOften && (times & (times - 1)) != 0) return;
  const bool was_quiet = std::exchange(quiet_, true);
  const std::uint64_t steps = std::exchange(steps_, 0), most = std::exchange(most_steps_, kMostAhead);
  const bool in_moves = in_moves_;
  const std::size_t time = state_.time(), tags = tags_.size(), writes = writes_.size(), pending = pending_.size();
  bool equal = true;
  try {
    const auto future = [&](NodeId node) {
      Search ahead;
      ahead.moves = search.moves;
      ahead.check = search.check;
      ahead.purpose = Purpose::futures;
      const bool reached = !search.moves && (ends_check(ahead, node) || run(ahead, node));
      if (search.moves) run(ahead, node);
      return std::pair(reached, std::move(ahead.labelings));
    };
    equal = future(here) == future(here == same.first ? same.second : same.first);
    ++evaluated_;
  } catch (const TooLong&) {
    state_.back_to(time);
    tags_.resize(tags);
    writes_.resize(writes);
    pending_.resize(pending);
    in_moves_ = in_moves;
  }
  quiet_ = was_quiet;
  steps_ = steps;
  most_steps_ = most;
  if (!equal) fail(number, "they have not");
}

// For each node that the walk passed, with the tags that followed.
void ClaimWalker::check_known_effects(NodeId target) {
  for (const Passed& passed : passed_) {
    const std::vector<SymbolId> rest(tags_.begin() + static_cast<std::ptrdiff_t>(passed.tags), tags_.end());
    const std::vector<std::uint32_t>& patterns = effects_.at(passed.node);
    bool any = false, exhaustive = false;
    for (const std::uint32_t number : patterns) {
      const ir::SimpleApply& pattern = std::get<ir::KnownEffect>(claim(number).content).pattern;
      const bool matches =
          pattern.tags.size() <= rest.size() &&
          std::equal(pattern.tags.begin(), pattern.tags.end(), rest.begin(), [&](const auto& tag, SymbolId shown) {
            return tag.type.valid() ? game_->index_of(tag.type, shown) >= 0 : tag.name == shown;
          });
      any = any || matches;
      exhaustive = exhaustive || pattern.exhaustive;
      if (!matches) continue;
      const std::uint32_t times = ++asked_[number];
      if (times > kOften && (times & (times - 1)) != 0) continue;
      ++evaluated_;
      if (!has_effect(pattern, passed, rest, target)) fail(number, "a move with these tags leads elsewhere");
    }
    if (!any && exhaustive) fail(patterns.front(), "a move matches no pattern of this node");
  }
}

// Whether the assignments of the pattern, and the moves behind it, reach the state that the walk has reached.
bool ClaimWalker::has_effect(const ir::SimpleApply& pattern, const Passed& passed, std::span<const SymbolId> rest,
                             NodeId target) {
  if (!other_) other_ = std::make_unique<ClaimWalker>(game_);
  PlainState& state = other_->state_;
  state.set_content(state_.content_at(passed.time));
  PlainState::Names names;
  for (std::size_t i = 0; i < pattern.tags.size(); ++i)
    if (pattern.tags[i].type.valid()) names.emplace_back(pattern.tags[i].name, rest[i]);
  state.bind(std::move(names));
  const Situation end{state_.content(), target};
  bool complete = false;
  for (const auto& effect : pattern.effects) {
    state.assign({effect.lhs, effect.rhs});
    complete = complete || game_->is_player_assignment(ir::Assign{effect.lhs, effect.rhs});
  }
  state.bind({});
  if (complete) {
    // Else a longer move than those that it is about.
    return pattern.tags.size() != rest.size() || (pattern.to == target && other_->ends_alike(end, target));
  }
  Tags wanted(rest.begin() + static_cast<std::ptrdiff_t>(pattern.tags.size()), rest.end());
  std::erase_if(wanted, [&](SymbolId tag) { return artificial_[tag.value]; });
  other_->node_ = pattern.to;
  other_->given_up_ = false;
  const auto same = [&](NodeId node) { return other_->ends_alike(end, node); };
  return other_->find(&wanted, kMostAhead, same).has_value() || other_->given_up_;
}

void ClaimWalker::check_only_holds(std::uint32_t number, std::uint32_t first, std::uint32_t last) {
  ++evaluated_;
  const auto& claimed = std::get<ir::OnlyHolds>(claim(number).content).values;
  for (std::uint32_t cell = first; cell < last; ++cell) {
    if (!state_.has_key(cell)) continue;
    const SymbolId value(state_.cell(cell));
    if (std::ranges::find(claimed, value) == claimed.end())
      fail(number, fmt::format("it holds {}", game_->symbols.text(value)));
  }
}

void ClaimWalker::check_values() {
  for (const std::uint32_t number : of_values_) {
    const auto [first, last] = state_.cells_of(std::get<ir::OnlyHolds>(claim(number).content).variable);
    check_only_holds(number, first, last);
  }
}

}  // namespace rgtrans::claims
