#include "frontends/gdl/network/network.hpp"

#include <algorithm>

#include "core/analysis/analysis.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::gdl {

Network::Network(const GroundProgram& program) : inputs_(program.derived_begin()) {
  const std::uint32_t derived = program.derived_count();
  derived_.assign(derived, kFalse);
  Arcs edges;
  for (std::uint32_t d = 0; d < derived; ++d) {
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b)
      for (const GroundLiteral l : program.body(b))
        if (atom_of(l) >= inputs_) edges.emplace_back(d, atom_of(l) - inputs_);
  }
  const Components components = strong_components(derived, edges);
  const Grouped members = components.members();
  for (std::uint32_t c = 0; c < components.count; ++c) {
    if (members[c].size() > 1) {
      // Numbers the disjunctions of a cycle first and adds their inputs afterwards.
      for (const std::uint32_t d : members[c]) {
        derived_[d] = 2 * size();
        gates_.push_back(Gate::disjunction);
      }
      // Conjunctions are numbered after the disjunctions that use them, so their inputs are collected first.
      std::vector<std::vector<GroundLiteral>> bodies;
      std::vector<std::uint32_t> ends;
      for (const std::uint32_t d : members[c]) {
        for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b) {
          std::vector<GroundLiteral> body;
          for (const GroundLiteral l : program.body(b))
            if (literal(l) != kTrue) body.push_back(literal(l));
          if (std::ranges::find(body, kFalse) == body.end()) bodies.push_back(std::move(body));
        }
        ends.push_back(static_cast<std::uint32_t>(bodies.size()));
      }
      std::uint32_t next = size();
      std::uint32_t b = 0;
      std::vector<std::uint32_t> conjunctions;
      for (const std::uint32_t end : ends) {
        for (; b < end; ++b) {
          if (bodies[b].size() == 1) {
            wires_.push_back(bodies[b][0]);
          } else {
            wires_.push_back(2 * next++);
            conjunctions.push_back(b);
          }
        }
        first_.push_back(static_cast<std::uint32_t>(wires_.size()));
      }
      for (const std::uint32_t body : conjunctions) append(Gate::conjunction, bodies[body]);
      continue;
    }
    const std::uint32_t d = members[c][0];
    std::vector<GroundLiteral> alternatives;
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b) {
      std::vector<GroundLiteral> body;
      for (const GroundLiteral l : program.body(b)) body.push_back(literal(l));
      alternatives.push_back(make(Gate::conjunction, std::move(body)));
    }
    derived_[d] = make(Gate::disjunction, std::move(alternatives));
  }
  find_components();
}

GroundLiteral Network::make(Gate gate, std::vector<GroundLiteral> inputs) {
  sort_unique(inputs);
  // The neutral element is true for a conjunction and false for a disjunction.
  const GroundLiteral neutral = gate == Gate::conjunction ? kTrue : kFalse;
  std::erase(inputs, neutral);
  if (std::ranges::find(inputs, negate(neutral)) != inputs.end()) return negate(neutral);
  for (std::size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i] == negate(inputs[i - 1])) return negate(neutral);
  if (inputs.empty()) return neutral;
  if (inputs.size() == 1) return inputs[0];
  std::uint64_t hash = static_cast<std::uint64_t>(gate) + 1;
  for (const GroundLiteral l : inputs) hash = combine_hash(hash, l);
  const std::uint32_t fresh = size();
  const std::uint32_t node = index_.find_or_insert(hash, fresh, [&](std::uint32_t other) {
    return this->gate(other) == gate && std::ranges::equal(inputs_of(other), inputs);
  });
  if (node == fresh) {
    gates_.push_back(gate);
    wires_.insert(wires_.end(), inputs.begin(), inputs.end());
    first_.push_back(static_cast<std::uint32_t>(wires_.size()));
  }
  return 2 * node;
}

void Network::append(Gate gate, std::span<const GroundLiteral> inputs) {
  gates_.push_back(gate);
  wires_.insert(wires_.end(), inputs.begin(), inputs.end());
  first_.push_back(static_cast<std::uint32_t>(wires_.size()));
}

void Network::find_components() {
  Arcs edges;
  for (std::uint32_t g = 0; g < gates_.size(); ++g)
    for (const GroundLiteral l : inputs_of(inputs_ + g))
      if (atom_of(l) >= inputs_) edges.emplace_back(g, atom_of(l) - inputs_);
  Components found = strong_components(gates_.size(), edges);
  component_ = std::move(found.of);
  component_count_ = found.count;
}

}  // namespace rgtrans::gdl
