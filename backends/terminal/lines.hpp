// Lines that the user types. A terminal with an editor, a stream of a script, and a test are all such lines.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::terminal {

class TypedLines {
 public:
  TypedLines() = default;
  TypedLines(const TypedLines&) = delete;
  TypedLines& operator=(const TypedLines&) = delete;
  virtual ~TypedLines() = default;
  // Shows the prompt and returns the next line, or nothing at the end of the input. The Tab key completes a line to one
  // of `offered`. Both are free of control characters.
  virtual std::optional<std::string> next(const std::string& prompt, const std::vector<std::string>& offered) = 0;
};

// The lines of a stream. Prompts go to `out`.
class StreamLines : public TypedLines {
 public:
  StreamLines(std::istream& in, std::ostream& out) : in_(in), out_(out) {}
  std::optional<std::string> next(const std::string& prompt, const std::vector<std::string>& offered) override;

 private:
  std::istream& in_;
  std::ostream& out_;
};

// Completions of an unfinished line.
struct Completion {
  std::vector<std::string> fitting;  // the offered texts that begin with the line
  std::string rest;                  // the characters by which all of them continue it
};
Completion complete(std::string_view begun, const std::vector<std::string>& offered);

// Texts in columns of a terminal, read downwards.
std::string in_columns(const std::vector<std::string>& texts, std::size_t width);

}  // namespace rgtrans::terminal
