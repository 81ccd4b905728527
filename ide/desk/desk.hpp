// Desk: what stands behind one page of the studio besides the language service: the game of its editor, opened and
// shown as a board, an automaton, a run of the optimizer, and work on it that takes long. Messages are JSON-RPC 2.0.
//
//     hello                         languages, presets, passes, files of the folder
//     read, save                    texts of the folder or of the presets
//     open                          the text of the editor; what follows is about the last one that had no mistake
//     state                         a position: board, moves and which cells they name
//     automaton, explain, game      its drawing; what the analyses say of a node; its JSON form
//     passes, pass                  what the optimizer changed, and one change in full
//     perft, playouts, engines, compare, think, reply
//                                   work with progress, which `cancel` ends
//
// Quick requests are answered in their order, on one thread; each of the last line has a thread of its own.
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
