// Functions that commands share, besides arguments.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/parts.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

std::span<const Command* const> commands() { return parts().commands; }

void show(std::span<const Diagnostic> diagnostics, const Sources& sources, bool json) {
  if (diagnostics.empty()) return;
  const bool colour = ::isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const std::string text =
      json ? render_json(diagnostics, sources) + "\n" : render(diagnostics, sources, colour ? Colour::yes : Colour::no);
  std::fputs(text.c_str(), stderr);
}

std::string for_terminal(const std::string& text) { return ::isatty(STDOUT_FILENO) == 1 ? printable(text) : text; }

}  // namespace rgtrans::cli
