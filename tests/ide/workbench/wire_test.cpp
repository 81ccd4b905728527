// Messages: errors name the path of the mistake, reading and writing are inverse, and the types are declared in
// TypeScript.
#include "ide/workbench/wire.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/support/support.hpp"
#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {
namespace {

using testing::HasSubstr;

enum class Weather : std::uint8_t { fair, foul };

}  // namespace

template <>
struct EnumWords<Weather> {
  static constexpr std::array<std::string_view, 2> kWords = {"fair", "foul"};
};

namespace {

struct Spot {
  static constexpr std::string_view kName = "Spot";
  static constexpr bool kTuple = true;
  int x = 0;
  std::variant<std::string, unsigned> what;
  std::optional<int> y;
  static void fields(auto& visit) {
    visit("x", &Spot::x);
    visit("what", &Spot::what);
    visit("y", &Spot::y);
  }
};
struct Base {
  static constexpr std::string_view kName = "Base";
  std::string title;
  static void fields(auto& visit) { visit("title", &Base::title); }
};
struct Walk : Base {
  static constexpr std::string_view kName = "Walk";
  std::vector<Spot> spots;
  std::map<std::string, double> lengths;
  Weather weather = Weather::fair;
  std::optional<bool> done;
  std::vector<std::tuple<std::string, std::optional<int>>> pairs;
  unsigned most = 7;
  static void fields(auto& visit) {
    Base::fields(visit);
    visit("spots", &Walk::spots, "in order");
    visit("lengths", &Walk::lengths);
    visit("weather", &Walk::weather);
    visit("done", &Walk::done);
    visit.maybe("pairs", &Walk::pairs);
    visit.maybe("most", &Walk::most, "", Between{1, 9});
  }
};

const Json kWalk = Json::parse(R"({"title": "up", "spots": [[1, "tree", 4], [-2, 3]], "lengths": {"a": 1.5}, "most": 2,
                                   "weather": "foul", "done": false, "pairs": [["p", null], ["q", 5]]})");

std::string problem(const char* path, const Json& value) {
  Json changed = kWalk;
  if (value.is_null()) {
    changed.erase(changed.find(Json::json_pointer(path).back()));
  } else {
    changed[Json::json_pointer(path)] = value;
  }
  try {
    static_cast<void>(from_json_message<Walk>(changed, "walk"));
  } catch (const BadField& bad) {
    return bad.what();
  }
  return "";
}

TEST(Wire, WhatIsReadIsWritten) {
  const auto walk = from_json_message<Walk>(kWalk);
  EXPECT_EQ(walk.weather, Weather::foul);
  EXPECT_EQ(std::get<unsigned>(walk.spots.at(1).what), 3U);
  EXPECT_EQ(walk.done, false);
  EXPECT_EQ(std::get<1>(walk.pairs.at(0)), std::nullopt);
  EXPECT_EQ(to_json_message(walk), kWalk);
}

TEST(Wire, WhatMayBeLeftOutKeepsItsDefault) {
  Json shorter = kWalk;
  for (const char* name : {"done", "pairs", "most"}) shorter.erase(name);
  const auto walk = from_json_message<Walk>(shorter);
  EXPECT_EQ(walk.most, 7U);
  EXPECT_EQ(walk.done, std::nullopt);
  EXPECT_FALSE(to_json_message(walk).contains("done"));
  shorter["unknown"] = 1;
  EXPECT_EQ(from_json_message<Walk>(shorter).title, "up") << "fields of newer clients do not matter";
}

TEST(Wire, MistakesHaveTheirPath) {
  EXPECT_EQ(problem("/title", 7), "walk.title: expected a text, found 7");
  EXPECT_EQ(problem("/title", nullptr), "walk.title: expected a text, found nothing");
  EXPECT_EQ(problem("/spots/1/0", 1.5), "walk.spots[1][0]: expected a whole number, found 1.5");
  EXPECT_THAT(problem("/spots/0/1", Json::array()), HasSubstr("walk.spots[0][1]: expected"));
  EXPECT_EQ(problem("/spots/0", 4), "walk.spots[0]: expected a list, found 4");
  EXPECT_EQ(problem("/lengths/a", "b"), "walk.lengths.a: expected a number, found \"b\"");
  EXPECT_THAT(problem("/weather", "mild"), HasSubstr("walk.weather: expected"));
  EXPECT_EQ(problem("/done", 1), "walk.done: expected true or false, found 1");
  EXPECT_THAT(problem("/pairs/1", {"q"}), HasSubstr("walk.pairs[1]: expected a list of another length"));
  EXPECT_EQ(problem("/most", 10), "walk.most: expected a number from 1 to 9, found 10");
  EXPECT_EQ(problem("/most", -1), "walk.most: expected a whole number, found -1");
  EXPECT_THAT(problem("/title", std::vector<int>(200, 1)), testing::EndsWith("…"));
  EXPECT_THROW(static_cast<void>(from_json_message<Walk>(3)), BadField);
}

TEST(Wire, TypesAreThoseOfTypescript) {
  wire::Typescript out;
  EXPECT_EQ(out.type<std::vector<Walk>>(), "Walk[]");
  EXPECT_EQ(out.text(),
            "export type Spot = [\n"
            "  x: number,\n"
            "  what: string | number,\n"
            "  y?: number,\n"
            "];\n"
            "\n"
            "export interface Walk {\n"
            "  title: string;\n"
            "  spots: Spot[]; // in order\n"
            "  lengths: Record<string, number>;\n"
            "  weather: 'fair' | 'foul';\n"
            "  done?: boolean;\n"
            "  pairs?: [string, number | null][];\n"
            "  most?: number;\n"
            "}\n");
}

TEST(Wire, TheTypesOfThePageAreCurrent) {
  for (const char* file : {"ide/studio/src/messages.ts", "ide/vscode/src/messages.ts"}) {
    EXPECT_TRUE(read_file(std::filesystem::path(RGTRANS_SOURCE_DIR) / file) == typescript())
        << "write it anew: rgtrans lsp --messages > " << file;
  }
}

}  // namespace
}  // namespace rgtrans::ide
