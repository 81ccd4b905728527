// Finds the comments of a text in a second pass. Syntax trees do not keep comments, so a formatter reads them from here
// and merges them with the tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <tao/pegtl.hpp>
#include <vector>

#include "core/support/source.hpp"

namespace rgtrans {

struct Comment {
  std::uint32_t begin = 0;  // offset in the source space, as in Range
  std::string_view text;    // without trailing blanks
  bool behind = false;      // true if the comment follows other text on its line
};

// `Rule` matches a comment; the `Opaque` rules match text that cannot contain one, such as a string. `blanks` lists the
// characters that count as white space within a line.
template <class Rule, class... Opaque>
std::vector<Comment> comments_of(const Sources::File& file, std::string_view blanks) {
  namespace p = tao::pegtl;
  const std::string_view all = file.text;
  p::memory_input<p::tracking_mode::lazy> input(all.data(), all.data() + all.size(), file.name);
  std::vector<Comment> comments;
  while (!input.empty()) {
    const auto begin = static_cast<std::size_t>(input.current() - all.data());
    if (!p::parse<Rule>(input)) {
      p::parse<p::sor<Opaque..., p::any>>(input);
      continue;
    }
    std::string_view text = all.substr(begin, static_cast<std::size_t>(input.current() - all.data()) - begin);
    while (blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
    const std::size_t before = all.substr(0, begin).find_last_not_of(blanks);
    const bool behind = before != std::string_view::npos && all[before] != '\n' && all[before] != '\r';
    comments.push_back({file.range(begin, begin).begin, text, behind});
  }
  return comments;
}

}  // namespace rgtrans
