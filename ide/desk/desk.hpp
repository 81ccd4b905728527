// Desk: a workbench behind the socket of one page of the studio. The methods of its JSON-RPC are the verbs of the
// workbench; `cancel` ends a request, and `progress` tells of those that take long. Texts and quick verbs are answered
// in their order in one lane; each slow verb has a lane of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ide/desk/shelf.hpp"

namespace rgtrans::ide {

class Desk {
 public:
  using Answer = std::function<void(std::string message)>;  // called from any thread
  Desk(Shelf shelf, Answer answer);
  ~Desk();  // ends what is under way
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void receive(std::string_view message);  // never takes long

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::ide
