// The program of scripts/differential has its own `new`. The script limits the address space when the program runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <vector>

namespace rgtrans::test {
namespace {

std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(DifferentialAllocation, TakesAddressesAsItNeedsThem) {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30U;
  if (address_space() > 1024 * kGibibyte) GTEST_SKIP() << "a sanitizer has addresses of its own";
  // More than a chunk of small blocks, all different, in use at once.
  std::vector<std::unique_ptr<std::uint64_t>> blocks;
  for (std::uint64_t i = 0; i < 6'000'000; ++i) blocks.push_back(std::make_unique<std::uint64_t>(i));
  EXPECT_LT(address_space(), 3 * kGibibyte);
  for (std::uint64_t i = 0; i < blocks.size(); ++i) ASSERT_EQ(*blocks[i], i);
  const std::uint64_t full = address_space();
  for (std::uint64_t i = 0; i < blocks.size(); ++i) blocks[i] = std::make_unique<std::uint64_t>(i);
  EXPECT_LT(address_space(), full + kGibibyte / 4);  // freed blocks are used again
}

}  // namespace
}  // namespace rgtrans::test
