#include "backends/cpp/next_tags.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

bool NextTags::add(Front& front, std::uint32_t node, const PossibleValues::Codes& row) {
  const auto [it, fresh] = front.try_emplace(node, row);
  bool grew = fresh;
  for (std::size_t w = 0; !fresh && w < row.size(); ++w) {
    grew |= (row[w] & ~it->second[w]) != 0;
    it->second[w] |= row[w];
  }
  return grew;
}

// One step further: to a tag, or to a node that was not reached with these values before.
void NextTags::follow(const Step& step, const PossibleValues::Codes& row, Front& reached,
                      std::vector<std::uint32_t>& work, Fronts& tags) const {
  if (step.ends_move) {
    tags[0];
  } else if (step.kind == Deed::tag) {
    add(tags[model_.tag_of.at(step.symbol.value)], step.to, row);
  } else if (step.kind == Deed::tag_variable && !model_.assigned[step.variable.value]) {
    const Folded shown = model_.fold(model_.game.variable_ref(step.variable));
    add(tags[model_.tag_of.at(shown.symbol.value)], step.to, row);
  } else if (step.kind == Deed::tag_variable) {
    const Universe& universe = model_.universe(step.variable);
    for (const std::uint32_t code : model_.values->codes_of(row, step.variable)) {
      PossibleValues::Codes fixed = row;
      model_.values->fix(fixed, step.variable, code);
      add(tags[universe.tags[code]], step.to, fixed);
    }
  } else {
    after_ = row;
    if (model_.values->pass(step, after_) && add(reached, step.to, after_)) work.push_back(step.to);
  }
}

NextTags::Fronts NextTags::behind(const Front& front) const {
  Fronts tags;
  Front reached = front;
  std::vector<std::uint32_t> work;
  for (const auto& [node, row] : front) work.push_back(node);
  finish(reached, work, tags);
  return tags;
}

NextTags::Fronts NextTags::behind(const Step& first, const PossibleValues::Codes& row) const {
  Fronts tags;
  Front reached;
  std::vector<std::uint32_t> work;
  follow(first, row, reached, work, tags);
  finish(reached, work, tags);
  return tags;
}

void NextTags::finish(Front& reached, std::vector<std::uint32_t>& work, Fronts& tags) const {
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    const PossibleValues::Codes row = reached.at(node);
    for (const std::uint32_t s : context_.at(node).out) follow(model_.steps[s], row, reached, work, tags);
  }
}

std::vector<VarId> NextTags::candidates(std::uint32_t node) const {
  std::vector<std::uint32_t> read;  // variables, some several times
  std::vector<std::uint32_t> work{node};
  if (searches_.empty()) searches_.assign(model_.out.size(), 0);
  searches_[node] = ++search_;
  const auto note = [&](VarId v) { read.push_back(v.value); };
  while (!work.empty()) {
    if (!may_try(node)) return {};
    const std::uint32_t at = work.back();
    work.pop_back();
    looked_at_ += kEfforts.candidate_step * context_.at(at).out.size();
    for (const Step& step : model_.steps_at(context_.at(at).out)) {
      if (step.kind == Deed::tag_variable) note(step.variable);
      if (step.kind == Deed::assign || step.kind == Deed::compare) model_.for_each_read(step.rhs, note);
      if (step.kind == Deed::compare) model_.for_each_read(step.lhs, note);
      if (step.kind == Deed::tag_variable || step.ends_move || searches_[step.to] == search_) continue;
      searches_[step.to] = search_;
      work.push_back(step.to);
    }
  }
  sort_unique(read);
  std::vector<std::pair<std::size_t, VarId>> found;
  const PossibleValues::Codes row = model_.values->values_at(node);
  for (const std::uint32_t v : read) {
    if (!context_.live_at(node).test(v) || !model_.values->tracked(VarId(v))) continue;
    const std::size_t count = model_.values->codes_of(row, VarId(v)).size();
    if (count > 1 && count <= kEfforts.candidate_values) found.emplace_back(count, VarId(v));
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<VarId> result;
  for (std::size_t i = 0; i < found.size() && i < kEfforts.candidates; ++i) result.push_back(found[i].second);
  return result;
}

bool NextTags::may_try(std::uint32_t node) const {
  if (!model_.values->usable() || !model_.values->reached(node)) return false;
  if (!started_) started_ = model_.values->effort();
  return model_.values->effort() - *started_ + looked_at_ < most_effort_;
}

}  // namespace rgtrans::cpp
