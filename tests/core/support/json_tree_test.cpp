#include "core/support/json_tree.hpp"

#include <gmock/gmock.h>

namespace rgtrans {
namespace {

const Limit kFewValues("few-values", 6, 100, "values");

struct Read {
  explicit Read(const std::string& text)
      : tree(diagnostics.sources()->add("x.json", text), diagnostics, {kFewValues, 4, "raise it"}) {}
  [[nodiscard]] std::string place(Range range) const { return std::string(diagnostics.sources()->text(range)); }
  [[nodiscard]] std::string mistake() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().message;
  }

  Diagnostics diagnostics;
  JsonTree tree;
};

TEST(JsonTree, ValuesAndKeysKnowTheirPlaces) {
  const Read read(R"({"a": -1.5e2, "b\u0021": ["x", true]})");
  ASSERT_FALSE(read.tree.empty()) << read.mistake();
  const auto a = read.tree.member(read.tree.root(), "a"), b = read.tree.member(read.tree.root(), "b!");
  ASSERT_NE(a, kNone);
  ASSERT_NE(b, kNone);
  EXPECT_EQ(read.tree.member(read.tree.root(), "c"), kNone);
  EXPECT_EQ(read.tree.text(a), "-1.5e2");
  EXPECT_EQ(read.tree.key(b), "b!");
  EXPECT_EQ(read.place(read.tree.key_range(b)), "b\\u0021");
  EXPECT_EQ(read.place(read.tree.where(b)), R"(["x", true])");
  const auto x = read.tree.first(b);
  EXPECT_EQ(read.tree.text(x), "x");
  EXPECT_EQ(read.tree.text(read.tree.next(x)), "true");
  EXPECT_EQ(read.tree.next(read.tree.next(x)), kNone);
}

TEST(JsonTree, SizeAndDepthAreBounded) {
  EXPECT_EQ(Read("[1,2,3,4,5,6,7]").mistake(), "more than 6 JSON values");
  EXPECT_EQ(Read("[[[[[]]]]]").mistake(), "nested more than 4 levels deep");
  EXPECT_THAT(Read("[1,").mistake(), testing::StartsWith("not JSON: "));
  EXPECT_TRUE(Read("[1,").tree.empty());
}

TEST(JsonTree, AByteZeroDoesNotEndTheText) { EXPECT_EQ(Read(std::string("11\0[", 4)).mistake(), "not JSON: a byte 0"); }

}  // namespace
}  // namespace rgtrans
