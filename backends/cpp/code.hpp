// Generated code as data. Where a name is decided later, code has a reference instead of text: a function that is
// called, an array of the working memory, a label. So nobody searches printed text for them, and two functions can be
// compared, or one called instead of the other, before anything is printed.
//
// For example, `if (check_7(s, c)) goto at_12;` is the text "if (" "(s, c)) " ";" with a call of function 3 and a jump
// to node 12 between them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans::cpp {

using FunctionId = Id<struct FunctionTag>;

struct Reference {
  enum class Kind : std::uint8_t { call, field, jump };
  std::size_t at = 0;  // the name belongs before this character of the text
  Kind kind = Kind::call;
  std::uint32_t number = 0;  // of a function, of an array, or of the node with the label
  bool new_epoch = false;    // the call begins an exploration of its own
};

std::string print_jump(std::uint32_t node);

class Code {
 public:
  Code() = default;
  Code(const char* text) : text_(text) {}
  Code(std::string_view text) : text_(text) {}
  Code(std::string text) : text_(std::move(text)) {}
  explicit Code(const Reference& reference) : references_{reference} {}
  static Code jump(std::uint32_t node);

  Code& operator+=(const Code& other);
  friend Code operator+(Code a, const Code& b) { return std::move(a += b); }
  [[nodiscard]] bool empty() const { return text_.empty() && references_.empty(); }
  // Without the names of the references.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Reference>& references() const { return references_; }
  // The text with a name for each reference.
  template <class NameOf>
  [[nodiscard]] std::string with_names(NameOf&& name_of) const;

 protected:
  std::string text_;
  std::vector<Reference> references_;  // in the order of the text
};

// Lines and blocks of code. Self::into() returns the text that they are added to. Values are those of a format, as
// fmt::format() takes them.
template <class Self>
class CodeLines {
 public:
  void line(const Code& code) { self().into().add_line(code, 0); }
  void open(const Code& code) { self().into().add_line(code, 1); }
  void close(const Code& code = "}") { self().into().add_line(code, -1); }
  template <class... Values>
  requires(sizeof...(Values) > 0) void line(fmt::format_string<Values...> format, Values&&... values) {
    line(Code(fmt::format(format, std::forward<Values>(values)...)));
  }
  template <class... Values>
  requires(sizeof...(Values) > 0) void open(fmt::format_string<Values...> format, Values&&... values) {
    open(Code(fmt::format(format, std::forward<Values>(values)...)));
  }
  template <class... Values>
  requires(sizeof...(Values) > 0) void close(fmt::format_string<Values...> format, Values&&... values) {
    close(Code(fmt::format(format, std::forward<Values>(values)...)));
  }
  // A block whose lines `body` writes.
  template <class Body>
  void block(const Code& head, Body&& body) {
    open(head);
    body();
    close();
  }
  // Ends a block, and begins the other branch.
  void open_else(const Code& code = "} else {") {
    close(code);
    self().into().set_indent(self().into().indent() + 1);
  }
  void comment(std::string_view text) { self().into().add_comment(text); }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

// Lines of code, indented.
class Text : public Code, public CodeLines<Text> {
 public:
  explicit Text(int indent = 0) : indent_(indent) {}
  [[nodiscard]] Text& into() { return *this; }
  // `deeper`: 1 where a block begins behind the line, -1 where one ends with it.
  void add_line(const Code& code, int deeper);
  void add_comment(std::string_view text);
  void raw(std::string_view text) { text_ += text; }
  void add(const Text& other);
  [[nodiscard]] int indent() const { return indent_; }
  void set_indent(int indent) { indent_ = indent; }
  // Lines that are neither empty nor comments.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  // Of text without references, which must be there.
  [[nodiscard]] const std::string& str() const;
  [[nodiscard]] std::string take();
  // Other code for each jump, as `code_for` gives it for the node.
  [[nodiscard]] Text with_jumps(const std::function<Code(std::uint32_t)>& code_for) const;

 private:
  int indent_ = 0;
  std::uint64_t lines_ = 0;
};

// An expression of 64 bits for each word of a set, as it reads for the word of any number: `kAll[NUMBER] &
// cells(NUMBER)`.
class WordCode {
 public:
  WordCode() = default;  // none
  explicit WordCode(std::string text) : parts_{std::move(text)} {}
  WordCode(std::string before, std::string after) : parts_{std::move(before), std::move(after)} {}
  WordCode& operator+=(const WordCode& other);
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] std::string at(std::string_view number) const { return fmt::format("{}", fmt::join(parts_, number)); }

 private:
  std::vector<std::string> parts_;  // the number is between them
};

template <class NameOf>
std::string Code::with_names(NameOf&& name_of) const {
  std::string result;
  std::size_t done = 0;
  for (const Reference& reference : references_) {
    result.append(text_, done, reference.at - done);
    result += name_of(reference);
    done = reference.at;
  }
  return result.append(text_, done);
}

}  // namespace rgtrans::cpp
