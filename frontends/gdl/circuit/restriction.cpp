#include "frontends/gdl/circuit/restriction.hpp"

#include <algorithm>

namespace rgtrans::gdl {

namespace {

std::vector<bool> needed_by(const Circuit& circuit, std::uint32_t size, const std::vector<Wire>& roots) {
  std::vector<bool> needed(size);
  for (const Wire w : roots) needed[node_of(w)] = true;
  for (std::uint32_t n = size; n-- > 0;) {
    if (!needed[n] || circuit.kind(n) != Circuit::Kind::conjunction) continue;
    for (const Wire w : circuit.inputs(n)) needed[node_of(w)] = true;
  }
  return needed;
}

}  // namespace

std::vector<std::uint32_t> cone_of(const Circuit& circuit, const std::vector<Wire>& roots) {
  const std::vector<bool> needed = needed_by(circuit, circuit.size(), roots);
  std::vector<std::uint32_t> cone;
  for (std::uint32_t n = 0; n < circuit.size(); ++n) {
    if (needed[n]) cone.push_back(n);
  }
  return cone;
}

Restriction::Restriction(Circuit& circuit, const std::vector<Wire>& roots)
    : circuit_(circuit), cone_(cone_of(circuit, roots)) {
  const std::uint32_t size = circuit.size();
  knowledge_.resize(circuit.variables());
  values_.resize(circuit.variables());
  attended_.assign(size, true);
  image_.resize(size);
  for (std::uint32_t n = 0; n < size; ++n) image_[n] = 2 * n;
  chosen_.resize(size);
  stamp_.assign(size, 0);
  queued_.assign(size, 0);
  users_ = Grouped(size, [&](auto&& add) {
    for (const std::uint32_t n : cone_)
      if (circuit.kind(n) == Circuit::Kind::conjunction)
        for (const Wire w : circuit.inputs(n)) add(node_of(w), n);
  });
}

void Restriction::know(std::uint32_t variable, std::vector<std::uint32_t> values) {
  knowledge_[variable] = Knowledge::values;
  values_[variable] = std::move(values);
}

void Restriction::postpone(std::uint32_t variable) { knowledge_[variable] = Knowledge::postponed; }

Wire Restriction::leaf_image(std::uint32_t node) const {
  const std::uint32_t variable = circuit_.variable(node);
  if (knowledge_[variable] == Knowledge::postponed) return kNever;
  if (knowledge_[variable] == Knowledge::none) return 2 * node;
  const auto list = circuit_.values(node);
  const auto holding = static_cast<std::size_t>(
      std::ranges::count_if(values_[variable], [&](std::uint32_t v) { return std::ranges::binary_search(list, v); }));
  return holding == 0 ? kNever : holding == values_[variable].size() ? kAlways : 2 * node;
}

Wire Restriction::gate_image(std::uint32_t node) {
  ++work_;
  scratch_.clear();
  bool same = true;
  for (const Wire w : circuit_.inputs(node)) {
    const Wire image = (*this)(w);
    if (image == kNever) return kNever;
    same = same && image == w;
    scratch_.push_back(image);
  }
  return same ? 2 * node : circuit_.conjunction(scratch_);
}

void Restriction::run() {
  for (const std::uint32_t n : cone_) {
    if (circuit_.kind(n) == Circuit::Kind::leaf) image_[n] = leaf_image(n);
    if (circuit_.kind(n) == Circuit::Kind::conjunction) image_[n] = gate_image(n);
  }
  first_listing_.assign(circuit_.variables(), kNone);
  std::uint32_t all = 0;
  for (std::uint32_t variable = 0; variable < circuit_.variables(); ++variable) {
    if (knowledge_[variable] != Knowledge::postponed) continue;
    first_listing_[variable] = all;
    all += circuit_.domain(variable);
  }
  listing_ = Grouped(all, [&](auto&& add) {
    for (const std::uint32_t n : cone_) {
      if (circuit_.kind(n) != Circuit::Kind::leaf || first_listing_[circuit_.variable(n)] == kNone) continue;
      for (const std::uint32_t v : circuit_.values(n)) add(first_listing_[circuit_.variable(n)] + v, n);
    }
  });
}

void Restriction::attend(const std::vector<Wire>& roots) {
  attended_ = needed_by(circuit_, static_cast<std::uint32_t>(image_.size()), roots);
}

void Restriction::choose(std::uint32_t variable, std::uint32_t value) {
  forget();
  if (first_listing_[variable] == kNone) return;
  const auto change = [&](std::uint32_t node, Wire image) {
    if (image == image_[node]) return;
    chosen_[node] = image;
    stamp_[node] = current_;
    changed_.push_back(node);
    for (const std::uint32_t user : users_[node]) {
      if (queued_[user] == current_ || !attended_[user]) continue;
      queued_[user] = current_;
      heap_.push_back(user);
      std::ranges::push_heap(heap_, std::greater<>());
    }
  };
  for (const std::uint32_t leaf : listing_[first_listing_[variable] + value]) change(leaf, kAlways);
  while (!heap_.empty()) {
    std::ranges::pop_heap(heap_, std::greater<>());
    const std::uint32_t node = heap_.back();
    heap_.pop_back();
    change(node, gate_image(node));
  }
}

}  // namespace rgtrans::gdl
