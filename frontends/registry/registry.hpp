// The table of front ends, and loading a game in any of their languages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/frontend.hpp"

namespace rgtrans {

// In the order in which help shows them.
std::span<const Frontend* const> frontends();
// By the name used with --from; null when there is none.
const Frontend* find_frontend(std::string_view name);
// By the file's extension, else by looking at the text. Throws Error when neither tells.
const Frontend& choose_frontend(const std::filesystem::path& path, std::string_view text);
// The named language, or for "" the one that choose_frontend() tells. Throws Error for an unknown name.
const Frontend& frontend_for(std::string_view language, const std::filesystem::path& path, std::string_view text);

// Throws Error for an option that no language knows, or whose value has another form.
void check_option(std::string_view name, std::string_view value);
// Throws Error for options that are not of this language, too; load_game() and load_text() begin with it.
void check_options(const Frontend& frontend, const FrontendOptions& options);
// For many games at once: those that concern this language.
FrontendOptions options_of(const Frontend& frontend, const FrontendOptions& options);

// The form of texts that some language writes under this name, and the language; nulls when there is none.
struct FoundForm {
  const Frontend* language = nullptr;
  const TextForm* form = nullptr;
};
FoundForm find_form(std::string_view name);

// Every limit: those that all languages share, then each language's own, in the order in which they are shown.
std::vector<Limit*> all_limits();
// "NAME=VALUE"; throws Error where that says nothing.
void set_limit(std::string_view assignment);

// For messages: the text of a file, or of standard input for "-".
const Sources::File& add_source(Sources& sources, const std::filesystem::path& path);

struct LoadRequest {
  std::filesystem::path path;  // "-" is standard input
  std::string_view language;   // "" chooses
  FrontendOptions options;
  bool warnings = false;  // also collect what is legal but suspicious
};

// Reads, parses, lowers and verifies; throws Error with everything that is wrong. Warnings are left in
// `diagnostics`.
ir::Game load_game(const LoadRequest& request, Diagnostics& diagnostics);
// The same for a text that is already in memory; `name` is shown in messages.
ir::Game load_text(std::string name, std::string text, const Frontend& frontend, Diagnostics& diagnostics,
                   const FrontendOptions& options = {}, bool warnings = false);

// Plays of the rules as they stand, for claims about these (see RulePlay): reads the claims, begins a play, makes a
// step.
using RuleReader =
    std::function<std::function<std::function<std::uint32_t(std::uint64_t& random)>()>(const std::vector<ir::Claim>&)>;
// Null where the language never makes such claims.
RuleReader rule_reader(const Frontend& frontend, const Sources::File& file, const FrontendOptions& options);

}  // namespace rgtrans
