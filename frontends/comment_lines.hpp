// The text of a formatter, with the comments of the author in their places.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/support/comments.hpp"

namespace rgtrans {

class CommentLines {
 public:
  explicit CommentLines(std::vector<Comment> comments) : comments_(std::move(comments)) {}

  [[nodiscard]] std::size_t column() const {
    const std::size_t line = out.rfind('\n');
    return line == std::string::npos ? out.size() : out.size() - line - 1;
  }
  [[nodiscard]] bool line_ended() const { return !out.empty() && out.back() == '\n'; }
  void start_line(std::size_t indent) {
    if (!out.empty() && !line_ended()) out += '\n';
    out.append(indent, ' ');
  }

  [[nodiscard]] bool comment_before(std::uint32_t place) const {
    return next_ < comments_.size() && comments_[next_].begin < place;
  }
  [[nodiscard]] const Comment& next_comment() const { return comments_[next_]; }
  // Writes the comments before a place. A comment that follows text stays on its line; others get lines of their own.
  void own_lines(std::uint32_t place, std::size_t indent) {
    while (comment_before(place)) write_comment(indent);
  }
  void write_comment(std::size_t indent) {
    const Comment& comment = comments_[next_++];
    if (comment.behind && !out.empty() && !line_ended()) {
      out += "  ";
    } else {
      start_line(indent);
    }
    out += comment.text;
    out += '\n';
  }
  // The whole text, which ends with a line.
  std::string finish() {
    own_lines(0xffffffffU, 0);
    if (!out.empty() && !line_ended()) out += '\n';
    return std::move(out);
  }

  std::string out;

 private:
  std::vector<Comment> comments_;
  std::size_t next_ = 0;
};

}  // namespace rgtrans
