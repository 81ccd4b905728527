// Shared by all fuzz targets. A target is one function on bytes. libFuzzer drives it through LLVMFuzzerTestOneInput;
// the ordinary test program replays kept inputs through it (replay_test.cpp), so every run of the suite checks earlier
// findings.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/frontend.hpp"
#include "tests/fuzz/mutate.hpp"

namespace rgtrans::fuzz {

// A target found that something is wrong.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool condition, const std::string& what, const std::string& detail) {
  if (!condition) throw Finding(what + "\n" + detail);
}

using Target = std::function<void(std::string_view)>;
// The targets of this program, by name.
std::map<std::string, Target, std::less<>>& targets();

// The generators of inputs of this program's targets; those of targets whose inputs are bytes have none.
std::map<std::string, std::vector<Generator>, std::less<>>& generators();

struct Registration {
  Registration(const char* name, Target target, std::vector<Generator> inputs = {}) {
    targets().emplace(name, std::move(target));
    generators().emplace(name, std::move(inputs));
  }
};

// Every message must have text, a place where that can be, and be shown without trouble.
void check_messages(const Diagnostics& diagnostics);

// Laying out a second time changes nothing; the layout, unless the text has mistakes.
std::optional<std::string> lay_out(const Frontend& frontend, std::string_view text);

// Text in some language: reading gives a game or messages. A game without mistakes is well typed for the verifier and
// can be printed. Formatting keeps the game, and a second formatting keeps the text.
struct LoadOptions {
  FrontendOptions options = {};
  bool well_typed = true;  // the verifier accepts what the front end accepts
};
void load_and_format(const Frontend& frontend, std::string_view text, const LoadOptions& options = {});

// Printing to RG and to JSON and reading back gives an equal game.
void round_trips(const ir::Game& game);

}  // namespace rgtrans::fuzz
