#include "backends/scene/steps.hpp"

#include <unordered_set>

namespace rgtrans::scene {

namespace {

constexpr std::size_t kMaxPairs = 2'000'000;  // looked at

class Finder {
 public:
  Finder(const ir::Game& game, std::span<const SymbolId> cells) : game_(game), cells_(cells.begin(), cells.end()) {}

  std::vector<Neighbours> run() {
    for (const ir::Constant& constant : game_.constants()) {
      if (constant.alive) enter(constant.type, constant.value, game_.symbols.str(constant.name));
    }
    if (game_.words != nullptr && !game_.words->lines.empty()) {
      Neighbours& lines = found_.emplace_back();
      lines.name = "line";
      for (const auto& pair : game_.words->lines) {
        if (cells_.contains(pair.first) && cells_.contains(pair.second)) lines.pairs.push_back(pair);
      }
      if (lines.pairs.empty()) found_.pop_back();
    }
    return std::move(found_);
  }

 private:
  // Down to the last arrow of the type.
  void enter(ir::TypeId declared, ir::ValueId value, const std::string& name) {
    const ir::TypeId type = game_.resolve(declared);
    if (!game_.is_arrow(type) || work_ > kMaxPairs) return;
    const auto keys = game_.members(game_.types.from(type));
    const ir::TypeId to = game_.resolve(game_.types.to(type));
    if (!game_.is_set(to)) {
      for (const SymbolId key : keys) enter(to, game_.values.at(value, key), written(game_, key));
      return;
    }
    work_ += keys.size();
    Neighbours step{name, {}};
    for (const SymbolId key : keys) {
      const ir::ValueId target = game_.values.at(value, key);
      if (!cells_.contains(key) || !game_.values.is_symbol(target)) continue;
      const SymbolId next = game_.values.as_symbol(target);
      if (next != key && cells_.contains(next)) step.pairs.emplace_back(key, next);
    }
    if (4 * step.pairs.size() >= cells_.size()) found_.push_back(std::move(step));
  }

  const ir::Game& game_;
  std::unordered_set<SymbolId> cells_;
  std::vector<Neighbours> found_;
  std::size_t work_ = 0;
};

}  // namespace

std::vector<Neighbours> find_steps(const ir::Game& game, std::span<const SymbolId> cells) {
  return Finder(game, cells).run();
}

}  // namespace rgtrans::scene
