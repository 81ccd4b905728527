// The constructs that the specification of each language has, and which of them a description uses. A generator of
// random games is worth what it reaches, so that a test asks for every one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::test {

// A construct is recognised by a regular expression (ECMAScript) that matches somewhere in the text without its
// comments, or by a count: more than `more_than` matches.
struct Construct {
  std::string_view name;
  std::string_view pattern;
  std::size_t more_than = 0;
};

// By the name of the front end.
std::span<const Construct> constructs_of(std::string_view language);

// In how many descriptions each construct occurred.
class ConstructCount {
 public:
  explicit ConstructCount(std::string_view language);
  void add(const std::string& text);
  [[nodiscard]] std::size_t games() const { return games_; }
  [[nodiscard]] const std::vector<std::size_t>& counts() const { return counts_; }
  [[nodiscard]] std::vector<std::string> missing() const;
  // A line a construct: its name and the number of games.
  [[nodiscard]] std::string report() const;

 private:
  std::string language_;
  std::span<const Construct> constructs_;
  std::vector<std::size_t> counts_;
  std::size_t games_ = 0;
};

}  // namespace rgtrans::test
