// From a text to the ground program.
#include <charconv>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/grounder.hpp"
#include "frontends/gdl/syntax.hpp"

namespace rgtrans::gdl {

namespace {

void read_number(const FrontendOptions& options, std::string_view name, std::uint64_t& value, std::uint64_t unit,
                 Diagnostics& diagnostics) {
  const auto found = options.values.find(name);
  if (found == options.values.end()) return;
  const std::string& text = found->second;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > UINT64_MAX / unit) {
    diagnostics.error({}, "--" + std::string(name) + " needs a positive number, not '" + text + "'");
    return;
  }
  value = number * unit;
}

}  // namespace

GroundOptions ground_options(const FrontendOptions& options, Diagnostics& diagnostics) {
  GroundOptions result;
  read_number(options, "max-rules", result.max_rules, 1, diagnostics);
  read_number(options, "max-memory", result.max_memory, 1ULL << 20, diagnostics);
  read_number(options, "max-seconds", result.max_seconds, 1, diagnostics);
  result.fold_case = options.has("fold-case");
  return result;
}

Program read_program(const Sources::File& file, Diagnostics& diagnostics, bool fold_case) {
  Symbols symbols;
  const Tree tree = read_tree(file, symbols, diagnostics, fold_case);
  Program program = normalise(tree, std::move(symbols), diagnostics);
  check(program, diagnostics);
  return program;
}

GroundProgram ground(const Sources::File& file, Diagnostics& diagnostics, const GroundOptions& options) {
  Program program = read_program(file, diagnostics, options.fold_case);
  if (diagnostics.has_errors()) return {};
  RawGround raw = instantiate(program, options, diagnostics);
  if (diagnostics.has_errors()) return {};
  return simplify(program, raw, options, diagnostics);
}

}  // namespace rgtrans::gdl
