#include "backends/claims/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/rg/rg.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::claims {

using ir::EdgeId;
using ir::Label;
using ir::NodeId;

namespace {

constexpr std::uint64_t kMostSteps = 30'000'000;  // for the moves of one state
constexpr std::size_t kMostPending = 500;         // checks within checks
constexpr std::size_t kMostTags = 10'000;

}  // namespace

ClaimWalker::ClaimWalker(std::shared_ptr<const ir::Game> version)
    : game_(std::move(version)),
      artificial_(ir::artificial_tags(*game_)),
      hiding_(ir::hides_moves(*game_)),
      state_(*game_),
      node_(game_->begin()),
      out_(game_->graph.node_bound()),
      at_node_(game_->graph.node_bound()),
      at_edge_(game_->graph.edge_bound()),
      of_variable_(game_->variables().size()),
      asked_(game_->claims.list().size(), 0) {
  for (const bool artificial : artificial_) any_artificial_ = any_artificial_ || artificial;
  for (const NodeId node : game_->graph.nodes()) out_[node.value] = game_->graph.out_edge_list(node);
  const std::vector<ir::Claim>& list = game_->claims.list();
  for (std::uint32_t number = 0; number < list.size(); ++number) {
    if (std::holds_alternative<ir::RuleClaim>(list[number].content)) continue;  // somebody else's
    if (can_be_evaluated(list[number])) {
      index(list[number], number);
    } else {
      ++retired_;
    }
  }
}

// A pass makes nodes, edges and variables, too, which were not there before it.
bool ClaimWalker::can_be_evaluated(const ir::Claim& claim) const {
  const ir::Automaton& graph = game_->graph;
  for (const NodeId node : ir::nodes_of(claim))
    if (node.value >= graph.node_bound() || !graph.alive(node)) return false;
  for (const EdgeId edge : ir::edges_of(claim))
    if (edge.value >= graph.edge_bound() || !graph.alive(edge)) return false;
  bool known = true;
  const auto expression = [&](ir::ExprId id) {
    game_->for_each_variable(
        id, [&](ir::VarId v) { known = known && v.value < game_->variables().size() && game_->variable(v).alive; });
  };
  const auto compare = [&](const ir::Compare& c) {
    expression(c.lhs);
    expression(c.rhs);
  };
  const auto label = [&](const Label& l) {
    ir::for_each_expression(l, expression);
    if (const auto* check = std::get_if<ir::Reachability>(&l))
      for (const NodeId node : {check->from, check->to})
        known = known && node.value < graph.node_bound() && graph.alive(node);
  };
  std::visit(ir::Overloaded{
                 [&](const ir::Holds& c) {
                   std::ranges::for_each(c.premises, compare);
                   std::ranges::for_each(c.conclusions, compare);
                 },
                 [&](const ir::OneOf& c) { expression(c.expression); },
                 [&](const ir::Unaffected& c) { label(c.condition); },
                 [&](const ir::SameEffect& c) { label(c.label); },
                 [](const auto&) {},
             },
             claim.content);
  return known;
}

void ClaimWalker::index(const ir::Claim& claim, std::uint32_t number) {
  const auto at_node = [&](NodeId node) { at_node_[node.value].push_back(number); };
  const auto at_edge = [&](EdgeId edge) { at_edge_[edge.value].push_back(number); };
  const auto at = [&](const ir::ClaimPlace& place) { place.node.valid() ? at_node(place.node) : at_edge(place.edge); };
  std::visit(ir::Overloaded{
                 [&](const ir::Holds& c) { at(c.place); },
                 [&](const ir::Unreached& c) { at(c.place); },
                 [&](const ir::OneOf& c) { at(c.place); },
                 [&](const ir::Passable& c) { at_edge(c.edge); },
                 [&](const ir::OnlyHolds& c) {
                   of_values_.push_back(number);
                   of_variable_[c.variable.value].push_back(number);
                 },
                 [&](const ir::Alternatives& c) {
                   if (!c.edges.empty()) at_node(game_->graph.source(c.edges.front()));
                 },
                 [&](const ir::Unread& c) { at_edge(c.edge); },
                 [&](const ir::Unaffected& c) { at_edge(c.edge); },
                 [&](const ir::SameEffect& c) { at_edge(c.edge); },
                 [&](const ir::TagsBefore& c) { at_edge(c.edge); },
                 [&](const ir::KnownEffect& c) { effects_[c.pattern.from].push_back(number); },
                 [&](const ir::Once& c) { at_node(c.node); },
                 [&](const ir::ToldApart& c) { at_node(c.node); },
                 [&](const ir::Distinct& c) { distinct_.emplace(c.start, number); },
                 [&](const ir::SameFuture& c) {
                   at_node(c.first);
                   at_node(c.second);
                   merged_[c.second] = merged(c.first);
                 },
                 [&](const ir::Determined& c) {
                   for (const EdgeId edge : c.edges) at_edge(edge);
                 },
                 [](const ir::RuleClaim&) {},
             },
             claim.content);
}

NodeId ClaimWalker::merged(NodeId node) const {
  for (auto it = merged_.find(node); it != merged_.end() && it->second != node; it = merged_.find(node))
    node = it->second;
  return node;
}

std::unique_ptr<Follower> ClaimWalker::clone() const {
  auto copy = std::make_unique<ClaimWalker>(game_);
  copy->state_.set_content(state_.content());
  copy->node_ = node_;
  copy->history_ = history_;
  copy->looked_ = looked_;
  copy->given_up_ = given_up_;
  return copy;
}

void ClaimWalker::reset() {
  state_.reset();
  node_ = game_->begin();
  history_.clear();
  looked_ = given_up_ = quiet_ = false;
}

void ClaimWalker::count(Counts& counts) const {
  for (const ir::Claim& claim : game_->claims.list()) ++counts.claims[std::string(ir::kind_of(claim))];
  counts.evaluated += evaluated_;
  counts.retired += retired_;
}

bool ClaimWalker::undo() {
  if (history_.empty()) return false;
  state_.set_content(std::move(history_.back().content));
  node_ = history_.back().node;
  history_.pop_back();
  looked_ = true;
  return true;
}

void ClaimWalker::fail(std::uint32_t number, const std::string& why) const {
  const ir::Claim& claim = this->claim(number);
  Diagnostic diagnostic;
  diagnostic.where = claim.where;
  diagnostic.message = fmt::format("{} relied on a claim that does not hold: {}: {}", claim.rewrite, ir::kind_of(claim),
                                   text(*game_, claim));
  diagnostic.hint = why;
  throw ProofError({diagnostic}, game_->sources());
}

// --- Plays. ---

void ClaimWalker::look() {
  if (!looked_ && !given_up_) explore(nullptr);
}

void ClaimWalker::apply(bool keeper, std::string_view move) {
  if (given_up_) return;
  Tags wanted;
  for (std::size_t at = 0; at < move.size();) {
    const std::size_t end = std::min(move.find(' ', at), move.size());
    wanted.push_back(game_->symbols.find(move.substr(at, end - at)));
    at = end + 1;
  }
  constexpr int kMostKeeper = 10'000;
  for (int moves = 0; moves < kMostKeeper; ++moves) {
    std::optional<Situation> next = explore(&wanted);
    if (given_up_) return;
    const auto [player, last] = state_.cells_of(game_->player());
    const bool keeper_here = state_.cell(player) == game_->keeper().value;
    const bool made = next.has_value();
    // The optimizer may remove moves of keeper that show nothing.
    if (!made && keeper && !keeper_here && wanted.empty()) return;
    if (!made && keeper_here) next = explore(&kNoTags);
    if (!next) {
      throw ProofError(
          fmt::format("an earlier version of the game does not have the move '{}' that a later one has", move),
          "rgtrans --verify-each finds the pass");
    }
    history_.push_back({state_.content(), node_});
    state_.set_content(std::move(next->content));
    node_ = next->node;
    looked_ = false;
    if (made) return;
  }
  given_up_ = true;
}

// Looks at all moves of the present state, if nobody has; and returns where the wanted one leads.
std::optional<ClaimWalker::Situation> ClaimWalker::explore(const Tags* wanted) {
  Search search;
  search.wanted = wanted;
  quiet_ = looked_;
  if (!quiet_) check_values();
  steps_ = 0;
  most_steps_ = kMostSteps;
  tags_.clear();
  writes_.clear();
  passed_.clear();
  pending_.clear();
  if (const auto distinct = distinct_.find(node_); distinct != distinct_.end()) {
    search.distinct = true;
    search.distinct_claim = distinct->second;
  }
  try {
    run(search, node_);
  } catch (const TooLong&) {
    given_up_ = true;
    state_.back_to(0);
  }
  looked_ = true;
  return std::move(search.found);
}

// --- Searches. ---

WideHash ClaimWalker::key(NodeId node, bool artificial) const {
  WideHash key = state_.hash();
  for (const SymbolId tag : tags_)
    if (artificial || !artificial_[tag.value]) key.add(tag.value);
  key.add(std::uint64_t{1} << 40U | node.value);
  return key;
}

bool ClaimWalker::run(Search& search, NodeId start) {
  search.begin = state_.time();
  const bool outside = std::exchange(in_moves_, search.moves);
  const std::size_t first_tag = tags_.size(), first_write = writes_.size(), first_passed = passed_.size();
  search.first_tag = first_tag;
  bool found = false;
  std::vector<Frame> frames;
  if (arrive(search, start)) frames.push_back({start, 0, 0, state_.time(), first_tag, first_write, passed_.size()});
  while (!frames.empty() && !found) {
    check_wanted();
    Frame& frame = frames.back();
    state_.back_to(frame.time);
    tags_.resize(frame.tags);
    writes_.resize(frame.writes);
    passed_.resize(frame.passed);
    const std::vector<EdgeId>& out = out_[frame.node.value];
    if (frame.edge == out.size()) {
      frames.pop_back();
      continue;
    }
    const EdgeId edge = out[frame.edge];
    const std::size_t member = frame.member;
    const auto* any = std::get_if<ir::AssignAny>(&game_->graph.label(edge));
    if (any == nullptr || ++frame.member >= game_->members(any->type).size()) {
      ++frame.edge;
      frame.member = 0;
    }
    if (any != nullptr && game_->members(any->type).empty()) continue;
    if (++steps_ > most_steps_) throw TooLong();
    if (!take(search, edge, member)) continue;
    const NodeId target = game_->graph.target(edge);
    if (search.moves && game_->is_player_assignment(game_->graph.label(edge))) {
      finish(search, edge);
      found = search.found.has_value() && quiet_;
    } else if (!search.moves && ends_check(search, target)) {
      if (!quiet_) at_arrival(search, target);
      found = true;
    } else if (arrive(search, target)) {
      frames.push_back({target, 0, 0, state_.time(), tags_.size(), writes_.size(), passed_.size()});
    }
  }
  state_.back_to(search.begin);
  tags_.resize(first_tag);
  writes_.resize(first_write);
  passed_.resize(first_passed);
  in_moves_ = outside;
  return found;
}

bool ClaimWalker::ends_check(const Search& search, NodeId node) const {
  return node == search.check.to || (search.futures && merged(node) == merged(search.check.to));
}

bool ClaimWalker::arrive(Search& search, NodeId node) {
  const bool fresh = search.visited.insert(key(node, true)).second;
  if (quiet_) return fresh;
  bool fresh_shown = fresh;
  if (any_artificial_) fresh_shown = search.unmarked.insert(key(node, false)).second;
  for (const std::uint32_t number : at_node_[node.value]) {
    const auto* once = std::get_if<ir::Once>(&claim(number).content);
    if (once == nullptr) continue;
    const bool here = once->everywhere || (search.moves ? !once->in : once->in && *once->in == search.check);
    if (!here) continue;
    ++evaluated_;
    if (!(once->artificial ? fresh : fresh_shown)) fail(number, "a second walk arrives in the same state");
  }
  if (fresh) at_arrival(search, node);
  if (fresh && search.moves && effects_.contains(node)) passed_.push_back({node, state_.time(), tags_.size()});
  return fresh;
}

// Whether the walk goes on behind the edge.
bool ClaimWalker::take(Search& search, EdgeId edge, std::size_t member) {
  const Label& label = game_->graph.label(edge);
  const bool passed = passes(label, edge);
  if (!quiet_ && member == 0) at_edge(edge, passed);
  if (!passed) return false;
  if (!quiet_ && member == 0) before(edge);
  std::vector<bool> truths;
  if (!quiet_) truths = truths_at(edge);
  if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    state_.assign(*assign);
  } else if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    state_.choose(any->lhs, game_->members(any->type)[member]);
  } else if (search.moves && ir::is_tag(label)) {
    show(label, edge);
  }
  if (!quiet_) behind(edge, truths);
  return true;
}

void ClaimWalker::show(const Label& label, EdgeId edge) {
  if (const auto* tag = std::get_if<ir::Tag>(&label)) {
    tags_.push_back(tag->symbol);
  } else {
    const auto [cell, last] = state_.cells_of(std::get<ir::TagVariable>(label).variable);
    if (!quiet_) fail_unread(state_.mark(cell), edge);
    tags_.emplace_back(state_.cell(cell));
  }
  if (tags_.size() > kMostTags) throw TooLong();
  if (!hiding_ || quiet_) return;
  const auto [first, last] = state_.cells_of(game_->visible());
  for (std::uint32_t cell = first; cell < last; ++cell) fail_unread(state_.mark(cell), edge);
}

bool ClaimWalker::passes(const Label& label, EdgeId at) {
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    std::uint32_t seen = 0;
    const bool holds = state_.holds(*compare, seen);
    if (seen != 0 && !quiet_) fail_unread(seen, at);
    return holds;
  }
  if (const auto* check = std::get_if<ir::Reachability>(&label)) return reaches(*check) != check->negated;
  return true;
}

bool ClaimWalker::reaches(const ir::Reachability& check) {
  if (check.from == check.to) return true;
  const ir::Reachability question{check.from, check.to, false};
  if (pending_.size() >= kMostPending || std::ranges::find(pending_, question) != pending_.end()) throw TooLong();
  pending_.push_back(question);
  Search search;
  search.moves = false;
  search.check = question;
  const bool found = run(search, check.from);
  pending_.pop_back();
  return found;
}

// The move is complete.
void ClaimWalker::finish(Search& search, EdgeId edge) {
  const NodeId target = game_->graph.target(edge);
  if (!quiet_ && target == game_->end()) {
    const auto [first, last] = state_.cells_of(game_->goals());
    for (std::uint32_t cell = first; cell < last; ++cell) fail_unread(state_.mark(cell), edge);
  }
  Tags shown(tags_.begin() + static_cast<std::ptrdiff_t>(search.first_tag), tags_.end());
  if (any_artificial_ && !search.futures) std::erase_if(shown, [&](SymbolId tag) { return artificial_[tag.value]; });
  if (search.futures || (search.distinct && !quiet_)) {
    WideHash labeling;
    for (const SymbolId tag : shown) labeling.add(tag.value);
    if (search.futures) {
      labeling.add(std::uint64_t{1} << 40U | merged(target).value);
      labeling.add(state_.hash().a);
      labeling.add(state_.hash().b);
    }
    const bool fresh = search.labelings.insert(labeling).second;
    if (!search.futures) {
      ++evaluated_;
      if (!fresh) fail(search.distinct_claim, "two walks read alike");
    }
  }
  if (!quiet_) check_known_effects(target);
  if (search.wanted != nullptr && !search.found && shown == *search.wanted)
    search.found = Situation{state_.content(), target};
}

std::unique_ptr<Follower> make_follower(std::shared_ptr<const ir::Game> version) {
  return std::make_unique<ClaimWalker>(std::move(version));
}

}  // namespace rgtrans::claims
