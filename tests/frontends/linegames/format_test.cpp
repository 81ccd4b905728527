// The layout of definitions: values that fit stay on one line, and spellings are preserved.
#include <gmock/gmock.h>

#include "frontends/linegames/linegames.hpp"

namespace rgtrans::linegames {
namespace {

// Formats twice: the second time must change nothing.
std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  std::string result = frontend().format(diagnostics.sources()->add("g.linegame", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  EXPECT_EQ(frontend().format(diagnostics.sources()->add("again.linegame", result), diagnostics), result);
  return result;
}

TEST(LineGameFormat, WritesOnOneLineWhatFits) {
  EXPECT_EQ(formatted(R"({"name":"small","board":{"kind":"alquerque","width":3,
   "height":3,"triangles":[{"side":"south","rows":2},{"side":"north","rows":2},{"side":"east","rows":2}]},
"pieces":[],"rules":{}})"),
            R"({
  "name": "small",
  "board": {
    "kind": "alquerque",
    "width": 3,
    "height": 3,
    "triangles": [
      { "side": "south", "rows": 2 },
      { "side": "north", "rows": 2 },
      { "side": "east", "rows": 2 }
    ]
  },
  "pieces": [],
  "rules": {}
}
)");
}

TEST(LineGameFormat, FillsLinesWithPlainValues) {
  std::string names;
  for (int i = 10; i < 40; ++i) names += (i == 10 ? "\"p" : " ,\n\"p") + std::to_string(i) + "\"";
  EXPECT_EQ(formatted("{ \"board\" : {\"remove\": [" + names + "]}, \"pieces\": [] }"), R"({
  "board": {
    "remove": [
      "p10", "p11", "p12", "p13", "p14", "p15", "p16", "p17", "p18", "p19", "p20", "p21", "p22",
      "p23", "p24", "p25", "p26", "p27", "p28", "p29", "p30", "p31", "p32", "p33", "p34", "p35",
      "p36", "p37", "p38", "p39"
    ]
  },
  "pieces": []
}
)");
}

TEST(LineGameFormat, KeepsHowThingsAreSpelt) {
  EXPECT_EQ(
      formatted("\xef\xbb\xbf{\"title\": \"a \\\"b\\\" \\u00e9 \xc3\xa9\", \"k\\\"\":[1.50 ,-2e1,true,null]}\r\n"),
      "{\n  \"title\": \"a \\\"b\\\" \\u00e9 \xc3\xa9\",\n  \"k\\\"\": [1.50, -2e1, true, null]\n}\n");
  EXPECT_EQ(formatted(" 17 "), "17\n");
}

TEST(LineGameFormat, ReportsMistakesInTheSyntax) {
  Diagnostics diagnostics;
  EXPECT_EQ(frontend().format(diagnostics.sources()->add("g.linegame", "{\"name\" \"x\"}"), diagnostics), "");
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace rgtrans::linegames
