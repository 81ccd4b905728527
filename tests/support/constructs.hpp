// The constructs in the specification of each language, and the ones that a description uses. A generator of random
// games is only as good as its coverage, so a test requires every construct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::test {

// A construct is recognised by a regular expression (ECMAScript) that matches the text without its comments more than
// `more_than` times.
struct Construct {
  std::string_view name;
  std::string_view pattern;
  std::size_t more_than = 0;
};

// The constructs of a language, by the name of its front end.
std::span<const Construct> constructs_of(std::string_view language);

// Counts the descriptions that use each construct.
class ConstructCount {
 public:
  explicit ConstructCount(std::string_view language);
  void add(const std::string& text);
  [[nodiscard]] std::size_t games() const { return games_; }
  [[nodiscard]] const std::vector<std::size_t>& counts() const { return counts_; }
  [[nodiscard]] std::vector<std::string> missing() const;
  // One line per construct: its name and the number of games.
  [[nodiscard]] std::string report() const;

 private:
  std::string language_;
  std::span<const Construct> constructs_;
  std::vector<std::size_t> counts_;
  std::size_t games_ = 0;
};

}  // namespace rgtrans::test
