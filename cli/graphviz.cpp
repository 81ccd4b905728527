#include "cli/graphviz.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "backends/drawing/drawing.hpp"
#include "cli/program.hpp"
#include "core/support/support.hpp"

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

// The output of Graphviz for a text; nothing if it is not installed or fails.
std::optional<std::string> run_graphviz(std::string_view dot_text) {
  const File input = temporary();
  const File output = temporary();
  if (std::fwrite(dot_text.data(), 1, dot_text.size(), input.get()) != dot_text.size() ||
      std::fflush(input.get()) != 0) {
    throw Error("cannot write a temporary file");
  }
  std::rewind(input.get());

  if (run_program({"dot", "-Tjson"}, {.input = fileno(input.get()), .output = fileno(output.get())}) != 0) {
    return std::nullopt;
  }

  std::string text;
  std::array<char, 65536> buffer;
  std::rewind(output.get());
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), output.get())) text.append(buffer.data(), n);
  return text;
}

}  // namespace

std::string draw(const ir::Game& game) {
  // Graphviz needs minutes for thousands of boxes.
  constexpr std::size_t kMostForGraphviz = 400;
  drawing::Drawing drawing = drawing::fold(game);
  std::optional<std::string> places;
  if (drawing.boxes.size() <= kMostForGraphviz) places = run_graphviz(drawing::graphviz_text(drawing));
  if (places) {
    drawing::place_as(drawing, *places);
  } else {
    drawing::lay_out(drawing);
  }
  return drawing::svg(drawing);
}

}  // namespace rgtrans::cli
