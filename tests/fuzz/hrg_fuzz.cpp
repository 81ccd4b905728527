// libFuzzer: any text is read as HRG. What is read without a mistake is well typed in the eyes of the verifier, and
// formatting it changes neither the game nor, the second time, the text.
#include <cstdio>
#include <cstdlib>

#include "backends/rg/rg.hpp"
#include "frontends/hrg/hrg.hpp"

namespace {

using namespace rgtrans;

void require(bool condition, const char* what, const std::string& detail) {
  if (condition) return;
  std::fprintf(stderr, "%s\n%s\n", what, detail.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  Diagnostics diagnostics;
  const std::string text(reinterpret_cast<const char*>(data), size);
  ir::Game game = hrg::load("fuzz.hrg", text, diagnostics);
  render(diagnostics.all(), *diagnostics.sources());
  if (diagnostics.has_errors()) return 0;

  Diagnostics layout;
  const std::string once = hrg::frontend().format(layout.sources()->add("fuzz.hrg", text), layout);
  const std::string twice = hrg::frontend().format(layout.sources()->add("once.hrg", once), layout);
  require(!layout.has_errors() && once == twice, "formatting is not idempotent", once);
  Diagnostics again;
  const ir::Game formatted = hrg::load("once.hrg", once, again);
  require(rg::written_symbols(game) > 100'000 || rg::print(game) == rg::print(formatted), "formatting changes the game",
          once);

  ir::verify(game, diagnostics, {false});
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::error) std::fprintf(stderr, "verifier: %s\n", d.message.c_str());
  }
  return 0;
}
