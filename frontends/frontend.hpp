// A front end is one row of the table returned by frontends(): its name, file extensions, several functions, and its
// own options, limits and output forms. The command line is generated from these rows.
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

// Options by name ("keep-forced" -> ""). The options passed to a front end are in its table and have a valid value.
struct FrontendOptions {
  std::map<std::string, std::string, std::less<>> values;
  bool claims = false;          // record claims of proofs in the game (core/ir/claims.hpp)
  bool verify_each = false;     // play the description before and behind each rewrite
  std::string stop_after = {};  // the last rewrite for a text form that shows one
  [[nodiscard]] bool has(std::string_view name) const { return values.contains(name); }
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t standard) const {
    const auto found = values.find(name);
    return found == values.end() ? standard : std::stoull(found->second);
  }
};

// Options that are set for every language to bound the time and memory of a conversion.
inline constexpr std::string_view kMaxSecondsOption = "max-seconds", kMaxMemoryOption = "max-memory";  // MiB

// An option of a language, written NAME, or NAME=VALUE. A value is a whole number from 1, unless it is a text.
struct LanguageOption {
  std::string_view name;
  std::string_view value;  // a name for the value, as in "N"; "" for a flag
  std::string_view help;
  std::uint64_t most = UINT64_MAX;  // largest value
  bool text = false;
  bool of_commands = false;  // commands that read a game also have it as --NAME
};

// A step of a front end that rewrites a description, before there is a game.
struct NamedRewrite {
  std::string_view name;
  std::string_view help;
};

// A text form that a language can produce from a description without building a game, as in `--to rbg-ll`.
struct TextForm {
  std::string_view name;
  std::string_view help;
  std::span<const LanguageOption> options;  // the options of the language that affect this form
  std::string (*write)(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options);
};

// A measure of the rules as written: a sentence, and its figures by name.
struct Measure {
  std::string name;
  std::string sentence;
  std::vector<std::pair<std::string, std::string>> figures;
};

// The number of sequences of simultaneous moves by all roles, by length from 1.
struct JointCounts {
  std::vector<std::uint64_t> leaves;
  bool complete = true;  // false: there were too many states for greater depths
};
// A game for counting them: keeper shows the tag `step` after all roles have chosen.
struct JointGame {
  ir::Game game;
  std::string step;
};

// Plays of the rules as the author wrote them, to test claims about the rules.
class RulePlay {
 public:
  virtual ~RulePlay() = default;
  [[nodiscard]] virtual std::unique_ptr<RulePlay> clone() const = 0;
  // Makes one random step; after the end of a play it starts another one. Returns the number of a claim that fails in
  // the state or for the moves made, or kNone.
  [[nodiscard]] virtual std::uint32_t step(std::uint64_t& random) = 0;
};

struct Editing;

struct Frontend {
  std::string_view name;                         // as in --from
  std::string_view title;                        // one line for --help
  std::span<const std::string_view> extensions;  // including the dot
  // Confidence (0..100) that a text without a known extension is in this language.
  int (*looks_like)(std::string_view text);
  // Parses and lowers. Adds built-ins but does not run the verifier. `file` must belong to diagnostics.sources().
  // Reports mistakes to `diagnostics`; after an error the game must not be used.
  ir::Game (*load)(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options);
  // Returns the text in canonical layout with its comments. Null if the language has no formatter.
  std::string (*format)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
  // The text is the game itself, so the verifier's warnings refer to the author's text.
  bool is_rg = false;

  std::span<const LanguageOption> options = {};
  std::span<Limit* const> (*limits)() = nullptr;
  std::span<const TextForm> forms = {};
  // In order; null if there are none.
  std::span<const NamedRewrite> (*rewrites)() = nullptr;
  // Null if the language has no measures. Returns an empty list if the description has errors.
  std::vector<Measure> (*measure)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
  // Null if moves are sequential. Returns a game instead of counts if counting requires playing it.
  std::variant<JointCounts, JointGame> (*count_joint)(const Sources::File& file, Diagnostics& diagnostics,
                                                      const FrontendOptions& options, unsigned depth) = nullptr;
  // Null if the language makes no claims (core/ir/claims.hpp). The claims must be RuleClaims.
  std::unique_ptr<RulePlay> (*play_rules)(const Sources::File& file, const FrontendOptions& options,
                                          std::span<const ir::Claim> claims) = nullptr;
  // A description can declare options of its own. Their names begin with a capital letter, and `load` checks them.
  bool own_options = false;
  // Bounds the automaton in languages that can produce one too large to optimize; otherwise null.
  Limit* edges = nullptr;
  // The interface for editors (frontends/editing.hpp), or null.
  const Editing* editing = nullptr;
};

}  // namespace rgtrans
