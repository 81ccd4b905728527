// Desk: a workbench behind one page of the studio. The methods of its JSON-RPC are the verbs of the
// workbench. In addition, `cancel` ends a request, and `progress` reports the state of slow ones. One lane answers
// texts and quick verbs in their order; each slow verb has its own lane.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ide/desk/machine.hpp"  // IWYU pragma: export
#include "ide/desk/shelf.hpp"    // IWYU pragma: export

namespace rgtrans::ide {

class Desk {
 public:
  using Answer = std::function<void(std::string message)>;  // called from any thread
  Desk(std::shared_ptr<const Host> host, Answer answer);
  ~Desk();  // cancels running requests
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void receive(std::string_view message);  // never takes long

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::ide
