// Where the cells lie that tensors show, in states that a library stores.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/env/env.hpp"

namespace rgtrans::env {

// Where the cells of a library's states lie.
class StoredStates {
 public:
  StoredStates(const rgtrans_env_universe* universes, std::uint32_t universe_count,
               const rgtrans_env_variable* variables, std::uint32_t variable_count);

  // Fills in where the cell lies; null when it is no part of the state.
  const rgtrans_env_variable* find(const Observation::Source& source, rgtrans_env_op& op) const;
  [[nodiscard]] std::vector<std::string> values(const rgtrans_env_variable& variable) const;

 private:
  const rgtrans_env_universe* universes_;
  const rgtrans_env_variable* variables_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> codes_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace rgtrans::env
