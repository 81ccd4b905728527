// Messages of the Game Manager protocol: nested lists of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::cli::ggp {

struct Kif {
  bool is_list = false;
  std::string word{};
  std::vector<Kif> items{};
  std::size_t begin = 0, end = 0;  // in the text it was read from

  // The word in capitals, or "".
  [[nodiscard]] std::string keyword() const;
  // `(f a b)`; a list of one word is that word.
  [[nodiscard]] std::string text() const;
};

// The first expression of a text; throws Error (parentheses that do not match, nesting without reason, too many parts).
Kif read_kif(std::string_view text);

// A description as it travels inside a message: its words and parentheses in one line, without comments, which could
// hide the rest of the message. Throws Error where parentheses do not match.
std::string one_line(std::string_view description);

}  // namespace rgtrans::cli::ggp
