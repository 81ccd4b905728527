// Compiled reasoners for tests of a few moves, in which the compiler takes longer than the plays. With RGTRANS_FULL
// they are optimized as those of users are.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "backends/cpp/cpp.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {

inline cpp::BuildOptions quick(cpp::BuildOptions options = {}) {
  if (!corpus::full()) options.extra_flags.emplace_back("-O0");
  return options;
}

// Without a technique of the generator.
inline cpp::BuildOptions without(std::string_view technique) {
  cpp::BuildOptions options;
  EXPECT_TRUE(options.generate.techniques.leave_out(technique)) << technique;
  return options;
}

inline std::unique_ptr<Reasoner> quick_reasoner(const ir::Game& game, const cpp::BuildOptions& options = {}) {
  return cpp::make_cpp_reasoner(game, quick(options));
}

}  // namespace rgtrans::test
