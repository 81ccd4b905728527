// Reads any text as GDL, in either notation. The ground description of a description has the same ground description.
// Two targets share this, because each notation has its own seeds and dictionary.
#pragma once

#include "frontends/gdl/gdl.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {

inline void read_gdl(std::string_view text) {
  gdl::GroundOptions small;
  small.max_rules = 2'000;
  small.max_memory = 256U << 20U;
  Diagnostics diagnostics;
  const gdl::GroundProgram program =
      gdl::ground(diagnostics.sources()->add("input", std::string(text)), diagnostics, small);
  check_messages(diagnostics);
  if (diagnostics.has_errors()) return;
  std::string printed;
  gdl::print_ground(program, [&](std::string_view piece) { printed += piece; });
  gdl::print_network(program, [](std::string_view) {});
  gdl::joint_perft(program, 2, 1'000);
  // The rules of the printed one may be more, because bodies have names.
  gdl::GroundOptions larger = small;
  larger.max_rules *= 2;
  gdl::ground(diagnostics.sources()->add("ground", printed), diagnostics, larger);
  require(!diagnostics.has_errors(), "the ground description is not read",
          render(diagnostics.all(), *diagnostics.sources()) + printed);
  LoadOptions options;
  options.options.values = {{"max-rules", "2000"}, {"max-memory", "256"}};
  load_and_format(gdl::frontend(), text, options);
}

}  // namespace rgtrans::fuzz
