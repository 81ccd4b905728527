#include "frontends/rbg/proofs/knowledge.hpp"

#include "core/support/effort.hpp"
#include "frontends/rbg/flow/solve.hpp"
#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

Bits piece_bits(const Description& description, std::uint32_t piece_set, std::size_t size) {
  Bits bits(size);
  for (std::uint32_t piece : description.expressions.pieces(piece_set)) bits.set(piece);
  return bits;
}

}  // namespace

Bits piece_bits(const Description& description, std::uint32_t piece_set) {
  return piece_bits(description, piece_set, description.pieces.size());
}

Bits contents_bits(const Description& description, std::uint32_t piece_set) {
  return piece_bits(description, piece_set, description.pieces.size() + 1);
}

bool advance(const Description& description, const Relations& relations, const FlowGraph& flow, const FlowStep& step,
             Bits& cursors, Bits& pieces) {
  const std::size_t vertices = description.board.size();
  const std::size_t kinds = description.pieces.size();
  auto arrive = [&](const auto& targets_of) {
    Bits reached(vertices);
    cursors.for_each([&](std::size_t v) { targets_of(static_cast<std::uint32_t>(v), reached); });
    cursors = std::move(reached);
    pieces = Bits::full(kinds);
    return cursors.any();
  };
  switch (step.kind) {
    case Do::move: {
      const std::vector<std::uint32_t>& function = relations.function(step.index);
      return arrive([&](std::uint32_t v, Bits& reached) {
        if (function[v] != kNone) reached.set(function[v]);
      });
    }
    case Do::select:
      return arrive([&](std::uint32_t v, Bits& reached) {
        for (std::uint32_t u : relations.members(relations.at(RelationId(step.index), v))) reached.set(u);
      });
    case Do::any:
      cursors = Bits(vertices);
      for (std::uint32_t v : relations.members(SetId(step.index))) cursors.set(v);
      pieces = Bits::full(kinds);
      return true;
    case Do::where: {
      Bits inside(vertices);
      for (std::uint32_t v : relations.members(SetId(step.index))) inside.set(v);
      if (step.negated) {
        cursors.remove(inside);
      } else {
        cursors &= inside;
      }
      return cursors.any();
    }
    case Do::on:
      if (step.at != kNone) {
        if (step.negated) return true;
        // A place outside the board has no piece.
        Bits inside(vertices);
        cursors.for_each([&](std::size_t v) {
          if (relations.function(step.at)[v] != kNone) inside.set(v);
        });
        cursors = std::move(inside);
        return cursors.any();
      }
      if (step.negated) {
        pieces.remove(piece_bits(description, step.index));
      } else {
        pieces &= piece_bits(description, step.index);
      }
      return pieces.any();
    case Do::off:
      pieces = Bits(kinds);
      pieces.set(step.index);
      return true;
    case Do::among:
      if (step.at == kNone) {
        Bits keys(kinds);
        for (const auto& [key, value] : flow.table(step.table)) keys.set(key);
        pieces &= keys;
      }
      return pieces.any();
    case Do::put:
      pieces = Bits(kinds);
      for (const auto& [key, value] : flow.table(step.table)) pieces.set(value);
      return true;
    default:
      return true;
  }
}

Knowledge analyse(const Description& description, const Relations& relations, const FlowGraph& flow) {
  const std::size_t vertices = description.board.size();
  const std::size_t kinds = description.pieces.size();
  Knowledge known;
  if (vertices > kProofLimits.vertices || flow.node_count() * (vertices + kinds) > kProofLimits.bits) {
    tell_note("what can lie below the cursor: the board and the rules are too large to keep it for every node");
    return known;
  }
  known.cursors.assign(flow.node_count(), Bits(vertices));
  known.pieces.assign(flow.node_count(), Bits(kinds));
  known.cursors[flow.begin].set(0);
  known.pieces[flow.begin].set(description.board.front().piece);
  // Each iteration of a loop can add only one place of the cursor, so large boards use the order for nested loops.
  constexpr std::size_t kLargeBoard = 128;
  solve(vertices > kLargeBoard ? nested_order(flow) : forward_order(flow), [&](NodeId node, auto&& wake) {
    if (!known.cursors[node].any()) return;  // not reached yet
    const auto join = [&](NodeId at, const Bits& cursors, const Bits& pieces) {
      const bool more = known.cursors[at].merge(cursors);
      if (known.pieces[at].merge(pieces) || more) wake(at);
    };
    for (EdgeId id : flow.out(node)) {
      const FlowGraph::Edge& edge = flow.edge(id);
      Bits cursors = known.cursors[node], pieces = known.pieces[node];
      if (edge.step.kind == Do::check) join(flow.pattern(edge.step).start, cursors, pieces);
      if (advance(description, relations, flow, edge.step, cursors, pieces)) join(edge.to, cursors, pieces);
    }
  });
  return known;
}

}  // namespace rgtrans::rbg
