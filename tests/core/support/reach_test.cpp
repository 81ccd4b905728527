#include "core/support/reach.hpp"

#include <gmock/gmock.h>

namespace rgtrans {
namespace {

TEST(Reach, FollowsEachNumberOnce) {
  const std::vector<std::vector<std::uint32_t>> next = {{1, 1}, {0, 3}, {0}, {}, {4}};
  std::vector<std::uint32_t> followed;
  const std::vector<std::uint32_t> roots{0, 0};
  const std::vector<bool> reached = reached_from(next.size(), roots, [&](std::uint32_t number, auto&& reach) {
    followed.push_back(number);
    for (const std::uint32_t to : next[number]) reach(to);
  });
  EXPECT_THAT(reached, testing::ElementsAre(true, true, false, true, false));
  EXPECT_THAT(followed, testing::UnorderedElementsAre(0, 1, 3));
}

}  // namespace
}  // namespace rgtrans
