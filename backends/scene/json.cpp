// A scene as JSON, for programs that draw themselves.
#include <nlohmann/json.hpp>

#include "backends/scene/picture.hpp"

namespace rgtrans::scene {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(ir::CellShape shape) {
  return shape == ir::CellShape::hexagon ? "hexagon" : shape == ir::CellShape::point ? "point" : "square";
}

Json labels(const std::vector<Label>& list) {
  Json out = Json::array();
  for (const Label& label : list) {
    Json one = {{"at", label.at}, {"text", label.text}};
    if (label.across) one["across"] = *label.across;
    out.push_back(std::move(one));
  }
  return out;
}

Json board(const BoardPicture& board) {
  Json out = {{"title", board.title}, {"shape", name_of(board.shape)}, {"cells", Json::array()}};
  for (const Cell& cell : board.cells) {
    Json one = {{"name", cell.name}, {"x", cell.x}, {"y", cell.y}};
    if (!cell.label.empty()) one["label"] = cell.label;
    if (cell.piece) one["piece"] = *cell.piece;
    if (!cell.text.empty()) one["text"] = cell.text;
    if (cell.unknown) one["unknown"] = true;
    if (cell.line != Cell::Line::none) one["line"] = cell.line == Cell::Line::along ? "along" : "upright";
    out["cells"].push_back(std::move(one));
  }
  out["lines"] = board.lines;
  out["columns"] = labels(board.columns);
  out["rows"] = labels(board.rows);
  if (!board.edges.empty()) out["edges"] = board.edges;
  return out;
}

}  // namespace

std::string json(const Scene& scene) {
  Json out = {{"players", scene.players}, {"mover", scene.mover}, {"outcome", scene.outcome}};
  out["pieces"] = Json::array();
  for (const PieceLook& piece : scene.pieces) {
    Json one = {{"word", piece.word}, {"kind", piece.kind}, {"glyph", piece.glyph}, {"letter", piece.letter}};
    if (piece.owner) one["owner"] = scene.players[*piece.owner];
    if (piece.figure) one["figure"] = true;
    if (piece.crowned) one["crowned"] = true;
    if (!piece.colour.empty()) one["colour"] = piece.colour;
    if (piece.traits) {
      const Traits& t = *piece.traits;
      one["traits"] = {t.dark ? "dark" : "light", t.tall ? "tall" : "short", t.round ? "round" : "square",
                       t.hollow ? "hollow" : "solid"};
    }
    out["pieces"].push_back(std::move(one));
  }
  out["boards"] = Json::array();
  for (const BoardPicture& b : scene.boards) out["boards"].push_back(board(b));
  out["facts"] = Json::array();
  for (const ShownValue& fact : scene.facts) {
    Json one = {{"name", fact.name}, {"value", fact.value}};
    for (const Face& face : fact.faces) {
      one[face.look ? "pieces" : face.die ? "dice" : "cards"].push_back(face.text);
    }
    out["facts"].push_back(std::move(one));
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rgtrans::scene
