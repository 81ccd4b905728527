// Writes a definition in its simplest form: single points, each with its edges to earlier points.
#include <nlohmann/json.hpp>

#include "frontends/linegames/line_game.hpp"

namespace rgtrans::linegames {
namespace {

using Json = nlohmann::ordered_json;

Json board_json(const Board& board) {
  Json points = Json::array();
  for (std::uint32_t id = 0; id < board.points().size(); ++id) {
    const Board::Point& point = board.points()[id];
    Json item = {{"name", point.name}};
    for (const Direction d : kDirections) {
      const std::uint32_t to = point.next[static_cast<std::size_t>(d)];
      if (to < id) item["edges"][std::string(name_of(d))] = board.points()[to].name;
    }
    item["at"] = {point.place.x, point.place.y};
    points.push_back(std::move(item));
  }
  Json directions = Json::array();
  for (const Direction d : board.directions()) directions.push_back(name_of(d));
  return {{"kind", "custom"}, {"directions", std::move(directions)}, {"points", std::move(points)}};
}

Json pieces_json(const Setup& setup) {
  Json result = Json::array();
  for (const Player player : {Player::white, Player::black}) {
    for (const bool king : {false, true}) {
      Json points = Json::array();
      for (const auto& [name, piece] : setup.pieces()) {
        if (piece == Piece{player, king}) points.push_back(name);
      }
      if (points.empty()) continue;
      Json item = {{"player", name_of(player)}, {"points", std::move(points)}};
      if (king) item["king"] = true;
      result.push_back(std::move(item));
    }
  }
  return result;
}

void put_targets(Json& json, const char* key, const std::array<std::set<std::string>, 2>& targets) {
  if (!targets[0].empty() || !targets[1].empty()) json[key] = {{"white", targets[0]}, {"black", targets[1]}};
}

Json rules_json(const Rules& rules) {
  Json json = {{"captures", text_of(rules.captures)}};
  if (rules.captures != Captures::none) json["sequence"] = text_of(rules.sequence);
  if (rules.steps != Movement::any) json["steps"] = text_of(rules.steps);
  if (rules.jumps != Movement::any) json["jumps"] = text_of(rules.jumps);
  if (rules.flying != Flying::none) json["flying"] = text_of(rules.flying);
  put_targets(json, "promotion", rules.promotion);
  put_targets(json, "goals", rules.goals);
  if (rules.min_pieces != 0) json["min_pieces"] = rules.min_pieces;
  json["no_move"] = text_of(rules.no_move);
  if (rules.stagnation) json["stagnation"] = *rules.stagnation;
  if (rules.turn_limit()) json["max_turns"] = *rules.turn_limit();
  json["on_limit"] = text_of(rules.on_limit);
  json["first"] = text_of(rules.first);
  json["scores"] = rules.scores;
  if (rules.compat != Compat::none) json["compat"] = text_of(rules.compat);
  return json;
}

}  // namespace

std::string LineGame::to_json() const {
  check();
  const Json json = {
      {"name", name}, {"board", board_json(board)}, {"pieces", pieces_json(setup)}, {"rules", rules_json(rules)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rgtrans::linegames
