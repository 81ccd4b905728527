// The operations that convert a library's stored states to tensors.
#include <algorithm>
#include <cstddef>

#include "backends/env/env.hpp"

namespace rgtrans::env {

StoredStates::StoredStates(const rgtrans_env_universe* universes, std::uint32_t universe_count,
                           const rgtrans_env_variable* variables, std::uint32_t variable_count)
    : universes_(universes), variables_(variables) {
  for (std::uint32_t u = 0; u < universe_count; ++u) {
    auto& codes = codes_.emplace_back();
    for (std::uint32_t c = 0; c < universes[u].size; ++c) codes.emplace(universes[u].names[c], c);
  }
  for (std::uint32_t v = 0; v < variable_count; ++v) numbers_.emplace(variables[v].name, v);
}

const rgtrans_env_variable* StoredStates::find(const Observation::Source& source, rgtrans_env_op& op) const {
  const auto it = numbers_.find(source.variable);
  if (it == numbers_.end()) return nullptr;
  const rgtrans_env_variable& variable = variables_[it->second];
  if (variable.keys != source.keys.size()) return nullptr;
  std::size_t index = 0;
  for (std::size_t k = 0; k < source.keys.size(); ++k) {
    const auto code = codes_[variable.key[k]].find(source.keys[k]);
    if (code == codes_[variable.key[k]].end()) return nullptr;
    index = index * universes_[variable.key[k]].size + code->second;
  }
  op.offset = static_cast<std::uint32_t>(variable.offset + index * variable.width);
  op.width = variable.width;
  op.alive = variable.alive;
  return &variable;
}

std::vector<std::string> StoredStates::values(const rgtrans_env_variable& variable) const {
  const rgtrans_env_universe& universe = universes_[variable.leaf];
  return {universe.names, universe.names + universe.size};
}

namespace {

// Distances in the tensor.
struct Strides {
  std::size_t area, plane, place;
};

// By view and stored value (`codes`): the position of the one to set; -1 for none.
std::vector<std::int32_t> table_of(const Observation::Source& source, const std::vector<std::string>& codes,
                                   const Strides& strides) {
  std::vector<std::int32_t> table(source.views * codes.size(), -1);
  for (std::size_t view = 0; view < source.views; ++view) {
    for (std::size_t v = 0; v < source.values.size(); ++v) {
      const auto code = std::ranges::find(codes, source.values[v]);
      const std::int32_t plane = source.planes[view * source.values.size() + v];
      if (code == codes.end() || plane < 0) continue;
      std::size_t at = static_cast<std::size_t>(plane) * strides.plane;
      if (source.packed)
        at = (static_cast<std::size_t>(plane) + v / strides.area) * strides.plane + v % strides.area * strides.place;
      table[view * codes.size() + static_cast<std::size_t>(code - codes.begin())] = static_cast<std::int32_t>(at);
    }
  }
  return table;
}

}  // namespace

TensorOps::TensorOps(const Observation& observation, bool channels_last, const StoredStates* states) {
  static constexpr std::uint8_t kAlwaysAsk = 1;
  if (observation.form == Observation::Form::moves) return;
  const std::size_t area = observation.shape[1] * observation.shape[2];
  const Strides strides{area, channels_last ? 1 : area, channels_last ? observation.shape[0] : 1};
  std::vector<std::size_t> tables;  // by op: the begin of its table
  const std::vector<std::string>* last_values = nullptr;
  std::vector<std::string> last_codes;
  for (std::size_t s = 0; s < observation.sources.size(); ++s) {
    const Observation::Source& source = observation.sources[s];
    rgtrans_env_op op{};
    std::vector<std::string> codes = source.values;
    if (!source.variable.empty() && states != nullptr) {
      const rgtrans_env_variable* const variable = states->find(source, op);
      if (variable == nullptr) continue;
      codes = states->values(*variable);
    } else if (!source.variable.empty()) {
      op.offset = static_cast<std::uint32_t>(s);
      op.width = 4;
      op.alive = &kAlwaysAsk;
    }
    op.views = static_cast<std::uint32_t>(source.views);
    op.values = static_cast<std::uint32_t>(codes.size());
    op.base = static_cast<std::uint32_t>(source.everywhere || source.packed ? 0 : source.place * strides.place);
    op.count = static_cast<std::uint32_t>(source.everywhere ? area : 1);
    op.step = static_cast<std::uint32_t>(strides.place);
    // Cells of one board share a table.
    const bool shared = last_values != nullptr && !source.everywhere && !source.packed &&
                        *last_values == source.values && last_codes == codes && s > 0 &&
                        observation.sources[s - 1].planes == source.planes;
    if (!shared) {
      const std::vector<std::int32_t> table = table_of(source, codes, strides);
      tables.push_back(places.size());
      places.insert(places.end(), table.begin(), table.end());
    } else {
      tables.push_back(tables.back());
    }
    last_values = &source.values;
    last_codes = std::move(codes);
    ops.push_back(op);
  }
  for (std::size_t i = 0; i < ops.size(); ++i) ops[i].places = places.data() + tables[i];
}

}  // namespace rgtrans::env
