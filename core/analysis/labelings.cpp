#include "core/analysis/labelings.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/analysis.hpp"
#include "core/analysis/value_sets.hpp"

namespace rgtrans::analysis {

namespace {

constexpr std::size_t kMostTags = 100;        // of a labeling; more means without end
constexpr std::size_t kPrefixesAWord = 1000;  // that may be looked at in vain

struct TooMany {};

// The automaton without its conditions, made deterministic on the way: a place is the set of nodes that one prefix
// leads to.
class Words {
 public:
  Words(ir::Game& game, std::size_t most)
      : game_(game), flow_(game), sets_(game, flow_), artificial_(artificial_tags(game)), most_(most) {}

  std::vector<std::vector<SymbolId>> run() {
    std::set<ir::NodeId> starts;
    for (ir::EdgeId edge : game_.graph.edges()) {
      const ir::NodeId source = game_.graph.source(edge);
      if (flow_.main(source) && sets_.possible(source) && moves(game_.graph.label(edge), source))
        starts.insert(game_.graph.target(edge));
    }
    const ir::ValueId first = game_.variable(game_.player()).initial;
    if (game_.values.as_symbol(first) != game_.keeper()) starts.insert(game_.begin());
    // Every start by itself: a prefix of one is no prefix of a move from another.
    for (ir::NodeId start : starts) extend({start});
    return {words_.begin(), words_.end()};
  }

 private:
  // An assignment after which somebody else than keeper moves.
  bool moves(const ir::Label& label, ir::NodeId node) {
    if (!game_.is_player_assignment(label)) return false;
    const auto* assign = std::get_if<ir::Assign>(&label);
    return assign == nullptr || sets_.sets().single(sets_.values(assign->rhs, node)) != game_.keeper();
  }

  void extend(std::vector<ir::NodeId> open) {
    if (prefix_.size() > kMostTags || ++prefixes_ > most_ * kPrefixesAWord) throw TooMany();
    std::map<SymbolId, std::vector<ir::NodeId>> next;
    bool ends = false;
    std::set<ir::NodeId> seen(open.begin(), open.end());
    while (!open.empty()) {
      const ir::NodeId node = open.back();
      open.pop_back();
      if (!flow_.reached(node) || !sets_.possible(node)) continue;
      for (ir::EdgeId edge : game_.graph.out_edges(node)) {
        const ir::Label& label = game_.graph.label(edge);
        const ir::NodeId target = game_.graph.target(edge);
        const auto* compare = std::get_if<ir::Compare>(&label);
        const auto* tag = std::get_if<ir::Tag>(&label);
        const auto* shown = std::get_if<ir::TagVariable>(&label);
        if (game_.is_player_assignment(label)) {
          ends = true;
        } else if (shown != nullptr) {
          const SetId values = sets_.values(game_.variable_ref(shown->variable), node);
          for (SymbolId value : sets_.sets().of(values)) next[value].push_back(target);
        } else if (tag != nullptr && !artificial_[tag->symbol.value]) {
          next[tag->symbol].push_back(target);
        } else if ((compare == nullptr || sets_.can_hold(*compare, node)) && seen.insert(target).second) {
          open.push_back(target);
        }
      }
    }
    if (ends && words_.insert(prefix_).second && words_.size() > most_) throw TooMany();
    for (auto& [symbol, nodes] : next) {
      prefix_.push_back(symbol);
      extend(std::move(nodes));
      prefix_.pop_back();
    }
  }

  ir::Game& game_;
  const Flow flow_;
  ValueSets sets_;
  const std::vector<bool> artificial_;
  const std::size_t most_;
  std::set<std::vector<SymbolId>> words_;
  std::vector<SymbolId> prefix_;
  std::size_t prefixes_ = 0;
};

}  // namespace

std::optional<std::vector<std::vector<SymbolId>>> labelings(ir::Game& game, std::size_t most) {
  try {
    return Words(game, most).run();
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

}  // namespace rgtrans::analysis
