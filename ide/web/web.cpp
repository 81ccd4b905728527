// The workbench behind the studio's page, and the language service, as a WebAssembly module. Its interface is that of
// their sockets: messages of JSON-RPC in both directions. The owner writes a message into the room that it asked for
// and delivers it; then it calls step() until nothing is left to do, and looks for newer messages in between.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ide/desk/desk.hpp"
#include "ide/service/session.hpp"
#include "ide/web/lanes.hpp"

namespace {

__attribute__((import_module("rgtrans"), import_name("send"))) extern "C" void rgtrans_send(const char* text,
                                                                                            std::size_t size);

std::string room;
std::unique_ptr<rgtrans::ide::Desk> desk;
std::unique_ptr<rgtrans::ide::Session> session;

void send(const std::string& text) { rgtrans_send(text.data(), text.size()); }

}  // namespace

extern "C" {

__attribute__((export_name("room"))) char* rgtrans_room(std::size_t size) {
  room.assign(size, '\0');
  return room.data();
}

// A message of the studio's page.
__attribute__((export_name("ask_desk"))) void rgtrans_ask_desk() {
  if (desk == nullptr) desk = std::make_unique<rgtrans::ide::Desk>(std::make_shared<rgtrans::ide::Host>(), send);
  desk->receive(room);
}

// A message of the Language Server Protocol.
__attribute__((export_name("ask_service"))) void rgtrans_ask_service() {
  if (session == nullptr) session = std::make_unique<rgtrans::ide::Session>(send);
  session->receive(room);
}

// Does one piece of work. False if none waits.
__attribute__((export_name("step"))) bool rgtrans_step() { return rgtrans::ide::step_lanes(); }

}  // extern "C"
