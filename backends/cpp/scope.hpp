// What is known at the place that is being written: where the values are and what was decided on the way there. All
// writers of one function work on one scope.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/cpp/shared.hpp"

namespace rgtrans::cpp {

// How the code reads a value: by a name, or as a constant, which means the same everywhere.
struct LocalValue {
  std::string text{};
  bool constant = false;

  LocalValue() = default;
  LocalValue(std::string text, bool constant = false) : text(std::move(text)), constant(constant) {}
  [[nodiscard]] bool empty() const { return text.empty(); }
};

// How many tags were passed: known while the code is written, or by the name of a variable.
struct TagCount {
  std::string text{};
  std::optional<std::uint32_t> known{};

  TagCount() = default;
  TagCount(const char* name) : text(name) {}
  TagCount(std::string name) : text(std::move(name)) {}
  explicit TagCount(std::uint32_t number) : text(std::to_string(number)), known(number) {}
};

// Gives variables back the values that they had. They are copied, so that elements of a vector stay where they are.
template <class... Values>
class Restored {
 public:
  explicit Restored(Values&... values) : values_(values...), before_(values...) {}
  ~Restored() { values_ = before_; }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  std::tuple<Values&...> values_;
  std::tuple<Values...> before_;
};

struct Scope : Where {
  explicit Scope(std::size_t variables) : env(variables) {}

  Text text;
  std::size_t nodes = 0;                   // that the function, or the piece behind a label, has the steps of
  int depth = 0;                           // of nested blocks
  std::map<std::string, unsigned> locals;  // names that were given

  std::vector<LocalValue> env;      // by variable: its value where that is not the state's
  std::set<std::uint32_t> cached;   // state variables read at the top of the function
  bool straight = false;            // writing straight code: state variables are changed in place
  std::set<std::uint32_t> scratch;  // of straight code: variables that are no part of the state
  bool rare = false;                // writing code that lists of moves hardly ever run
  bool own_variables = true;        // these are locals; else they are members of `w`

  std::string moved, epoch, rest;  // the tags that were passed, the visits, the tags to come
  TagCount count;
  std::vector<std::string> undo;  // how to take back what was done to maps
};

}  // namespace rgtrans::cpp
