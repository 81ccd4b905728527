// Many generated reasoners in one shared library: compiling them one by one would take most of its time in reading the
// same headers again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backends/cpp/interface.h"
#include "core/ir/ir.hpp"

namespace rgtrans::test {

class Batch {
 public:
  Batch();
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Throws Error where no reasoner can be generated. As tables: as if it were too large for code.
  void add(const ir::Game& game, bool as_tables = false);
  [[nodiscard]] std::size_t size() const;
  // Compiles all added games; throws Error with the message of the compiler.
  void build();
  [[nodiscard]] const rgtrans_reasoner& operator[](std::size_t index) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rgtrans::test
