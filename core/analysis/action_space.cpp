#include "core/analysis/action_space.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/analysis/move_words.hpp"
#include "core/support/sorted.hpp"
#include "core/support/text.hpp"

namespace rgtrans::analysis {

namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 62U;
constexpr std::size_t kDeepest = 1000;             // tags of a labeling; longer ones count as endless
constexpr std::size_t kMostTogether = 20'000'000;  // total size of all sets of places

}  // namespace

// Determinizes and minimizes the automaton of the moves' texts (bottom-up, since it is acyclic).
class ActionSpaceBuilder {
 public:
  ActionSpaceBuilder(ActionSpace& space, const ir::Game& game, MoveWords& words) : space_(space), words_(words) {
    std::vector<std::pair<std::string, SymbolId>> names;
    for (const SymbolId tag : words.tags()) names.emplace_back(game.symbols.str(tag), tag);
    std::ranges::sort(names, [](const auto& a, const auto& b) { return compare_natural(a.first, b.first) < 0; });
    for (const auto& [name, tag] : names) {
      rank_.emplace(tag, static_cast<std::uint32_t>(space_.tags_.size()));
      space_.tags_.push_back(name);
    }
  }

  void build(std::uint64_t most) {
    const std::uint32_t begin = node_for(words_.starts(), 0);
    if (begin == kNone) return;
    if (space_.nodes_[begin].count > most) throw TooManyWords();
    space_.begin_ = begin;
    space_.longest_ = depths_[begin];
  }

 private:
  using Places = std::vector<MoveWords::Place>;

  // The node of the minimal automaton for a set of places; kNone if no move ends from there.
  std::uint32_t node_for(const Places& places, std::size_t depth) {
    if (places.empty()) return kNone;
    if (const auto it = node_of_.find(places); it != node_of_.end()) {
      if (it->second == kOpen) throw TooManyWords();  // a labeling without end
      return it->second;
    }
    together_ += places.size();
    if (depth > kDeepest || together_ > kMostTogether) throw TooManyWords();
    node_of_.emplace(places, kOpen);
    bool accepts = false;
    std::map<std::uint32_t, Places> next;
    for (const MoveWords::Place place : places) {
      const MoveWords::Ways& ways = words_.ways(place);
      accepts = accepts || ways.ends;
      for (const auto& [tag, target] : ways.steps) next[rank_.at(tag)].push_back(target);
    }
    std::vector<ActionSpace::Edge> edges;
    for (auto& [tag, targets] : next) {
      sort_unique(targets);
      const std::uint32_t target = node_for(targets, depth + 1);
      if (target != kNone) edges.push_back({tag, target, 0});
    }
    const std::uint32_t node = edges.empty() && !accepts ? kNone : intern(accepts, std::move(edges));
    node_of_[places] = node;
    return node;
  }

  std::uint32_t intern(bool accepts, std::vector<ActionSpace::Edge> edges) {
    std::vector<std::uint32_t> key = {accepts ? 1U : 0U};
    std::uint64_t count = accepts ? 1 : 0;
    std::uint32_t depth = 0;
    for (ActionSpace::Edge& edge : edges) {
      key.push_back(edge.tag);
      key.push_back(edge.target);
      edge.before = count;
      count = std::min(kMany, count + space_.nodes_[edge.target].count);
      depth = std::max(depth, depths_[edge.target] + 1);
    }
    const auto fresh = static_cast<std::uint32_t>(space_.nodes_.size());
    const auto [it, inserted] = known_.emplace(std::move(key), fresh);
    if (!inserted) return it->second;
    const auto first = static_cast<std::uint32_t>(space_.edges_.size());
    space_.edges_.insert(space_.edges_.end(), edges.begin(), edges.end());
    space_.nodes_.push_back({first, static_cast<std::uint32_t>(space_.edges_.size()), accepts, count});
    depths_.push_back(depth);
    return fresh;
  }

  static constexpr std::uint32_t kOpen = kNone - 1;

  ActionSpace& space_;
  MoveWords& words_;
  std::unordered_map<SymbolId, std::uint32_t> rank_;
  std::map<Places, std::uint32_t> node_of_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
  std::vector<std::uint32_t> depths_;
  std::size_t together_ = 0;
};

ActionSpace::ActionSpace(const ir::Game& game, Whose whose, std::uint64_t most) {
  ir::Game copy = game;  // analyses add expressions to the game
  for (const bool values : {true, false}) {
    tags_.clear();
    nodes_.clear();
    edges_.clear();
    try {
      MoveWords words(copy, whose == Whose::random, values);
      ActionSpaceBuilder(*this, copy, words).build(most);
      break;
    } catch (const TooManyWords&) {
      if (values) continue;
      form_ = Form::factored;
      nodes_.clear();
      edges_.clear();
    }
  }
  for (std::uint32_t i = 0; i < tags_.size(); ++i) number_of_.emplace(tags_[i], i);
}

std::uint64_t ActionSpace::size() const {
  if (form_ == Form::factored) return tags_.size() + 1;
  return nodes_.empty() ? 0 : nodes_[begin_].count;
}

std::optional<std::uint32_t> ActionSpace::tag_number(std::string_view tag) const {
  const auto it = number_of_.find(std::string(tag));
  return it == number_of_.end() ? std::nullopt : std::optional(it->second);
}

std::string_view take_tag(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view tag = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return tag;
}

std::optional<std::uint64_t> ActionSpace::id(std::string_view text) const {
  std::vector<std::uint32_t> places;
  while (!text.empty()) {
    const std::optional<std::uint32_t> tag = tag_number(take_tag(text));
    if (!tag) return std::nullopt;
    places.push_back(*tag);
  }
  return id(places);
}

std::optional<std::uint64_t> ActionSpace::id(std::span<const std::uint32_t> places) const {
  if (form_ != Form::flat || nodes_.empty()) return std::nullopt;
  std::uint64_t result = 0;
  std::uint32_t node = begin_;
  for (const std::uint32_t tag : places) {
    const auto first = edges_.begin() + nodes_[node].first;
    const auto last = edges_.begin() + nodes_[node].last;
    const auto edge = std::lower_bound(first, last, tag, [](const Edge& e, std::uint32_t t) { return e.tag < t; });
    if (edge == last || edge->tag != tag) return std::nullopt;
    result += edge->before;
    node = edge->target;
  }
  return nodes_[node].accepts ? std::optional(result) : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> ActionSpace::ids(std::string_view text) const {
  std::vector<std::uint64_t> result;
  while (!text.empty()) {
    const std::optional<std::uint32_t> tag = tag_number(take_tag(text));
    if (!tag) return std::nullopt;
    result.push_back(*tag + 1);
  }
  return result;
}

std::vector<std::uint32_t> ActionSpace::places(std::uint64_t id) const {
  if (form_ != Form::flat || id >= size()) throw std::out_of_range("the action space has no such number");
  std::vector<std::uint32_t> result;
  for (std::uint32_t node = begin_; id > 0 || !nodes_[node].accepts;) {
    const auto first = edges_.begin() + nodes_[node].first;
    const auto last = edges_.begin() + nodes_[node].last;
    const auto edge =
        std::upper_bound(first, last, id, [](std::uint64_t i, const Edge& e) { return i < e.before; }) - 1;
    result.push_back(edge->tag);
    id -= edge->before;
    node = edge->target;
  }
  return result;
}

std::string ActionSpace::text(std::uint64_t id) const {
  if (id >= size()) throw std::out_of_range("the action space has no such number");
  if (form_ == Form::factored) return id == 0 ? "" : tags_[id - 1];
  std::string result;
  for (const std::uint32_t tag : places(id)) result += (result.empty() ? "" : " ") + tags_[tag];
  return result;
}

}  // namespace rgtrans::analysis
