// The parts of a program of this folder. There are three kinds: the whole program, which is installed; the translator,
// which has the front ends, the optimizer and the printers; and a translator for each language, which has one front end
// (frontends() in frontends/registry). scripts/rgtrans builds the smallest one that can do the work. Each links one
// file that fills this table, whole.cpp or translator.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "core/ir/ir.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::cli {

// A form in which a translated game can be written: one text, or the files of a project in a folder. The translator
// knows the names of all forms; a form that it cannot write has neither function.
struct OutputForm {
  using Write = void (*)(const ir::Game& game, const std::string& form, const ProjectArguments& names,
                         const std::filesystem::path& folder, FileRoles& roles);

  const char* name;
  std::string (*text)(const ir::Game& game, const ProjectArguments& arguments);
  Write project;
};

// The page of --html-trace.
class TracePage {
 public:
  virtual ~TracePage() = default;
  virtual void add(const passes::PassEvent& event) = 0;
  [[nodiscard]] virtual std::string html(const ir::Game& optimized, const passes::OptimizeReport& report) = 0;
};

struct ProgramParts {
  std::span<const Command* const> commands;
  std::span<const OutputForm> forms;
  std::span<const std::string_view> techniques;         // of generated code
  passes::Comparison (*comparison)(std::size_t walks);  // of --verify-each
  std::unique_ptr<TracePage> (*trace_page)(const ir::Game& game);
  void (*explain)(const ir::Game& game, const std::vector<std::string>& nodes);
  // Random plays in which proofs are asserted (--assert-proofs).
  void (*assert_proofs)(const ir::Game& optimized, const GameArguments& game, std::uint64_t plays);
  // Verifies a proof of the value of a game; returns the exit code.
  int (*check_proof)(const std::string& file, const GameArguments& game);
};
// In the table of the translator, parts that only the whole program has are null, and commands are missing.
const ProgramParts& parts();
bool is_whole();

// Thrown before anything was read or written: a larger program is needed.
class NeedsWhole {};
// The exit code for it, which in a shell is that of a command that is not found.
inline constexpr int kNeedsWhole = 127;

template <class T>
T* here(T* part) {
  if (part == nullptr) throw NeedsWhole();
  return part;
}

}  // namespace rgtrans::cli
