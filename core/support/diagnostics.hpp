// Messages about mistakes in the input. A front end collects as many as it can in one Diagnostics and throws them all
// as one Error. Error is the only exception that crosses a public header.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/source.hpp"

namespace rgtrans {

enum class Severity { error, warning };

// A second place that explains the first, such as "first defined here" or "in expansion of m".
struct Note {
  Range where;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Range where;
  std::string message;
  std::string hint;  // how to mend it; may be empty
  std::vector<Note> notes;
  std::string missing = {};  // the construct of the language that is not supported; reports on libraries group by it
};

class Diagnostics {
 public:
  explicit Diagnostics(std::shared_ptr<Sources> sources = std::make_shared<Sources>()) : sources_(std::move(sources)) {}

  // The reference is valid until the next call; use it to add notes.
  Diagnostic& error(Range where, std::string message, std::string hint = {});
  Diagnostic& warning(Range where, std::string message, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }
  // True once the number of errors has reached kMaxErrors; the caller can stop looking for more.
  [[nodiscard]] bool full() const { return errors_ >= kMaxErrors; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return items_; }
  [[nodiscard]] const std::shared_ptr<Sources>& sources() const { return sources_; }

  // Throws Error with all collected diagnostics if at least one is an error.
  void throw_if_errors() const;

  static constexpr std::size_t kMaxErrors = 50;

 private:
  Diagnostic& add(Severity severity, Range where, std::string message, std::string hint);

  std::shared_ptr<Sources> sources_;
  std::vector<Diagnostic> items_;
  Diagnostic overflow_;  // receives the diagnostics after kMaxErrors
  std::size_t errors_ = 0;
};

class Error : public std::runtime_error {
 public:
  // An error without a place in a text, such as a file that cannot be opened.
  explicit Error(const std::string& message, std::string hint = {});
  Error(std::vector<Diagnostic> diagnostics, std::shared_ptr<Sources> sources);

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  [[nodiscard]] const std::shared_ptr<Sources>& sources() const { return sources_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::shared_ptr<Sources> sources_;
};

enum class Colour { no, yes };

// Renders file:line:column: error: message, then the source line, a caret, the notes and the hint.
std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour = Colour::no);
std::string render(std::span<const Diagnostic> diagnostics, const Sources& sources, Colour colour = Colour::no);
// A JSON array of objects with severity, file, line, column, end_line, end_column, message, hint, notes.
std::string render_json(std::span<const Diagnostic> diagnostics, const Sources& sources);

// "did you mean X?" for the candidate nearest to `name`, or "" if none is similar enough.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace rgtrans
