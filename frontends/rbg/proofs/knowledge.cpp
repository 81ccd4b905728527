#include "frontends/rbg/proofs/knowledge.hpp"

#include "frontends/rbg/flow/worklist.hpp"

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

bool advance(const Description& description, const Relations& relations, const Flow& flow, const Step& step,
             Bits& cursors, Bits& pieces) {
  const std::size_t vertices = description.board.size();
  const std::size_t kinds = description.pieces.size();
  auto arrive = [&](const auto& targets_of) {
    Bits reached(vertices);
    cursors.for_each([&](std::size_t v) { targets_of(static_cast<std::uint32_t>(v), reached); });
    cursors = std::move(reached);
    pieces = Bits(kinds, true);
    return !cursors.none();
  };
  switch (step.kind) {
    case Do::move: {
      const std::vector<std::uint32_t>& function = relations.function(step.index);
      return arrive([&](std::uint32_t v, Bits& reached) {
        if (function[v] != kNowhere) reached.set(function[v]);
      });
    }
    case Do::select:
      return arrive([&](std::uint32_t v, Bits& reached) {
        for (std::uint32_t u : relations.members(relations.at(RelationId(step.index), v))) reached.set(u);
      });
    case Do::any:
      cursors = Bits(vertices);
      for (std::uint32_t v : relations.members(SetId(step.index))) cursors.set(v);
      pieces = Bits(kinds, true);
      return true;
    case Do::where: {
      Bits inside(vertices);
      for (std::uint32_t v : relations.members(SetId(step.index))) inside.set(v);
      if (step.negated) {
        cursors.drop(inside);
      } else {
        cursors.keep(inside);
      }
      return !cursors.none();
    }
    case Do::on:
      if (step.at != kNowhere) {
        if (step.negated) return true;
        // A place outside the board has no piece.
        Bits inside(vertices);
        cursors.for_each([&](std::size_t v) {
          if (relations.function(step.at)[v] != kNowhere) inside.set(v);
        });
        cursors = std::move(inside);
        return !cursors.none();
      }
      if (step.negated) {
        pieces.drop(piece_bits(description, step.index));
      } else {
        pieces.keep(piece_bits(description, step.index));
      }
      return !pieces.none();
    case Do::off:
      pieces = Bits(kinds);
      pieces.set(step.index);
      return true;
    case Do::among:
      if (step.at == kNowhere) {
        Bits keys(kinds);
        for (const auto& [key, value] : flow.table(step.table)) keys.set(key);
        pieces.keep(keys);
      }
      return !pieces.none();
    case Do::put:
      pieces = Bits(kinds);
      for (const auto& [key, value] : flow.table(step.table)) pieces.set(value);
      return true;
    default:
      return true;
  }
}

namespace {

// Bits kept for all nodes together, and vertices of the board; what is larger is not analysed.
constexpr std::size_t kMaxBits = 400'000'000;
constexpr std::size_t kMaxVertices = 5'000;

}  // namespace

Knowledge analyse(const Description& description, const Relations& relations, const Flow& flow) {
  const std::size_t vertices = description.board.size();
  const std::size_t kinds = description.pieces.size();
  Knowledge known;
  if (vertices > kMaxVertices || flow.node_count() * (vertices + kinds) > kMaxBits) return known;
  known.cursors.assign(flow.node_count(), Bits(vertices));
  known.pieces.assign(flow.node_count(), Bits(kinds));
  Worklist work(flow);
  auto join = [&](NodeId node, const Bits& cursors, const Bits& pieces) {
    const bool more = known.cursors[node].add(cursors);
    if (known.pieces[node].add(pieces) || more) work.push(node);
  };
  Bits start(vertices), below(kinds);
  start.set(0);
  below.set(description.board.front().piece);
  join(flow.begin, start, below);
  while (!work.empty()) {
    const NodeId node = work.pop();
    for (EdgeId id : flow.out(node)) {
      const Flow::Edge& edge = flow.edge(id);
      Bits cursors = known.cursors[node], pieces = known.pieces[node];
      if (edge.step.kind == Do::check) join(flow.patterns[edge.step.index].start, cursors, pieces);
      if (advance(description, relations, flow, edge.step, cursors, pieces)) join(edge.to, cursors, pieces);
    }
  }
  return known;
}

void use_knowledge(const Description& description, const Relations& relations, Flow& flow) {
  const Knowledge known = analyse(description, relations, flow);
  if (!known.known()) return;
  for (EdgeId id = 0; id < flow.edge_count(); ++id) {
    Flow::Edge& edge = flow.edge(id);
    if (!edge.alive) continue;
    Bits cursors = known.cursors[edge.from], pieces = known.pieces[edge.from];
    if (cursors.none()) {
      edge.alive = false;
      continue;
    }
    const Bits before_cursors = cursors, before_pieces = pieces;
    if (!advance(description, relations, flow, edge.step, cursors, pieces)) {
      edge.alive = false;
      continue;
    }
    const bool test = edge.step.kind == Do::where || (edge.step.kind == Do::on && edge.step.at == kNowhere);
    if (test && cursors == before_cursors && pieces == before_pieces) edge.step = Step{.where = edge.step.where};
    if (edge.step.kind == Do::move) {
      // A direction that exists wherever the cursor can be needs no test.
      bool total = true;
      before_cursors.for_each(
          [&](std::size_t v) { total = total && relations.function(edge.step.index)[v] != kNowhere; });
      edge.step.total = total;
    }
  }
  flow.rebuild();
}

}  // namespace rgtrans::rbg
