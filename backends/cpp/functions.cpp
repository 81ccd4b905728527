// The printer of functions (functions.hpp).
#include "backends/cpp/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace rgtrans::cpp {

FunctionId FunctionTable::create(std::string name, Purpose purpose) {
  const FunctionId id(functions_.size());
  functions_.emplace_back().name = std::move(name);
  functions_.back().purpose = purpose;
  return id;
}

FunctionId FunctionTable::resolved(FunctionId id) const {
  while (at(id).instead.valid()) id = at(id).instead;
  return id;
}

void FunctionTable::redirect(FunctionId id, FunctionId other) {
  at(id).instead = other;
  std::erase(declared_, id);
  std::erase(defined_, id);
}

Code FunctionTable::call(FunctionId id, bool new_epoch) const {
  return Code(Reference{0, Reference::Kind::call, id.value, new_epoch});
}

Code FunctionTable::add_field(CacheField field) {
  fields_.push_back(std::move(field));
  return Code(Reference{0, Reference::Kind::field, static_cast<std::uint32_t>(fields_.size() - 1)});
}

std::vector<CacheField> FunctionTable::fields() const {
  std::vector<CacheField> result;
  std::ranges::copy_if(fields_, std::back_inserter(result), [](const CacheField& field) { return !field.dropped; });
  return result;
}

std::string FunctionTable::print(const Code& code) const {
  return code.with_names([&](const Reference& reference) -> std::string {
    switch (reference.kind) {
      case Reference::Kind::call:
        return name(FunctionId(reference.number));
      case Reference::Kind::field:
        return fields_[reference.number].name;
      case Reference::Kind::jump:
        break;
    }
    return print_jump(reference.number);
  });
}

std::string print_parameters(const Parameters& parameters, std::string_view output) {
  const auto type = [&](const Parameter& parameter) -> std::string_view {
    if (!parameter.type.empty()) return parameter.type;
    switch (parameter.role) {
      case Parameter::Role::state:
        return "State&";
      case Parameter::Role::cache:
        return "Cache&";
      case Parameter::Role::out:
        return output;
      case Parameter::Role::rest:
        return "Rest";
      case Parameter::Role::moved:
        return "Packed";
      case Parameter::Role::epoch:
        return "std::uint32_t";
      default:
        return "unsigned";
    }
  };
  return print_arguments(
      parameters, [&](const Parameter& parameter) { return fmt::format("{} {}", type(parameter), parameter.name); });
}

std::string FunctionTable::head(const FunctionRecord& function, std::string_view output) const {
  const std::string_view result = function.result == FunctionRecord::Result::truth   ? "bool"
                                  : function.result == FunctionRecord::Result::moves ? output
                                                                                     : "void";
  return fmt::format("{}{} {}({})", head_, result, function.name, print_parameters(function.parameters, output));
}

std::string FunctionTable::declaration(FunctionId id) const {
  const FunctionRecord& function = at(id);
  return fmt::format("{}{};", function.any_output ? "template <class Out> " : "",
                     head(function, function.any_output ? "Out" : "Output"));
}

std::string FunctionTable::instantiation(FunctionId id, std::string_view output) const {
  return fmt::format("template {};", head(at(id), output));
}

std::string FunctionTable::definition(FunctionId id, DeviceMarks marks) const {
  const FunctionRecord& function = at(id);
  std::string text;
  const auto line = [&](std::string_view part) { text.append(part).append("\n"); };
  if (function.has_head) {
    if (!function.comment.empty()) line("// " + function.comment);
    if (function.any_output) line("template <class Out>");
    line(fmt::format("{}{}{} {{", function.floods ? "REASONER_RECURSIVE " : "", marks.apart ? "REASONER_APART " : "",
                     head(function, function.any_output ? "Out" : "Output")));
    if (marks.recursive) {
      line("  const Deeper deeper(c);");
      line(fmt::format("  if (!deeper.fits) return {};",
                       function.result == FunctionRecord::Result::moves ? "out" : "false"));
    }
  }
  text += print(function.body);
  if (function.has_head) line("}\n");
  return text;
}

}  // namespace rgtrans::cpp
