// rgtrans lsp: the language service on standard input and output, for editors.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "cli/command.hpp"
#include "core/support/letters.hpp"
#include "ide/service/session.hpp"
#include "ide/workbench/workbench.hpp"

namespace rgtrans::cli {

namespace {

// The maximum size of a message; a greater length is a mistake of the client, or no length at all.
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

// The length in a header; nothing at the end of the input, and 0 for a header without one.
std::optional<std::size_t> read_header(std::istream& in) {
  std::size_t length = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) return length;
    constexpr std::string_view kName = "content-length:";
    if (lower_case(line.substr(0, kName.size())) == kName)
      length = std::strtoull(line.c_str() + kName.size(), nullptr, 10);
  }
  return std::nullopt;
}

int serve() {
  std::ios::sync_with_stdio(false);
  ide::Session session([](const std::string& message) {
    fmt::print("Content-Length: {}\r\n\r\n{}", message.size(), message);
    std::fflush(stdout);
  });
  while (!session.finished()) {
    const auto length = read_header(std::cin);
    if (!length) break;
    if (*length > kMostBytes) throw Error(fmt::format("a message of {} bytes is announced", *length));
    std::string message(*length, '\0');
    if (!std::cin.read(message.data(), static_cast<std::streamsize>(*length))) return kInputProblem;
    if (*length > 0) session.receive(message);
    if (std::ferror(stdout) != 0) break;
  }
  session.wait_until_idle();
  if (std::ferror(stdout) != 0) throw Error("cannot write standard output");
  return session.finished() ? kSuccess : kInputProblem;
}

int print_messages() {
  fmt::print("{}", ide::typescript());
  return kSuccess;
}

}  // namespace

const Command kLsp = {
    "lsp", "run the language server for an editor", "rgtrans lsp", [](OptionSet& app) -> std::function<int()> {
      // Editors say how they speak; there is one way only.
      auto standard = std::make_shared<bool>(), messages = std::make_shared<bool>();
      app.add_flag("--stdio", *standard, "use standard input and output, as always");
      app.add_flag("--messages", *messages, "print the requests and replies of commands, as types of TypeScript");
      return [standard, messages] { return *messages ? print_messages() : serve(); };
    }};

}  // namespace rgtrans::cli
