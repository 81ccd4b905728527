// The files of the form for a GPU (device_form.hpp).
#include "backends/cpp/device_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "backends/cpp/project.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {

constexpr std::string_view kFinding =
#include "backends/cpp/runtime/finding.cuh.inc"
    ;
constexpr std::string_view kTargetSets =
#include "backends/cpp/runtime/target_sets.cuh.inc"
    ;
constexpr std::string_view kDevice =
#include "backends/cpp/runtime/device.cuh.inc"
    ;
constexpr std::string_view kKernels =
#include "backends/cpp/runtime/kernels.cuh.inc"
    ;
constexpr std::string_view kTwin =
#include "backends/cpp/runtime/twin.cpp.inc"
    ;
constexpr std::string_view kDeviceProgram =
#include "backends/cpp/runtime/program.cu.inc"
    ;
constexpr std::string_view kDeviceInterface =
#include "embedded/cuda/device.h.inc"
    ;

// The name of the function that a text defines; "" when it is none.
std::string_view defined_function(std::string_view text) {
  const std::size_t head = text.find("REASONER_DEVICE ");
  if (head == std::string_view::npos) return {};
  const std::size_t open = text.find('(', head);
  const std::size_t space = text.rfind(' ', open);
  return text.substr(space + 1, open - space - 1);
}

// Calls f(name) for each word of the text that is called.
template <class F>
void for_each_call(std::string_view text, F&& f) {
  const auto in_name = [](char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at && end < text.size() && text[end] == '(') f(text.substr(at, end - at));
    at = end + 1;
  }
}

// The functions that may call themselves, also by way of others.
std::set<std::string_view> recursive_functions(const std::vector<std::string>& functions) {
  std::vector<std::string_view> names;
  std::map<std::string_view, std::uint32_t> number;
  for (const std::string& function : functions) {
    number.emplace(defined_function(function), static_cast<std::uint32_t>(names.size()));
    names.push_back(defined_function(function));
  }
  analysis::Arcs calls;
  std::set<std::string_view> result;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const std::string_view text = functions[i];
    for_each_call(text.substr(std::min(text.size(), text.find('{'))), [&](std::string_view name) {
      const auto it = number.find(name);
      if (it == number.end()) return;
      calls.emplace_back(i, it->second);
      if (it->second == i) result.insert(name);
    });
  }
  const auto components = analysis::strong_components(functions.size(), calls);
  std::map<std::uint32_t, unsigned> size;
  for (const std::uint32_t component : components.of) ++size[component];
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    if (size[components.of[i]] > 1) result.insert(names[i]);
  }
  return result;
}

class DeviceFiles {
 public:
  explicit DeviceFiles(const DeviceParts& parts)
      : parts_(parts), shared_(parts.shared), recursive_(recursive_functions(shared_.functions())) {}

  std::vector<GeneratedFile> make() {
    check_memory();
    return {{"game.cuh", game()},
            {"rules.cuh", rules()},
            {"device.cuh", std::string(kDevice)},
            {"kernels.cuh", std::string(kKernels)},
            {"device.h", std::string(kDeviceInterface)},
            {"game.cu", device_source()},
            {"program.cu", std::string(kDeviceProgram)},
            {"reasoner.hpp", twin_header()},
            {"reasoner.cpp", twin_source()}};
  }

 private:
  std::string device_source() {
    Text text;
    text.line("// All of the game for nvcc: the kernels, and the C interface of device.h.");
    text.line("#include \"kernels.cuh\"");
    text.line("");
    text.line("namespace reasoner {");
    text.line("");
    text.raw(parts_.tag_names);
    text.line("}  // namespace reasoner");
    return text.take();
  }

  // Working memory of a thread is of fixed size.
  void check_memory() const {
    constexpr std::uint64_t kMost = 1U << 24U;
    std::uint64_t cells = 0;
    for (const std::string& field : shared_.cache_fields) {
      cells += std::stoull(field.substr(field.find('[') + 1));
    }
    if (cells * sizeof(std::uint32_t) > kMost) {
      throw Error(
          fmt::format("the game does not fit on a device: each thread would need {} MiB to mark what it has seen",
                      cells * sizeof(std::uint32_t) >> 20U),
          "use device=\"cpu\"");
    }
  }

  // Slots of the table of known moves: a power of two.
  [[nodiscard]] std::uint32_t known_slots() const {
    constexpr std::uint32_t kMost = 8192;
    const MoveLayout& layout = shared_.layout;
    const std::uint32_t bits = layout.packed ? std::min(layout.bits * layout.capacity + 1, 30U) : 30U;
    return std::min(kMost, std::uint32_t{1} << bits);
  }

  std::string game() {
    Text text;
    write_head(
        text, {"Generated from " + parts_.title + ". The symbols, moves and states of one game, for CUDA and for C++."},
        {"basics.hpp", "cells.hpp", "<iterator>", "<optional>", "<string>", "<string_view>"});
    text.line("inline constexpr const char* kGameName = " + literal(parts_.title) + ";");
    text.raw(parts_.symbols);
    text.line("inline constexpr unsigned kScores = std::size(kScoreNames);");
    text.line(fmt::format("REASONER_TABLE double kScoreValues[kScores] = {{{}}};", fmt::join(score_values(), ", ")));
    write_move_constants(text, shared_.layout, shared_.model.tags.size(), shared_.analysis.duplicates, false, false,
                         false);
    text.line("// What the working memory of a thread has room for.");
    text.line(fmt::format("#define REASONER_ONCE {}", shared_.analysis.duplicates ? 1 : 0));
    text.line(fmt::format("#define REASONER_KEYS {}", shared_.keeps_keys ? 1 : 0));
    text.line(fmt::format("#define REASONER_DEFERS {}", shared_.defers ? 1 : 0));
    text.line(fmt::format("inline constexpr unsigned kKnownSlots = {};", known_slots()));
    text.line("// Functions that call themselves do so at most this often, in a stack of so many bytes.");
    text.line(fmt::format("inline constexpr unsigned kDeepest = {};", kDeepest));
    text.line(fmt::format("inline constexpr std::size_t kStack = {};", recursive_.empty() ? 0 : kDeepest * kFrame));
    text.line("");
    text.raw(runtime::kMove);
    text.raw(kFinding);
    text.raw(parts_.state);
    text.line("}  // namespace reasoner");
    return text.take();
  }

  [[nodiscard]] std::vector<double> score_values() const {
    const Model& model = shared_.model;
    std::vector<double> values;
    for (const SymbolId symbol : model.universes[model.variable_shape(model.game.goals()).leaf].symbols) {
      values.push_back(std::strtod(model.game.symbols.str(symbol).c_str(), nullptr));
    }
    return values;
  }

  std::string rules() {
    Text text;
    write_head(
        text,
        {"The rules of the game, for CUDA and for C++. One function a node where ways meet, named for what it is",
         "part of: moves_* find moves, check_* evaluate conditions, apply_* and system_* search for one walk."},
        {"game.cuh"});
    for (const char* const warning : {"parameter", "variable", "function"})
      text.line(fmt::format("#pragma GCC diagnostic ignored \"-Wunused-{}\"", warning));
    text.line("");
    if (shared_.lists_sets) {
      text.raw(runtime::kFoundSets);
      text.raw(kTargetSets);
    }
    text.line("namespace {");
    text.line("");
    text.raw(parts_.tables);
    text.line("");
    text.line("REASONER_DEVICE std::uint64_t seen_by(const State& s);");
    for (const std::string& declaration : shared_.declarations) text.line(declaration);
    text.line("");
    for (const std::string& function : shared_.functions()) text.raw(guarded(function));
    text.raw(parts_.rules);
    text.line("");
    text.line("}  // namespace");
    text.line("}  // namespace reasoner");
    return text.take();
  }

  // A function that calls itself first looks how deep it is.
  [[nodiscard]] std::string guarded(const std::string& function) const {
    if (!recursive_.contains(defined_function(function))) return function;
    const std::size_t head = function.find("REASONER_DEVICE ");
    const std::size_t body = function.find("{\n", head) + 2;
    const bool finds = std::string_view(function).substr(head).starts_with("REASONER_DEVICE Output");
    std::string result = function;
    result.insert(body,
                  fmt::format("  const Deeper deeper(c);\n  if (!deeper.fits) return {};\n", finds ? "out" : "false"));
    return result;
  }

  std::string twin_header() {
    Text text;
    write_head(
        text,
        {"Generated from " + parts_.title + ". The twin of what runs on the device, as any other reasoner in C++."},
        {"support.hpp", "game.cuh"});
    text.raw(runtime::kMoveList);
    text.raw(runtime::kGameState);
    return text.take();
  }

  std::string twin_source() {
    Text text;
    text.line("// The twin of what runs on the device: the rules and the kernels, compiled as plain C++.");
    text.line("#include \"reasoner.hpp\"");
    text.line("#include \"kernels.cuh\"");
    text.line("");
    text.line("namespace reasoner {");
    text.line("");
    text.raw(parts_.tag_names);
    text.line("namespace {");
    text.line("");
    text.raw(parts_.host);
    text.line("}  // namespace");
    text.raw(kTwin);
    text.raw(runtime::kPlayOut);
    text.raw(runtime::kGameStateSource);
    return text.take();
  }

  // Chains of captures, rays, and areas that are followed from cell to cell.
  static constexpr std::size_t kDeepest = 96, kFrame = 512;

  const DeviceParts& parts_;
  Shared& shared_;
  std::set<std::string_view> recursive_;
};

}  // namespace

std::vector<GeneratedFile> device_files(const DeviceParts& parts) { return DeviceFiles(parts).make(); }

}  // namespace rgtrans::cpp
