// A line for each game that is named: language, name, signature, seconds, and why there is none. scripts/sweep
// signature adds the lines up.
#include "tests/support/signature.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

int main(int count, char** arguments) {
  using Clock = std::chrono::steady_clock;
  for (int i = 1; i < count; ++i) {
    const std::filesystem::path path = arguments[i];
    const auto start = Clock::now();
    const rgtrans::test::Signature signature = rgtrans::test::signature_of(path);
    const std::string name = path.stem().string();
    fmt::print("{}\t{}\t{:016x}\t{:.3f}\t{}\n", signature.language, name, signature.number(name),
               std::chrono::duration<double>(Clock::now() - start).count(),
               signature.error.substr(0, signature.error.find('\n')));
    std::fflush(stdout);
  }
}
