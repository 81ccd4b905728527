// The workbench: the abilities of the program with a game, called by messages. The language server, the studio's socket
// and other carriers of messages use it. Each verb is written once, as a function from one typed message to another,
// and is a row of a table. Here are no threads and no files: the carrier of the messages decides where work runs, and a
// Host (host.hpp) provides everything besides texts.
//
//     texts     hello, read, save, open
//     quick     translate, optimize, pass, explain, automaton, drawing, nodes, source, moves, board, play, arrange
//     slow      perft, playouts, engines, compare, think, reply, solve, analyze: with progress, and ended by `stop`
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ide/workbench/game.hpp"           // IWYU pragma: export
#include "ide/workbench/host.hpp"           // IWYU pragma: export
#include "ide/workbench/messages.hpp"       // IWYU pragma: export
#include "ide/workbench/pictures.hpp"       // IWYU pragma: export
#include "ide/workbench/play_messages.hpp"  // IWYU pragma: export
#include "ide/workbench/shown_play.hpp"     // IWYU pragma: export
#include "ide/workbench/stop.hpp"           // IWYU pragma: export
#include "ide/workbench/text.hpp"           // IWYU pragma: export

namespace rgtrans::ide {

// Of the document; throws Error where there is none, with its mistakes.
[[nodiscard]] GamePointer game_of(const DocumentPointer& document);

// The surroundings of a slow verb besides its request. It may run at the same time as others.
struct Errand {
  const Host& host;
  GamePointer game;
  const Stop& stop;
};

// The bench of one client: quick verbs use it one after the other.
struct Bench {
  std::shared_ptr<const Host> host = std::make_shared<Host>();
  DocumentPointer document;
  Encoding encoding = Encoding::utf32;  // of ranges in texts
  Gallery gallery;
  // The play that was shown last, or a new one of this game.
  ShownPlay& play_of(const GamePointer& game);

 private:
  std::unique_ptr<ShownPlay> play_;
};

// Called on the way with messages of the verb's progress.
using TellProgress = std::function<void(Json progress)>;

struct Verb {
  std::string_view name;  // "perft"
  std::string_view help;
  // One of them. They throw BadField for a request that has another form, Error, and Abandoned.
  Json (*quick)(Bench& bench, const Json& request, const Stop& stop) = nullptr;
  Json (*slow)(const Errand& errand, const Json& request, const TellProgress& tell) = nullptr;
  bool compiles = false;  // it needs a host with a compiler
  // How its types are written in TypeScript.
  std::string (*types)(wire::Typescript& out) = nullptr;
};

std::span<const Verb> text_verbs();  // about texts: an editor has other messages for them
std::span<const Verb> game_verbs();  // about the game of the document
const Verb* find_verb(std::span<const Verb> verbs, std::string_view name);

// Declarations of all messages: ide/studio/src/messages.ts.
std::string typescript();

}  // namespace rgtrans::ide
