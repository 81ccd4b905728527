// See partition.hpp.
#include "core/form/partition.hpp"

#include <algorithm>
#include <numeric>

#include "core/support/support.hpp"

namespace rgtrans::form {

Partition::Partition(const PartGraph& graph)
    : order_(graph.size()), place_(graph.size()), begin_(graph.size()), length_(graph.size(), 0) {
  std::iota(order_.begin(), order_.end(), 0U);
  const std::vector<std::uint64_t>& colours = graph.colours();
  std::ranges::sort(order_, {}, [&](Vertex v) { return colours[v]; });
  for (std::uint32_t i = 0, begin = 0; i < order_.size(); ++i) {
    if (i == 0 || colours[order_[i]] != colours[order_[i - 1]]) {
      begin = i;
      ++cells_;
    }
    place_[order_[i]] = i;
    begin_[order_[i]] = begin;
    ++length_[begin];
  }
}

std::vector<PartGraph::Vertex> Partition::smallest_cell() const {
  std::uint32_t best = kNone;
  for (std::uint32_t i = 0; i < order_.size(); i += length_[i]) {
    if (length_[i] > 1 && (best == kNone || length_[i] < length_[best])) best = i;
  }
  return {order_.begin() + best, order_.begin() + best + length_[best]};
}

std::uint32_t Partition::separate(Vertex v) {
  const std::uint32_t begin = begin_[v], length = length_[begin];
  const Vertex first = order_[begin];
  order_[place_[v]] = first;
  place_[first] = place_[v];
  order_[begin] = v;
  place_[v] = begin;
  length_[begin] = 1;
  length_[begin + 1] = length - 1;
  for (std::uint32_t i = begin + 1; i < begin + length; ++i) begin_[order_[i]] = begin + 1;
  ++cells_;
  return begin;
}

Refiner::Refiner(const PartGraph& graph)
    : graph_(graph), sums_(graph.size(), 0), seen_(graph.size(), false), queued_(graph.size(), false) {}

void Refiner::push(std::uint32_t cell) {
  if (queued_[cell]) return;
  queued_[cell] = true;
  queue_.push_back(cell);
}

std::uint64_t Refiner::refine_all(Partition& p) {
  for (std::uint32_t i = 0; i < p.order_.size(); i += p.length_[i]) push(i);
  return run(p);
}

std::uint64_t Refiner::refine(Partition& p, std::uint32_t by) {
  push(by);
  return run(p);
}

void Refiner::count_arcs(const Partition& p, std::uint32_t cell) {
  const auto add = [&](Vertex v, std::uint64_t kind) {
    if (!seen_[v]) {
      seen_[v] = true;
      touched_.push_back({0, 0, v});
    }
    sums_[v] += mix_hash(kind + 1);
  };
  for (std::uint32_t i = cell; i < cell + p.length_[cell]; ++i) {
    const Vertex v = p.order_[i];
    for (const PartGraph::Arc& arc : graph_.arcs(v)) add(arc.to, std::uint64_t{2} * arc.role);
    for (const PartGraph::Arc& arc : graph_.back(v)) add(arc.to, std::uint64_t{2} * arc.role + 1);
    work_ += 1 + graph_.arcs(v).size() + graph_.back(v).size();
  }
  for (Touched& t : touched_) {
    t.cell = p.begin_[t.vertex];
    t.sum = sums_[t.vertex];
    sums_[t.vertex] = 0;
    seen_[t.vertex] = false;
  }
  std::ranges::sort(touched_);
}

// The touched vertices of one cell are in touched_[first, last), ordered by their sums. Those without an arc stay in
// front; each further sum is a cell of its own.
void Refiner::split(Partition& p, std::size_t first, std::size_t last) {
  const std::uint32_t cell = touched_[first].cell, length = p.length_[cell];
  const auto rest = length - static_cast<std::uint32_t>(last - first);
  if (rest == 0 && touched_[first].sum == touched_[last - 1].sum) return;
  for (std::size_t i = last; i-- > first;) {
    const Vertex v = touched_[i].vertex;
    const auto to = cell + rest + static_cast<std::uint32_t>(i - first);
    const Vertex other = p.order_[to];
    std::swap(p.order_[p.place_[v]], p.order_[to]);
    std::swap(p.place_[v], p.place_[other]);
  }
  std::uint32_t largest = cell;
  p.length_[cell] = rest;
  std::vector<std::uint32_t> parts;
  if (rest > 0) parts.push_back(cell);
  for (std::size_t i = first; i < last;) {
    std::size_t end = i;
    while (end < last && touched_[end].sum == touched_[i].sum) ++end;
    const auto begin = cell + rest + static_cast<std::uint32_t>(i - first);
    p.length_[begin] = static_cast<std::uint32_t>(end - i);
    for (; i < end; ++i) p.begin_[touched_[i].vertex] = begin;
    parts.push_back(begin);
  }
  p.cells_ += parts.size() - 1;
  // Sums are additive: all but one part determine that to the last one.
  for (const std::uint32_t part : parts) {
    if (p.length_[part] > p.length_[largest]) largest = part;
  }
  const bool all = queued_[cell];
  for (const std::uint32_t part : parts) {
    if (all || part != largest) push(part);
  }
}

std::uint64_t Refiner::run(Partition& p) {
  std::uint64_t trace = 0;
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t cell = queue_[next];
    queued_[cell] = false;
    trace = combine_hash(trace, cell);
    count_arcs(p, cell);
    for (std::size_t i = 0; i < touched_.size();) {
      std::size_t end = i;
      while (end < touched_.size() && touched_[end].cell == touched_[i].cell) {
        trace = combine_hash(combine_hash(trace, touched_[end].cell), touched_[end].sum);
        ++end;
      }
      if (p.length_[touched_[i].cell] > 1) split(p, i, end);
      i = end;
    }
    touched_.clear();
  }
  queue_.clear();
  return trace;
}

}  // namespace rgtrans::form
