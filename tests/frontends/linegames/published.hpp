// The games of the published collection as JSON definitions, for the unit tests and the oracle test.
#pragma once

#include <map>
#include <string>

namespace rgtrans::linegames {

struct Published {
  std::string json;
  int points, edges, white, black;
};

inline std::string definition(const std::string& name, const std::string& board, const std::string& pieces,
                              const std::string& rules) {
  return R"({"name": ")" + name + R"(", "board": {)" + board + R"(}, "pieces": [)" + pieces + R"(], "rules": {)" +
         rules + "}}";
}

// With `published`, uses the published form of labels and stepwise captures.
inline std::map<std::string, Published> published_games(bool published) {
  const std::string compat = published ? R"(, "compat": "published")" : "";
  const std::string rbg = R"("captures": "mandatory", "sequence": "whole", "stagnation": 100)" + compat;
  const std::string single = R"("captures": "optional", "sequence": "single", "max_turns": 1250)" + compat;
  const std::string stepwise = R"("captures": "optional", "sequence": "stepwise", "max_turns": 1250)" + compat;
  const std::string alq5 = R"("kind": "alquerque", "width": 5, "height": 5)";
  const std::string alq9 = R"("kind": "alquerque", "width": 9, "height": 9)";
  const std::string swd9 = R"("kind": "square_with_diagonals", "squares_x": 4, "squares_y": 4)";
  const auto circle = [](int spokes, int rings) {
    return R"("kind": "circle", "spokes": )" + std::to_string(spokes) + R"(, "rings": )" + std::to_string(rings);
  };
  const auto triangles = [](const std::string& sides, int rows) {
    std::string text;
    for (const char side : sides) {
      if (!text.empty()) text += ", ";
      text += std::string(R"({"side": ")") + side + R"(", "rows": )" + std::to_string(rows) + "}";
    }
    return R"("triangles": [)" + text + "]";
  };
  const std::string ns3 = ", " + triangles("NS", 2);
  const std::string point = R"("kind": "point", )";
  const std::string west = R"({"halves": {"north": "black", "middle_row": "west-north"}})";
  const std::string east = R"({"halves": {"north": "black", "middle_row": "east-north"}})";
  const std::string rows2 = R"({"player": "black", "rows": {"first": 2}}, {"player": "white", "rows": {"last": 2}})";
  const std::string tri = R"({"player": "white", "triangle": "S"}, {"player": "black", "triangle": "N"})";
  const std::string tri4 = tri + R"(, {"player": "white", "triangle": "W"}, {"player": "black", "triangle": "E"})";
  const auto spokes = [](int count) {
    std::string white, black;
    for (int i = 0; i < count; ++i) {
      std::string& side = i < count / 2 ? white : black;
      side += (side.empty() ? "" : ", ") + std::to_string(i);
    }
    return R"({"player": "white", "spokes": [)" + white + R"(]}, {"player": "black", "spokes": [)" + black + "]}";
  };
  const auto put = [](const std::string& player, const std::string& points) {
    return R"(, {"player": ")" + player + R"(", "points": [)" + points + "]}";
  };
  std::map<std::string, Published> games;
  const auto add = [&](const std::string& name, const std::string& board, const std::string& pieces,
                       const std::string& rules, int points, int edges, int white, int black) {
    games[name] = {definition(name, board, pieces, rules), points, edges, white, black};
  };
  add("alquerque", alq5, west, rbg, 25, 112, 12, 12);
  add("alquerque_lud", alq5, west, single, 25, 112, 12, 12);
  add("baraGuti_lud", alq5, east, single, 25, 112, 12, 12);
  add("terhuchuSmall_lud", alq5, rows2, single, 25, 112, 10, 10);
  add("chalisGutiaTitagarh_lud", alq9,
      rows2 + put("white", R"("cy6x3", "cy6x4", "cy6x5", "cy6x6", "cy6x7", "cy6x8")") +
          put("black", R"("cy2x0", "cy2x1", "cy2x2", "cy2x3", "cy2x4", "cy2x5")"),
      single, 81, 416, 24, 24);
  add("rattiChittiBakri_lud", alq9, east, single, 81, 416, 40, 40);
  add("meurimuengRimuengPeuetPloh_lud", alq9, east, stepwise, 81, 416, 40, 40);
  add("satoel_lud", alq9 + ns3, east, stepwise, 93, 456, 40, 40);
  for (const char* name : {"ahtarahGuti_lud", "lamPusri_lud"})
    add(name, alq5 + ns3, west + ", " + tri, stepwise, 37, 152, 18, 18);
  add("damSingapore_lud", alq5 + ns3, rows2 + ", " + tri, single, 37, 152, 16, 16);
  for (const char* name : {"damHariman_lud", "hewakamKeliya_lud", "mogulPutthan_lud"}) {
    add(name, alq5 + ns3, rows2 + ", " + tri, stepwise, 37, 152, 16, 16);
  }
  const std::string star = alq5 + ", " + triangles("NESW", 2);
  add("kotuEllima_lud", star, east + ", " + tri4, single, 49, 192, 24, 24);
  add("peralikatuma_lud", star, rows2 + ", " + tri4 + put("white", R"("cy2x0")") + put("black", R"("cy2x4")"), stepwise,
      49, 192, 23, 23);
  add("smasandyutakankarikrida_lud", alq5 + ", " + triangles("NS", 4),
      put("white", R"("tsouthvy3x0", "tsouthvy3x1", "tsouthvy3x2", "tsouthvy4x0", "tsouthvy4x1", "tsouthvy4x2")")
              .substr(2) +
          put("black", R"("tnorthvy3x0", "tnorthvy3x1", "tnorthvy3x2", "tnorthvy4x0", "tnorthvy4x1", "tnorthvy4x2")"),
      single, 49, 192, 6, 6);
  add("aiyawatstani_lud", swd9, rows2 + put("white", R"("cy6x2", "cy6x6")") + put("black", R"("cy6x0", "cy6x8")"),
      single, 41, 208, 11, 11);
  for (const char* name : {"bisGutiya_lud", "tuknanavuhpi_lud"}) add(name, swd9, east, single, 41, 208, 20, 20);
  add("tavelspel_lud", R"("kind": "grid", "width": 13, "height": 13)", rows2, stepwise, 169, 624, 26, 26);
  add("pretwa", circle(6, 3), spokes(6), rbg, 19, 72, 9, 9);
  add("pretwa_lud", circle(6, 3), spokes(6), stepwise, 19, 72, 9, 9);
  add("golSkuish", circle(6, 7), spokes(6), rbg, 43, 168, 21, 21);
  add("golEkuish_lud", circle(6, 7), spokes(6), single, 43, 168, 21, 21);
  add("baraGutiBihar_lud", circle(8, 3), spokes(8), single, 25, 96, 12, 12);
  const std::string two = point + triangles("SN", 3);
  add("lauKataKati", two, tri, rbg, 19, 60, 9, 9);
  add("lauKataKati_lud", two, tri, stepwise, 19, 60, 9, 9);
  const std::string sides = put("white", R"("nodeL")") + put("black", R"("nodeR")");
  add("dashGuti",
      two + R"(, "points": [{"name": "nodeL", "edges": {"E": "cy0x0"}}, {"name": "nodeR", "edges": {"W": "cy0x0"}}])",
      tri + sides, rbg, 21, 64, 10, 10);
  add("dashGuti_lud",
      two + R"(, "points": [{"name": "nodeL", "edges": {"E": "cy0x0", "S": "tsouthvy3x0", "N": "tnorthvy3x2"}},
                           {"name": "nodeR", "edges": {"W": "cy0x0", "S": "tsouthvy3x2", "N": "tnorthvy3x0"}}])",
      tri + sides, single, 21, 72, 10, 10);
  add("kauaDorki_lud",
      point + triangles("NS", 2) +
          R"(, "points": [{"name": "nodeW1", "edges": {"E": "cy0x0"}}, {"name": "nodeW2", "edges": {"E": "nodeW1"}},
                                         {"name": "nodeE1", "edges": {"W": "cy0x0"}}, {"name": "nodeE2", "edges": {"W": "nodeE1"}}])",
      tri + put("white", R"("nodeW1", "nodeW2")") + put("black", R"("nodeE1", "nodeE2")"), single, 17, 48, 8, 8);
  return games;
}

}  // namespace rgtrans::linegames
