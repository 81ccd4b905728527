// The functions of a reasoner as data, and the one place that prints them. A function has a record from the first call
// of it; its body follows later. Each parameter has a role, and a caller gives a value for each role. So
// node_parameters() decides the order of parameters for declarations, definitions and calls.
//
// For example, the function of a node that lists moves is `moves_7(State& s, Cache& c, Out out, Packed moved, unsigned
// x)` with the roles state, cache, out, moved and value; the dispatcher calls it as `moves_7(s, c, out, 0, s.x)`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cpp/code.hpp"
#include "backends/cpp/facts.hpp"

namespace rgtrans::cpp {

struct Parameter {
  enum class Role : std::uint8_t { state, cache, out, rest, moved, count, epoch, value, locals, label };
  Role role = Role::state;
  std::string name{};
  std::string type{};  // where the role does not decide it
  VarId variable{};    // of a value

  Parameter(Role role, std::string name, std::string type = {}, VarId variable = {})
      : role(role), name(std::move(name)), type(std::move(type)), variable(variable) {}
  auto operator<=>(const Parameter&) const = default;
};
using Parameters = std::vector<Parameter>;

struct FunctionRecord {
  enum class Result : std::uint8_t { truth, moves, nothing };

  std::string name;
  Purpose purpose = Purpose::whole;
  Result result = Result::truth;
  Parameters parameters{};
  std::string comment{};    // above it
  bool any_output = false;  // a template: moves are written to any kind of output
  bool floods = false;      // a check that calls itself for each cell that it reaches
  bool keeps_list = false;  // has numbers of its own in the list of ways to try
  bool has_head = true;     // else the body is several functions with their heads
  Text body{};
  FunctionId instead{};  // the function that is called for it
};

// An array of the working memory that is zero when epochs begin anew.
struct CacheField {
  std::string type, name;
  std::uint64_t size = 1;
  bool dropped = false;  // nothing refers to it any more
};

// Marks of a function for a compiler for a GPU.
struct DeviceMarks {
  bool apart = false;      // it is not copied to its callers
  bool recursive = false;  // it calls itself, and so looks first how deep it is
};

class FunctionTable {
 public:
  // `head`: the beginning of each function, such as "REASONER_DEVICE ".
  explicit FunctionTable(std::string_view head) : head_(head) {}

  FunctionId create(std::string name, Purpose purpose);
  [[nodiscard]] FunctionRecord& at(FunctionId id) { return functions_[id.value]; }
  [[nodiscard]] const FunctionRecord& at(FunctionId id) const { return functions_[id.value]; }
  // The function that is called for this one.
  [[nodiscard]] FunctionId resolved(FunctionId id) const;
  [[nodiscard]] const std::string& name(FunctionId id) const { return at(resolved(id)).name; }
  // In the order of declarations, and of definitions.
  void declare(FunctionId id) { declared_.push_back(id); }
  void define(FunctionId id) { defined_.push_back(id); }
  [[nodiscard]] const std::vector<FunctionId>& declared() const { return declared_; }
  [[nodiscard]] const std::vector<FunctionId>& defined() const { return defined_; }
  // Calls of a function become calls of another one, and the function is not printed.
  void redirect(FunctionId id, FunctionId other);

  // A call of the function up to its arguments.
  [[nodiscard]] Code call(FunctionId id, bool new_epoch = false) const;
  // The name of a new array.
  Code add_field(CacheField field);
  // All that were added, and those that are left.
  [[nodiscard]] const std::vector<CacheField>& all_fields() const { return fields_; }
  [[nodiscard]] std::vector<CacheField> fields() const;
  void drop_field(std::uint32_t number) { fields_[number].dropped = true; }

  [[nodiscard]] std::string print(const Code& code) const;
  [[nodiscard]] std::string declaration(FunctionId id) const;
  [[nodiscard]] std::string definition(FunctionId id, DeviceMarks marks = {}) const;
  // Of a template, for one kind of output.
  [[nodiscard]] std::string instantiation(FunctionId id, std::string_view output) const;

 private:
  [[nodiscard]] std::string head(const FunctionRecord& function, std::string_view output) const;

  std::string head_;
  std::vector<FunctionRecord> functions_;
  std::vector<FunctionId> declared_, defined_;
  std::vector<CacheField> fields_;
};

// As they are declared. `output`: the type of the parameter for moves.
std::string print_parameters(const Parameters& parameters, std::string_view output);

// The arguments of a call: the value for each parameter.
template <class ValueOf>
std::string print_arguments(const Parameters& parameters, ValueOf&& value_of) {
  std::string result;
  for (const Parameter& parameter : parameters) {
    if (!result.empty()) result += ", ";
    result += std::invoke(value_of, parameter);
  }
  return result;
}

// The value of an epoch that begins with a call.
inline constexpr const char* kNextEpoch = "c.next_epoch()";

}  // namespace rgtrans::cpp
