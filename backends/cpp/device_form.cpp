// The files of the form for a GPU (device_form.hpp).
#include "backends/cpp/device_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <set>

#include "backends/cpp/call_graph.hpp"
#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/project.hpp"

namespace rgtrans::cpp {

namespace {

class DeviceFiles {
 public:
  explicit DeviceFiles(const DeviceParts& parts)
      : parts_(parts), shared_(parts.shared), calls_(shared_.functions), apart_(calls_.apart(entries())) {}

  std::vector<GeneratedFile> make() {
    check_memory();
    return {{"game.cuh", game()},
            {"rules.cuh", rules()},
            embedded_file("device.cuh"),
            embedded_file("kernels.cuh"),
            {"device.h", boost::replace_all_copy(std::string(embedded_text("cuda/device.h")), "backends/env/", "")},
            {"game.cu", device_source()},
            embedded_file("program.cu"),
            {"nvcc.options", compiler_options()},
            {"state.hpp", twin_header()},
            {"reasoner.hpp", std::string(embedded_text("game_state.hpp"))},
            {"reasoner.cpp", twin_source()}};
  }

 private:
  std::string device_source() {
    Text text;
    text.raw(
        "// All of the game for nvcc: the kernels, and the C interface of device.h.\n"
        "#include \"kernels.cuh\"\n\nnamespace reasoner {\n\n");
    text.raw(parts_.tag_names);
    text.line("}  // namespace reasoner");
    return text.take();
  }

  // For nvcc --options-file. What functions need of registers and stack is found out for all that may call each other
  // together, which takes the square of their number: many are compiled each for itself, and linked. Names are hidden,
  // or a second game of one process would take its symbols from the first.
  [[nodiscard]] std::string compiler_options() const {
    return fmt::format(
        "-std=c++20 -O3 --expt-relaxed-constexpr -maxrregcount={} -Xcompiler -fPIC,-fvisibility=hidden{}\n",
        registers(), apart_.size() > kCosts.linked_functions ? " -rdc=true" : "");
  }

  // With 64 registers 1,024 threads of a multiprocessor run at once: they wait for memory and for code more than for
  // numbers. Short rules of very large boards have sets of cells that want more.
  [[nodiscard]] int registers() const {
    std::uint64_t largest = 0, bytes = 0;  // of a state, at least
    for (const std::size_t v : shared_.facts.state) {
      const ArrayShape& shape = shared_.model.variable_shape(VarId(v));
      std::uint64_t cells = shape.cells(kSizes.counted_cells);
      largest = std::max(largest, cells);
      if (!shape.scalar()) cells = cells / shape.sizes[0] * shared_.model.padded_size(VarId(v));
      bytes += cells * (shared_.cell_type(shape.leaf) == "std::uint8_t" ? 1 : 2);
    }
    return largest > kCosts.large_board && !sorts_states_of(bytes) ? 128 : 64;
  }

  // Sorting saves time where rules are long; it costs that states come and go with each step, and so more the larger
  // they are.
  [[nodiscard]] bool sorts_states_of(std::size_t bytes) const {
    return !apart_.empty() && calls_.lines(entries()) >= kCosts.lines_for_byte * bytes;
  }

  // What kernels call.
  [[nodiscard]] std::set<FunctionId> entries() const {
    constexpr std::array<std::string_view, 3> kNames = {"find_moves", "apply_move", "system_move"};
    std::set<FunctionId> result;
    for (const FunctionId id : shared_.functions.defined()) {
      if (std::ranges::find(kNames, shared_.functions.name(id)) != kNames.end()) result.insert(id);
    }
    return result;
  }

  // Working memory of a thread is of fixed size.
  void check_memory() const {
    std::uint64_t cells = 0;
    for (const CacheField& field : shared_.functions.fields()) cells += field.size;
    if (cells * sizeof(std::uint32_t) > kSizes.marks) {
      throw Error(
          fmt::format("the game does not fit on a device: each thread would need {} MiB to mark what it has seen",
                      cells * sizeof(std::uint32_t) >> 20U),
          "the engine \"cpp\" plays it");
    }
  }

  // Slots of the table of known moves: a power of two.
  [[nodiscard]] std::uint32_t known_slots() const {
    const MoveLayout& layout = shared_.layout;
    const std::uint32_t bits = layout.packed ? std::min(layout.bits * layout.capacity + 1, 30U) : 30U;
    return std::min(kSizes.known_moves, std::uint32_t{1} << bits);
  }

  std::string game() {
    Text text;
    write_head(text, {"The symbols, moves and states of one game, for CUDA and for C++."},
               {"basics.hpp", "cells.hpp", "<iterator>", "<memory>", "<optional>", "<string>", "<string_view>"});
    write_game_constants(text, parts_.title);
    text.raw(parts_.symbols);
    text.line("inline constexpr unsigned kScores = std::size(kScoreNames);");
    write_move_constants(text, shared_.layout, shared_.model.tags.size(),
                         {.duplicates = shared_.facts.duplicates, .stores = false});
    text.line("// What the working memory of a thread has room for.");
    text.line("#define REASONER_ONCE {}", shared_.facts.duplicates ? 1 : 0);
    text.line("#define REASONER_SINGLE {}", shared_.set_ends == 0 ? 1 : 0);
    text.line("#define REASONER_KEYS {}", shared_.keeps_keys ? 1 : 0);
    text.line("#define REASONER_DEFERS {}", shared_.defers ? 1 : 0);
    text.line("inline constexpr unsigned kKnownSlots = {};", known_slots());
    text.line("// Functions that call themselves have a stack of so many bytes at first.");
    text.line("inline constexpr std::size_t kStack = {};", calls_.recursive().empty() ? 0 : kSizes.stack);
    text.line("");
    text.raw(embedded_text("move.hpp"));
    text.raw(embedded_text("finding.cuh"));
    text.raw(parts_.state);
    text.line("// Whether plays of a batch are sorted, for each step, by where they are in the rules.");
    text.line(apart_.empty() ? "inline constexpr bool kSorts = false;"
                             : fmt::format("inline constexpr bool kSorts = {} >= {} * sizeof(State);",
                                           calls_.lines(entries()), kCosts.lines_for_byte));
    text.raw("\n}  // namespace reasoner\n");
    return text.take();
  }

  std::string rules() {
    Text text;
    write_head(
        text,
        {"The rules of the game, for CUDA and for C++. One function a node where ways meet, named for what it is",
         "part of: moves_* find moves, check_* evaluate conditions, apply_* and system_* search for one walk."},
        {"game.cuh"});
    for (const char* const warning : {"parameter", "variable", "function"})
      text.line("#pragma GCC diagnostic ignored \"-Wunused-{}\"", warning);
    text.line("");
    if (shared_.lists_sets) {
      text.raw(embedded_text("found_sets.hpp"));
      text.raw(embedded_text("target_sets.cuh"));
    }
    text.raw("namespace {\n\n");
    text.raw(parts_.tables);
    text.raw("\nREASONER_DEVICE std::uint64_t seen_by(const State& s);\n");
    for (const FunctionId id : shared_.functions.declared()) text.line(shared_.functions.declaration(id));
    text.line("");
    for (const FunctionId id : shared_.functions.defined()) {
      text.raw(shared_.functions.definition(
          id, {.apart = apart_.contains(id), .recursive = calls_.recursive().contains(id)}));
    }
    text.raw(parts_.rules);
    text.raw("\n}  // namespace\n}  // namespace reasoner\n");
    return text.take();
  }

  std::string twin_header() {
    Text text;
    write_head(text, {"The twin of what runs on the device, as any other reasoner in C++."},
               {"state_graph.hpp", "support.hpp", "game.cuh"});
    text.raw(embedded_text("move_list.hpp"));
    text.raw(embedded_text("state_types.hpp"));
    return text.take();
  }

  std::string twin_source() {
    Text text;
    text.raw(
        "// The twin of what runs on the device: the rules and the kernels, compiled as plain C++.\n"
        "#include \"reasoner.hpp\"\n#include \"kernels.cuh\"\n\n#include <stdexcept>\n\n"
        "namespace reasoner {\n\n");
    text.raw(parts_.tag_names);
    text.raw("namespace {\n\n");
    text.raw(parts_.host);
    text.line("}  // namespace");
    text.raw(embedded_text("twin.cpp"));
    text.raw(embedded_text("play_out.cpp"));
    text.raw(embedded_text("game_state.cpp"));
    return text.take();
  }

  // Enough for chains of captures and for rays; areas that are followed from cell to cell make it grow.
  const DeviceParts& parts_;
  Shared& shared_;
  CallGraph calls_;
  std::set<FunctionId> apart_;
};

}  // namespace

std::vector<GeneratedFile> device_files(const DeviceParts& parts) { return DeviceFiles(parts).make(); }

}  // namespace rgtrans::cpp
