#include "core/analysis/environments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace rgtrans::analysis {
namespace {

using Values = std::vector<Environments::Value>;

Values read(const Environments& all, Environments::Id id, std::size_t variables) {
  Values values;
  for (std::size_t v = 0; v < variables; ++v) values.push_back(all.get(id, v));
  return values;
}

TEST(Environments, AreLikeVectors) {
  std::mt19937 random(7);
  for (const std::size_t variables : {1U, 2U, 16U, 17U, 255U, 256U, 257U, 300U, 4097U}) {
    Environments all(variables);
    Values a(variables, 3);
    Environments::Id id = all.make(a);
    EXPECT_EQ(read(all, id, variables), a);
    for (int i = 0; i < 60; ++i) {
      const std::size_t v = random() % variables;
      a[v] = random() % 5;
      id = all.set(id, v, a[v]);
    }
    EXPECT_EQ(read(all, id, variables), a);
    EXPECT_EQ(all.make(a), id) << "equal environments are one";

    Values b = a;
    for (int i = 0; i < 10; ++i) b[random() % variables] = random() % 5;
    const auto sum = [](std::size_t variable, Environments::Value x, Environments::Value y) {
      return static_cast<Environments::Value>(x + 10 * y + 100 * variable);
    };
    const Environments::Id other = all.make(b);
    Values expected = a;
    for (std::size_t v = 0; v < variables; ++v) {
      if (a[v] != b[v]) expected[v] = sum(v, a[v], b[v]);
    }
    EXPECT_EQ(read(all, all.join(id, other, sum), variables), expected);
    EXPECT_EQ(all.join(id, other, sum), all.join(id, other, sum));
  }
}

}  // namespace
}  // namespace rgtrans::analysis
