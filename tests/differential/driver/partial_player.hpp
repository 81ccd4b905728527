// The parts of a Reasoner that no comparison uses; all of them throw.
#pragma once

#include <string>

#include "backends/reasoner.hpp"
#include "core/support/support.hpp"

namespace rgtrans::differential {

class PartialPlayer : public Reasoner {
 public:
  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override { missing(); }
  std::span<const std::uint32_t> move_tags(std::size_t) override { return {}; }
  [[nodiscard]] std::string tag_text(std::uint32_t) const override { return {}; }
  std::uint64_t walk_count(std::size_t) override { return 1; }
  bool undo() override { return false; }
  [[nodiscard]] std::string describe() const override { return {}; }
  std::uint64_t perft(unsigned) override { missing(); }
  std::uint64_t perft_walks(unsigned) override { missing(); }
  PlayoutStats playouts(const PlayoutOptions&) override { missing(); }

 protected:
  [[noreturn]] static void missing() { throw Error("this engine is only compared"); }

  GameInfo info_;
};

}  // namespace rgtrans::differential
