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

constexpr std::uint64_t kMostSteps = 2'000'000;  // for the moves of one state
constexpr std::size_t kMostPending = 500;        // checks within checks
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
    if (std::holds_alternative<ir::RuleClaim>(list[number].content)) continue;  // of another follower
    if (can_be_evaluated(list[number])) {
      index(list[number], number);
    } else {
      ++retired_;
    }
  }
  find_busy();
}

// From which nodes an exploration can come to something that is claimed.
void ClaimWalker::find_busy() {
  const ir::Automaton& graph = game_->graph;
  busy_.assign(graph.node_bound(), false);
  std::unordered_map<NodeId, std::vector<NodeId>> asking;  // by the start of a check
  std::vector<NodeId> work;
  const auto reach = [&](NodeId node) {
    if (busy_[node.value]) return;
    busy_[node.value] = true;
    work.push_back(node);
  };
  for (const NodeId node : graph.nodes())
    if (!at_node_[node.value].empty() || effects_.contains(node)) reach(node);
  for (const EdgeId edge : graph.edges()) {
    const ir::VarId written = ir::written_variable(*game_, graph.label(edge));
    if (!at_edge_[edge.value].empty() || (written.valid() && !of_variable_[written.value].empty()))
      reach(graph.source(edge));
    if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge)))
      asking[check->from].push_back(graph.source(edge));
  }
  while (!work.empty()) {
    const NodeId node = work.back();
    work.pop_back();
    for (const EdgeId edge : graph.in_edges(node))
      if (!game_->is_player_assignment(graph.label(edge))) reach(graph.source(edge));
    if (const auto it = asking.find(node); it != asking.end()) std::ranges::for_each(it->second, reach);
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

void ClaimWalker::look() { evaluate(); }

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
    evaluate();
    if (given_up_) return;
    std::optional<Situation> next = find(&wanted, kMostSteps);
    if (given_up_) return;
    const bool keeper_here = state_.cell(state_.cells_of(game_->player()).first) == game_->keeper().value;
    const bool made = next.has_value();
    // Versions may have different moves of keeper, and show other tags of these. Keeper has made them all before
    // another player moves.
    if (!made && keeper) return;
    if (!made && keeper_here) next = find(nullptr, kMostSteps);
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

// Evaluates the claims about the present state and the moves from it, once per state.
void ClaimWalker::evaluate() {
  if (looked_ || given_up_) return;
  looked_ = true;
  check_values();
  Search search;
  search.purpose = Purpose::evaluate;
  if (const auto distinct = distinct_.find(node_); distinct != distinct_.end()) {
    search.distinct = true;
    search.distinct_claim = distinct->second;
  }
  quiet_ = false;
  start(search, kMostSteps);
}

// Where the wanted move leads, or any one.
std::optional<ClaimWalker::Situation> ClaimWalker::find(const Tags* wanted, std::uint64_t most_steps,
                                                        const std::function<bool(NodeId)>& accepts) {
  Search search;
  search.purpose = Purpose::find;
  search.wanted = wanted;
  search.accepts = accepts;
  quiet_ = true;
  start(search, most_steps);
  // The other versions may have reached either of the two ends: the game is not proper.
  given_up_ = given_up_ || search.ambiguous;
  return std::move(search.found);
}

void ClaimWalker::start(Search& search, std::uint64_t most_steps) {
  steps_ = 0;
  most_steps_ = most_steps;
  tags_.clear();
  writes_.clear();
  passed_.clear();
  pending_.clear();
  try {
    run(search, node_);
  } catch (const TooLong&) {
    given_up_ = true;
    state_.back_to(0);
  }
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
      found = search.ambiguous || (search.found && (search.accepts || search.wanted == nullptr));
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
  return node == search.check.to || (search.purpose == Purpose::futures && merged(node) == merged(search.check.to));
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
  // If some variables distinguish the arrivals at a node, engines use them to recognise a second arrival. Claims about
  // other nodes assume that this is right.
  for (const std::uint32_t number : at_node_[node.value]) {
    const auto* told = std::get_if<ir::ToldApart>(&claim(number).content);
    if (fresh && told != nullptr && !check_told_apart(search, number, *told)) return false;
  }
  if (fresh) at_arrival(search, node);
  if (fresh && search.moves && effects_.contains(node)) passed_.push_back({node, state_.time(), tags_.size()});
  // Where nothing is claimed behind the node, nothing is to be seen there.
  const bool idle = search.purpose == Purpose::evaluate && search.moves && !busy_[node.value] && !marks_ &&
                    passed_.empty() && !search.distinct;
  return fresh && !idle;
}

// Whether the walk continues after the edge.
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
  if (!quiet_) {
    behind(edge, truths);
  } else if (search.purpose == Purpose::find) {
    mark_behind(edge);
  }
  return !search.moves || search.wanted == nullptr || begins(*search.wanted);
}

// Whether the tags so far may be those of the move.
bool ClaimWalker::begins(const Tags& wanted) const {
  std::size_t count = 0;
  for (const SymbolId tag : tags_) {
    if (artificial_[tag.value]) continue;
    if (count == wanted.size() || wanted[count] != tag) return false;
    ++count;
  }
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

bool ClaimWalker::ends_alike(const Situation& other, NodeId node) {
  if (node != other.node) return false;
  for (std::uint32_t cell = 0; cell < other.content.cells.size(); ++cell)
    if (other.content.cells[cell] != state_.cell(cell) && live(state_.variable_of(cell), node)) return false;
  return true;
}

// The move is complete.
void ClaimWalker::finish(Search& search, EdgeId edge) {
  const NodeId target = game_->graph.target(edge);
  if (!quiet_ && target == game_->end()) {
    const auto [first, last] = state_.cells_of(game_->goals());
    for (std::uint32_t cell = first; cell < last; ++cell) fail_unread(state_.mark(cell), edge);
  }
  Tags shown(tags_.begin() + static_cast<std::ptrdiff_t>(search.first_tag), tags_.end());
  const bool futures = search.purpose == Purpose::futures;
  if (any_artificial_ && !futures) std::erase_if(shown, [&](SymbolId tag) { return artificial_[tag.value]; });
  if (futures || (search.distinct && !quiet_)) {
    WideHash labeling;
    for (const SymbolId tag : shown) labeling.add(tag.value);
    if (futures) {
      labeling.add(std::uint64_t{1} << 40U | merged(target).value);
      labeling.add(state_.hash().a);
      labeling.add(state_.hash().b);
    }
    const bool fresh = search.labelings.insert(labeling).second;
    if (!futures) {
      ++evaluated_;
      if (!fresh) fail(search.distinct_claim, "two walks read alike");
    }
  }
  if (!quiet_) check_known_effects(target);
  if (search.purpose != Purpose::find) return;
  if (search.wanted == nullptr) {
    if (!search.found) search.found = Situation{state_.content(), target};
    return;
  }
  if (shown != *search.wanted) return;
  if (search.accepts && !search.accepts(target)) return;
  if (search.found) {
    search.ambiguous = search.ambiguous || !ends_alike(*search.found, target);
  } else {
    search.found = Situation{state_.content(), target};
  }
}

std::unique_ptr<Follower> make_follower(std::shared_ptr<const ir::Game> version) {
  return std::make_unique<ClaimWalker>(std::move(version));
}

}  // namespace rgtrans::claims
