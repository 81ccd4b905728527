// The rewrites of rules by name. Each row of a table keeps the meaning of the rules and makes them simpler for the
// stages behind it. This table has the rewrites that every form of a game needs; lifted/rewrites.hpp has the others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

template <class Draft>
struct Rewrite {
  std::string_view name;
  std::string_view help;
  void (*run)(Draft& draft);
};

// `go_on` is called behind each rewrite; false ends the run.
template <class Draft, class F>
void run_rewrites(std::span<const Rewrite<Draft>> rows, Draft& draft, const F& go_on) {
  for (const Rewrite<Draft>& row : rows) {
    tell_phase(std::string(row.help));
    row.run(draft);
    if (!go_on(row.name)) return;
  }
}

// The rules behind a rewrite, for a watcher.
struct Rewritten {
  std::string_view rewrite;
  std::function<std::string()> text;  // as GDL
  // A move of that text, as the description writes it.
  std::function<std::string(const std::string& move)> author = [](const std::string& move) { return move; };
};
// Called behind each rewrite. An exception ends the translation.
using RewriteWatch = std::function<void(const Rewritten& rules)>;

struct ProgramDraft {
  Program& program;
  ir::Claims* claims = nullptr;
};
std::span<const Rewrite<ProgramDraft>> program_rewrites();

// Runs that table on normalised rules. `claims` receives the conclusions as claims about the rules. `watch` is called
// behind each rewrite.
void simplify_rules(
    Program& program, ir::Claims* claims = nullptr,
    const std::function<void(std::string_view rewrite)>& watch = [](std::string_view) {});

}  // namespace rgtrans::gdl
