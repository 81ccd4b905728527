#include "core/support/json_text.hpp"

#include <gmock/gmock.h>

#include <string>

namespace rgtrans {
namespace {

std::string nested(std::size_t depth, const std::string& left, const std::string& right) {
  std::string out;
  for (std::size_t i = 0; i < depth; ++i) out += left;
  out += "1";
  for (std::size_t i = 0; i < depth; ++i) out += right;
  return out;
}

TEST(JsonText, IsReadWhereItDoesNotNestTooDeeply) {
  using Json = nlohmann::json;
  EXPECT_EQ(parse_json<Json>("{\"a\":[1,\"]\"]}")["a"][1], "]");
  EXPECT_TRUE(parse_json<Json>("{").is_discarded());
  EXPECT_TRUE(parse_json<Json>(std::string("{}\0}", 4)).is_discarded());
  EXPECT_FALSE(parse_json<Json>(nested(kMaxJsonDepth, "[", "]")).is_discarded());
  for (const std::size_t depth : {kMaxJsonDepth + 1, std::size_t{1'000'000}}) {
    EXPECT_TRUE(parse_json<Json>(nested(depth, "[", "]")).is_discarded());
    EXPECT_TRUE(parse_json<Json>(nested(depth, "{\"a\":", "}")).is_discarded());
    EXPECT_TRUE(parse_json<nlohmann::ordered_json>(std::string(depth, '[')).is_discarded());
  }
}

TEST(JsonText, CountsNoBracketsInStrings) {
  const std::string many(10'000, '[');
  EXPECT_FALSE(nests_too_deeply("\"" + many + "\""));
  EXPECT_FALSE(nests_too_deeply("\"\\\"" + many + "\\\\\""));
  EXPECT_TRUE(nests_too_deeply("\"\\\\\"" + many)) << "the string has ended";
  std::string pairs;
  for (int i = 0; i < 10'000; ++i) pairs += "[],";
  EXPECT_FALSE(nests_too_deeply("[" + pairs));
}

}  // namespace
}  // namespace rgtrans
