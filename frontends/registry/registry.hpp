// The table of front ends, and functions that load a game in any of their languages.
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

// The front ends of this program, in the order of the help text.
std::span<const Frontend* const> frontends();
// False in a program that was built to translate one language.
bool reads_every_language();
// The front end with this name, as in --from, or null.
const Frontend* find_frontend(std::string_view name);
// Chooses by the file's extension, then by the text. Throws Error if neither identifies a language.
const Frontend& choose_frontend(const std::filesystem::path& path, std::string_view text);
// The named language, or for "" the result of choose_frontend(). Throws Error for an unknown name.
const Frontend& frontend_for(std::string_view language, const std::filesystem::path& path, std::string_view text);

// Whether the name is that of an option that a description can declare (Frontend::own_options).
bool is_own_option(std::string_view name);
// Throws Error for an option that no language has, or for a value in the wrong form.
void check_option(std::string_view name, std::string_view value);
// The same, and also throws for options of other languages. load_game() and load_text() call this first.
void check_options(const Frontend& frontend, const FrontendOptions& options);
// The options that apply to this language, for converting many games at once.
FrontendOptions options_of(const Frontend& frontend, const FrontendOptions& options);

// The output form with this name and its language; null pointers if there is none.
struct FoundForm {
  const Frontend* language = nullptr;
  const TextForm* form = nullptr;
};
FoundForm find_form(std::string_view name);

// All limits: the shared ones, then those of each language, in display order.
std::vector<Limit*> all_limits();
// Sets a limit from "NAME=VALUE". Throws Error for an invalid text.
void set_limit(std::string_view assignment);

// A text and the name that messages show for it.
struct GameText {
  std::string name;
  std::string text;
};
// The text of a file, of standard input for "-", or, where no file has the name, of a game of the library
// (frontends/library).
GameText read_game(const std::filesystem::path& path);
// Adds the text that read_game() returns to the sources.
const Sources::File& add_source(Sources& sources, const std::filesystem::path& path);

// The name of a description, as messages show it, and its language.
struct GameOrigin {
  std::string name;
  std::string_view language;
};

struct LoadRequest {
  std::filesystem::path path;  // as read_game() takes it
  std::string_view language;   // "" chooses
  FrontendOptions options;
  bool warnings = false;  // also collect warnings about legal but suspicious parts
};

// Reads, parses, lowers and verifies. Throws Error with all errors; leaves warnings in `diagnostics`. Fills `origin` if
// it is given.
ir::Game load_game(const LoadRequest& request, Diagnostics& diagnostics, GameOrigin* origin = nullptr);
// The same for a text in memory; messages show `name`.
ir::Game load_text(std::string name, std::string text, const Frontend& frontend, Diagnostics& diagnostics,
                   const FrontendOptions& options = {}, bool warnings = false);

// Plays of the rules as they stand, for claims about these (see RulePlay): reads the claims, begins a play, makes a
// step.
using RuleReader =
    std::function<std::function<std::function<std::uint32_t(std::uint64_t& random)>()>(const std::vector<ir::Claim>&)>;
// Null where the language never makes such claims.
RuleReader rule_reader(const Frontend& frontend, const Sources::File& file, const FrontendOptions& options);

}  // namespace rgtrans
