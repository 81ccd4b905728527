#include "frontends/rbg/text/board_builder.hpp"

#include <fmt/format.h>

#include <string_view>

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMostCandidates = 10'000;  // for "did you mean"

}  // namespace

void BoardBuilder::add_vertex(const Token& name) {
  const auto [it, fresh] = vertices_.try_emplace(name.text, static_cast<std::uint32_t>(d_.board.size()));
  if (!fresh) {
    macros_.error(name, fmt::format("vertex {} is defined twice", d_.symbols.text(name.text)))
        .notes.push_back({d_.board[it->second].where, "first defined here"});
  }
  d_.board.push_back({name.text, 0, name.where});
}

void BoardBuilder::set_vertex_piece(const Token& piece) {
  d_.board.back().piece = names_.resolve(NameKind::piece, piece).value_or(0);
}

void BoardBuilder::begin_edge(const Token& label) {
  edge_label_ = &label;
  if (!names_.find(NameKind::label, label.text)) names_.declare(NameKind::label, label);
}

void BoardBuilder::end_edge(const Token& target) {
  edges_.push_back({static_cast<std::uint32_t>(d_.board.size() - 1), edge_label_, &target});
}

void BoardBuilder::finish_graph() {
  const std::size_t size = d_.board.size();
  if (size * d_.labels.size() > kMaxBoardEdges) {
    diagnostics_.error(d_.board.front().where, fmt::format("the board has more than {} edges", kMaxBoardEdges),
                       kMaxBoardEdges.advice());
    return;
  }
  d_.neighbours.assign(size * d_.labels.size(), kNone);
  for (const Edge& edge : edges_) {
    if (diagnostics_.full()) return;
    resolve(edge);
  }
}

void BoardBuilder::resolve(const Edge& edge) {
  auto text = [&](SymbolId id) { return d_.symbols.text(id); };
  const auto target = vertices_.find(edge.target->text);
  if (target == vertices_.end()) {
    std::vector<std::string_view> names;
    for (const Vertex& vertex : d_.board) names.push_back(text(vertex.name));
    macros_.error(*edge.target, fmt::format("unknown vertex {}", text(edge.target->text)),
                  names.size() > kMostCandidates ? "" : did_you_mean(text(edge.target->text), names));
    return;
  }
  const auto label = names_.find(NameKind::label, edge.label->text);
  if (!label) return;
  std::uint32_t& slot = d_.neighbours[*label * d_.board.size() + edge.vertex];
  if (slot != kNone) {
    macros_.error(*edge.label,
                  fmt::format("vertex {} has two edges {}", text(d_.board[edge.vertex].name), text(edge.label->text)));
  }
  slot = target->second;
}

void BoardBuilder::begin_layer(const Token& bracket) {
  layout_.layers.push_back({static_cast<std::uint32_t>(layout_.rows.size()), 0, bracket.where});
}

void BoardBuilder::begin_row(const Token& bracket) {
  layout_.rows.push_back({static_cast<std::uint32_t>(layout_.cells.size()), 0, bracket.where});
  if (!layout_.layers.empty()) ++layout_.layers.back().count;
  cell_is_set_ = false;
}

void BoardBuilder::set_cell(const Token& piece) {
  layout_.cells.push_back({names_.resolve(NameKind::piece, piece).value_or(0), piece.where});
  cell_is_set_ = true;
}

void BoardBuilder::end_cell() {
  if (!cell_is_set_) layout_.cells.push_back({kNone, layout_.rows.back().where});
  cell_is_set_ = false;
  ++layout_.rows.back().count;
}

// "[]" has no cells, but "[,]" has two holes.
void BoardBuilder::end_row() {
  BoardCells::Row& row = layout_.rows.back();
  if (row.count == 1 && layout_.cells.back().piece == kNone) {
    layout_.cells.pop_back();
    row.count = 0;
  }
}

void BoardBuilder::finish_shape(const Token& name, Generator make) {
  if (diagnostics_.has_errors()) return;
  if (const auto failure = make(layout_, d_)) {
    Token at = name;
    at.where = failure->where;
    macros_.error(at, failure->message, failure->hint);
  }
}

}  // namespace rgtrans::rbg
