#include "backends/proper/matching.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/support/clock.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::proper {

namespace {

constexpr std::size_t kMostPlaces = 200'000;

// A walk of the check is at one node, the matching walk of the move at the other. Their states are equal except for
// these variables.
struct Place {
  ir::NodeId check, move;
  Bits differ;
  bool operator==(const Place&) const = default;
};
struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    std::uint64_t hash = combine_hash(place.check.value, place.move.value);
    place.differ.for_each([&](std::size_t variable) { hash = combine_hash(hash, variable); });
    return hash;
  }
};

class Matching {
 public:
  Matching(KnownGame& known, const ir::Reachability& check, const std::vector<bool>& sure, double seconds)
      : known_(known), game_(known.game), check_(check), sure_(sure), seconds_(seconds) {
    on_check_ =
        reached_from(game_.graph.node_bound(), std::span(&check.to.value, 1), [&](std::uint32_t node, auto&& f) {
          for (const ir::EdgeId edge : game_.graph.in_edges(ir::NodeId(node))) f(game_.graph.source(edge).value);
        });
  }

  bool run(ir::NodeId start) {
    // The check was made earlier. Since then no variable that it reads was written, but others may have been.
    Bits differ = Bits::full(game_.variables().size());
    known_.inputs.of(check_).for_each([&](std::size_t variable) { differ.reset(variable); });
    add({check_.from, start, std::move(differ)});
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_.size() > kMostPlaces || processor_seconds() - begin_ > seconds_) return false;
      expand(i);
    }
    // The greatest solution: a place is given up where some step of the check has no match left.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = places_.size(); i-- > 0;) {
        if (!matched_[i]) continue;
        const auto open = [&](const std::vector<std::size_t>& choices) {
          return std::ranges::none_of(choices, [&](std::size_t place) { return matched_[place]; });
        };
        if (!std::ranges::any_of(steps_[i], open)) continue;
        matched_[i] = false;
        changed = true;
      }
    }
    return matched_[0];
  }

 private:
  struct Reached {
    ir::NodeId node;
    Bits differ;
  };

  std::size_t add(Place place) {
    const auto [it, fresh] = index_.try_emplace(place, places_.size());
    if (fresh) {
      places_.push_back(std::move(place));
      steps_.emplace_back();
      matched_.push_back(true);
    }
    return it->second;
  }

  [[nodiscard]] Truth ask(const ir::Label& condition, ir::NodeId node) {
    return known_.flow.reached(node) && known_.known.possible(node) ? known_.known.ask(condition, node)
                                                                    : Truth::unknown;
  }

  // Whether the label means the same in two states that differ in these variables.
  [[nodiscard]] bool agrees(const ir::Label& label, const Bits& differ) {
    bool same = true;
    if (const auto* check = std::get_if<ir::Reachability>(&label)) {
      known_.inputs.of(*check).for_each([&](std::size_t variable) { same = same && !differ.test(variable); });
    } else {
      ir::for_each_read(game_, label, [&](ir::VarId variable) { same = same && !differ.test(variable.value); });
    }
    return same;
  }

  // The nodes that the move reaches while the check stays where it is.
  std::vector<Reached> reachable(const Place& place) {
    std::vector<Reached> found{{place.move, place.differ}};
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (sure_[found[i].node.value]) return {found[i]};
      for (const ir::EdgeId edge : game_.graph.out_edges(found[i].node)) {
        const ir::Label& label = game_.graph.label(edge);
        Bits differ = found[i].differ;
        if (ir::is_condition(label)) {
          if (ask(label, found[i].node) != Truth::yes &&
              (ask(label, place.check) != Truth::yes || !agrees(label, differ)))
            continue;
        } else if (const ir::VarId written = ir::written_variable(game_, label); written.valid()) {
          const auto* any = std::get_if<ir::AssignAny>(&label);
          if (known_.liveness.live(written, place.check) || (any != nullptr && game_.members(any->type).empty()))
            continue;
          differ.set(written.value);
        }
        const ir::NodeId target = game_.graph.target(edge);
        if (std::ranges::none_of(found, [&](const Reached& old) { return old.node == target && old.differ == differ; }))
          found.push_back({target, std::move(differ)});
      }
    }
    return found;
  }

  void expand(std::size_t at) {
    const Place place = places_[at];
    const std::vector<Reached> moves = reachable(place);
    if (sure_[moves.front().node.value]) return;
    if (place.check == check_.to) {
      matched_[at] = false;
      return;
    }
    for (const ir::EdgeId edge : game_.graph.out_edges(place.check)) {
      const ir::NodeId target = game_.graph.target(edge);
      const ir::Label label = ir::canonical(game_, game_.graph.label(edge));
      if (!on_check_[target.value]) continue;
      if (ir::is_condition(label) && ask(label, place.check) == Truth::no) continue;
      std::vector<std::size_t> choices;
      const ir::VarId written = ir::written_variable(game_, label);
      for (const Reached& move : moves) {
        const bool same = agrees(label, move.differ);
        if (!written.valid() && (!ir::is_condition(label) || !same)) continue;
        for (const ir::EdgeId step : game_.graph.out_edges(move.node)) {
          if (ir::canonical(game_, game_.graph.label(step)) != label) continue;
          Bits differ = move.differ;
          if (written.valid() && !same) differ.set(written.value);
          if (written.valid() && same && ir::writes_whole(game_, label)) differ.reset(written.value);
          choices.push_back(add({target, game_.graph.target(step), std::move(differ)}));
        }
      }
      if (choices.empty()) {
        Bits differ = place.differ;
        if (written.valid()) differ.set(written.value);
        choices.push_back(add({target, place.move, std::move(differ)}));
      }
      steps_[at].push_back(std::move(choices));
    }
  }

  KnownGame& known_;
  ir::Game& game_;
  const ir::Reachability check_;
  const std::vector<bool>& sure_;
  const double seconds_;
  const double begin_ = processor_seconds();
  std::vector<bool> on_check_;  // by node: the target of the check can be reached
  std::vector<Place> places_;
  std::unordered_map<Place, std::size_t, PlaceHash> index_;
  std::vector<std::vector<std::vector<std::size_t>>> steps_;  // by place, by step of the check: the places that match
  std::vector<bool> matched_;                                 // by place
};

}  // namespace

bool implies_move(KnownGame& known, const ir::Reachability& check, ir::NodeId start, const std::vector<bool>& sure,
                  double seconds) {
  return Matching(known, check, sure, seconds).run(start);
}

}  // namespace rgtrans::proper
