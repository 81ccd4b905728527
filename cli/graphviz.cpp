#include "cli/graphviz.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "core/support/support.hpp"

extern char** environ;

namespace rgtrans::cli {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// An open file without a name.
File temporary() {
  File file(std::tmpfile());
  if (file == nullptr) throw Error("cannot create a temporary file");
  return file;
}

}  // namespace

std::string draw_svg(std::string_view dot_text) {
  const File input = temporary();
  const File output = temporary();
  if (std::fwrite(dot_text.data(), 1, dot_text.size(), input.get()) != dot_text.size() ||
      std::fflush(input.get()) != 0) {
    throw Error("cannot write a temporary file");
  }
  std::rewind(input.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), STDOUT_FILENO);
  std::string program = "dot";
  std::string format = "-Tsvg";
  std::array<char*, 3> arguments = {program.data(), format.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Error("drawing needs Graphviz, whose program dot was not found",
                "install it (apt-get install graphviz), or write --to dot");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw Error("Graphviz could not draw this game", "--to dot shows what it was given");

  std::string svg;
  std::array<char, 65536> buffer;
  std::rewind(output.get());
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), output.get())) svg.append(buffer.data(), n);
  return svg;
}

}  // namespace rgtrans::cli
