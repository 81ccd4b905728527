// The surroundings of a workbench. The workbench itself reads no file and starts neither thread nor program, so it also
// runs in a worker of a browser; its owner provides the services of its place.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"
#include "ide/workbench/stop.hpp"

namespace rgtrans::ide {

class OpenedGame;

// This one has neither a folder nor a compiler.
class Host {
 public:
  virtual ~Host() = default;

  // "" without a folder.
  [[nodiscard]] virtual std::string folder() const { return {}; }
  // Descriptions below the folder, by their names relative to it, sorted.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
  // Throw Error for names that are not of descriptions in the folder.
  [[nodiscard]] virtual std::string read(const std::string& name) const;
  virtual void write(const std::string& name, std::string_view text) const;
  // The compiled reasoner of a game; throws Error without a compiler, Abandoned if `stop` requests it.
  [[nodiscard]] virtual std::unique_ptr<Reasoner> compile(const ir::Game& game, const Stop& stop) const;
  // The compiled reasoner of a game at the start of a play, if it is ready. Otherwise null; a host with a compiler then
  // compiles it meanwhile.
  [[nodiscard]] virtual std::unique_ptr<Reasoner> compiled(const std::shared_ptr<const OpenedGame>& game) const;
};

}  // namespace rgtrans::ide
