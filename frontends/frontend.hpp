// A front end is one row of the table returned by frontends(): a name, its file extensions, a few functions, and what
// the language has of its own: options, limits, forms of its texts. The command line is made from these rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// Options by name ("keep-forced" -> ""). Those that a front end is given are in its table and have the form that it
// says.
struct FrontendOptions {
  std::map<std::string, std::string, std::less<>> values;
  bool claims = false;  // proofs leave their claims in the game (core/ir/claims.hpp)
  [[nodiscard]] bool has(std::string_view name) const { return values.contains(name); }
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t standard) const {
    const auto found = values.find(name);
    return found == values.end() ? standard : std::stoull(found->second);
  }
};

// Options by these names are set for every language where a conversion has to end in time and within its memory.
inline constexpr std::string_view kMaxSecondsOption = "max-seconds", kMaxMemoryOption = "max-memory";  // MiB

// An option that a language knows, written NAME, or NAME=VALUE where the value is a whole number from 1.
struct LanguageOption {
  std::string_view name;
  std::string_view value;  // what its value is, as in "N"; "" for a flag
  std::string_view help;
  std::uint64_t most = UINT64_MAX;  // of the value
};

// A text that a language can write of a description without making a game of it, as in `--to rbg-ll`.
struct TextForm {
  std::string_view name;
  std::string_view help;
  std::span<const LanguageOption> options;  // those of the language's options that matter to it
  std::string (*write)(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options);
};

// What a language tells about the rules as they are written: a sentence, and the figures in it by name.
struct Measure {
  std::string name;
  std::string sentence;
  std::vector<std::pair<std::string, std::string>> figures;
};

// Sequences of moves that all roles make at the same time, by their length from 1.
struct JointCounts {
  std::vector<std::uint64_t> leaves;
  bool complete = true;  // false: there were too many states to go deeper
};
// A game by which they can be counted: keeper shows the tag once all roles have chosen.
struct JointGame {
  ir::Game game;
  std::string step;
};

// Plays of the rules as the author wrote them, for claims about these.
class RulePlay {
 public:
  virtual ~RulePlay() = default;
  [[nodiscard]] virtual std::unique_ptr<RulePlay> clone() const = 0;
  // One step at random, also from the end of a play to the beginning of another one. Then the number of a claim that
  // does not hold in the state, or for the moves that were made; kNone where all hold.
  [[nodiscard]] virtual std::uint32_t step(std::uint64_t& random) = 0;
};

struct Editing;

struct Frontend {
  std::string_view name;                         // as in --from
  std::string_view title;                        // one line for --help
  std::span<const std::string_view> extensions;  // with the dot
  // How sure one may be (0..100) that a text without a telling extension is of this language.
  int (*looks_like)(std::string_view text);
  // Parses and lowers; built-ins are added, the verifier is not yet run. `file` belongs to
  // diagnostics.sources(). Mistakes go to `diagnostics`; when there is an error the game is not to be used.
  ir::Game (*load)(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options);
  // The text in canonical layout, comments kept; null when the language has no formatter.
  std::string (*format)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
  // The text is the game itself, so that the verifier's warnings are about what the user wrote.
  bool is_rg = false;

  std::span<const LanguageOption> options = {};
  std::span<Limit* const> (*limits)() = nullptr;
  std::span<const TextForm> forms = {};
  // Null where the language has nothing to tell; none when the description has errors.
  std::vector<Measure> (*measure)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
  // Null where moves are made one after the other. The game instead of the counts where playing it is the way to count.
  std::variant<JointCounts, JointGame> (*count_joint)(const Sources::File& file, Diagnostics& diagnostics,
                                                      const FrontendOptions& options, unsigned depth) = nullptr;
  // Null where claims are never made in the language (core/ir/claims.hpp). The claims are RuleClaims.
  std::unique_ptr<RulePlay> (*play_rules)(const Sources::File& file, const FrontendOptions& options,
                                          std::span<const ir::Claim> claims) = nullptr;
  // Bounds the automaton, where one may be made that is too large to be optimized; null where that does not happen.
  Limit* edges = nullptr;
  // For editors (frontends/editing.hpp); null where a language tells them nothing of its own.
  const Editing* editing = nullptr;
};

}  // namespace rgtrans
