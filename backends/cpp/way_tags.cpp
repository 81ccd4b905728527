// See way_tags.hpp.
#include "backends/cpp/way_tags.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::cpp {

WayTags::WayTags(NumberedGame& model, const CodeContext& context)
    : model_(model), context_(context), next_(model, context, kEfforts.way_tags) {
  find_related();
}

// No labeling goes on in the same manner from both, as far as a few tags show.
bool WayTags::differ(const Fronts& a, const Fronts& b, int depth) const {
  for (const auto& [tag, front] : a) {
    const auto other = b.find(tag);
    if (other == b.end()) continue;
    if (tag == 0 || depth == 0 || !may_try()) return false;
    if (!differ(next_.behind(front), next_.behind(other->second), depth - 1)) return false;
  }
  return true;
}

bool WayTags::may_try() const { return next_.may_try(node_); }

void WayTags::find_related() {
  for (const CodeContext::Edge& edge : context_.edges) {
    const Step& step = model_.steps[edge.number];
    if (step.kind != Deed::compare || related_.size() == kEfforts.related) continue;
    Reads reads;
    reads.add(model_, step.lhs);
    reads.add(model_, step.rhs);
    if (reads.maps || reads.scalars.size() != 2) continue;
    related_.push_back({&step, reads.scalars[0], reads.scalars[1], {}});
    related_.back().open = find_open(related_.back());
  }
}

// Where walks come that have not passed the comparison since one of its variables changed.
std::vector<bool> WayTags::find_open(const Related& related) const {
  std::vector<std::uint32_t> starts;
  const auto start = [&](std::uint32_t node) {
    if (context_.contains(node)) starts.push_back(context_.local.at(node));
  };
  std::ranges::for_each(context_.entries, start);
  for (const CodeContext::Edge& edge : context_.edges) {
    const Step& step = model_.steps[edge.number];
    const bool changes = is_assignment(step) && (step.variable == related.first || step.variable == related.second);
    if (changes && !step.ends_move) start(step.to);
  }
  return rgtrans::reached_from(context_.nodes.size(), starts, [&](std::uint32_t i, const auto& reach) {
    for (const Step& step : model_.steps_at(context_.info[i].out)) {
      if (&step != related.step && !step.ends_move && context_.contains(step.to)) reach(context_.local.at(step.to));
    }
  });
}

// Variables whose values are tried one by one: some alone, none, those of a comparison that holds here, and two
// together, such as the square where a ray has come and its direction.
std::vector<WayTags::Bases> WayTags::bases_here() const {
  std::vector<Bases> result;
  const std::vector<VarId> candidates = next_.candidates(node_);
  for (const VarId v : candidates) result.push_back({v});
  result.emplace_back();
  for (const Related& related : related_) {
    const bool known = model_.values->tracked(related.first) && model_.values->tracked(related.second);
    if (!related.open[context_.local.at(node_)] && known) result.push_back({related.first, related.second});
  }
  std::vector<std::size_t> values;
  if (!candidates.empty()) {
    const PossibleValues::Codes row = model_.values->values_at(node_);
    for (const VarId v : candidates) values.push_back(model_.values->codes_of(row, v).size());
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t k = i + 1; k < candidates.size(); ++k) {
      if (values[i] * values[k] <= kEfforts.related_values) result.push_back({candidates[i], candidates[k]});
    }
  }
  return result;
}

// A comparison that holds here does not hold for these values.
bool WayTags::excluded(const Bases& bases, const std::vector<std::uint32_t>& codes) const {
  if (bases.size() != 2) return false;
  Bindings bindings;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const Universe& universe = model_.universe(bases[i]);
    bindings.emplace_back(model_.game.variable_ref(bases[i]), universe.symbols[codes[i]]);
  }
  return std::ranges::any_of(related_, [&](const Related& related) {
    return !related.open[context_.local.at(node_)] && !model_.holds(*related.step, bindings).value_or(true);
  });
}

const WayTags::Fronts& WayTags::known_tags(const Step& step, const Bases& bases,
                                           const std::vector<std::uint32_t>& codes,
                                           const PossibleValues::Codes& row) const {
  std::vector<std::uint32_t> key = codes;
  for (const VarId base : bases) key.push_back(base.value);
  key.push_back(step.edge.value);
  const auto [it, fresh] = known_tags_.try_emplace(std::move(key));
  if (fresh) it->second = next_.behind(step, row);
  return it->second;
}

bool WayTags::choices_differ(const Step& any, const PossibleValues::Codes& row) const {
  std::vector<NextTags::Front> fronts;
  for (const std::uint32_t choice : model_.member_codes(any.type)) {
    PossibleValues::Codes fixed = row;
    model_.values->fix(fixed, any.variable, choice);
    fronts.push_back({{any.to, std::move(fixed)}});
  }
  return all_differ(fronts, kEfforts.followed_tags);
}

// No labeling goes on in the same manner from two of them, as far as a few tags show.
bool WayTags::all_differ(const std::vector<NextTags::Front>& fronts, int depth) const {
  std::map<std::uint32_t, std::vector<NextTags::Front>> by_tag;
  for (const NextTags::Front& front : fronts) {
    if (!may_try()) return false;
    for (auto& [tag, next] : next_.behind(front)) by_tag[tag].push_back(std::move(next));
  }
  return std::ranges::all_of(by_tag, [&](const auto& row) {
    return row.second.size() == 1 || (row.first != 0 && depth > 0 && all_differ(row.second, depth - 1));
  });
}

bool WayTags::show_branch(const Step& a, const Step& b) const {
  if (!may_try()) return false;
  return std::ranges::any_of(bases_here(), [&](const Bases& bases) {
    return all_values(bases, [&](const std::vector<std::uint32_t>& codes, const PossibleValues::Codes& row) {
      return differ(known_tags(a, bases, codes, row), known_tags(b, bases, codes, row), kEfforts.followed_tags);
    });
  });
}

bool WayTags::show_choice(const Step& any) const {
  if (!may_try() || !model_.scalar(any.variable)) return false;
  std::vector<Bases> bases = bases_here();
  std::stable_partition(bases.begin(), bases.end(), [](const Bases& one) { return one.empty(); });
  return std::ranges::any_of(bases, [&](const Bases& one) {
    return all_values(one, [&](const std::vector<std::uint32_t>& /*codes*/, const PossibleValues::Codes& row) {
      return choices_differ(any, row);
    });
  });
}

}  // namespace rgtrans::cpp
