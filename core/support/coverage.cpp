#include "core/support/coverage.hpp"

namespace rgtrans {

namespace coverage {

thread_local constinit CoverageCounts* current = nullptr;

void add(std::string_view stage, std::string_view what) {
  std::string name(stage);
  name += ": ";
  name += what;
  ++(*current)[name];
}

}  // namespace coverage

void count_coverage(CoverageCounts* counts) { coverage::current = counts; }

}  // namespace rgtrans
