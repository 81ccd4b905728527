#include "core/support/effort.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace rgtrans {
namespace {

TEST(Effort, EndsWhenMoreIsAskedThanIsLeft) {
  Effort effort("counting sheep", 10);
  EXPECT_TRUE(effort.spend(7));
  EXPECT_TRUE(effort.spend(3));
  EXPECT_EQ(effort.left(), 0U);
  EXPECT_FALSE(effort.ended());
  EXPECT_EQ(effort.why(), "");
  EXPECT_FALSE(effort.spend());
  EXPECT_TRUE(effort.ended());
  effort.allow(5);
  EXPECT_FALSE(effort.spend(1));
  EXPECT_EQ(effort.why(), "counting sheep: the effort ended before the work did");
}

TEST(Effort, CanBeAllowedMore) {
  Effort effort("counting sheep", 1);
  effort.allow(2);
  EXPECT_TRUE(effort.spend(3));
  EXPECT_FALSE(effort.spend(1));
}

TEST(Effort, IsAShareOfALimit) {
  const Limit half("test-effort", 50, 1'000, "percent");
  EXPECT_EQ(Effort("sheep", 200, half).left(), 100U);
  EXPECT_EQ(Effort("sheep", UINT64_MAX, half).left(), UINT64_MAX / 100 * 50);
}

TEST(Effort, TellsOnceWhatIsLeftOut) {
  std::vector<std::string> notes;
  listen_to_notes([&](const std::string& note) { notes.push_back(note); });
  Effort effort("counting sheep", 0);
  effort.spend();
  effort.spend();
  listen_to_notes({});
  Effort("counting goats", 0).spend();
  EXPECT_THAT(notes, testing::ElementsAre("counting sheep: the effort ended before the work did"));
}

}  // namespace
}  // namespace rgtrans
