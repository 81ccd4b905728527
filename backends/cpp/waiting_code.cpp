// Where moves are drawn, walks wait (waiting.cpp): what they have come to is kept, and what follows is left to be asked
// of the one that is drawn.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

// A walk that waits keeps what it has written.
void CodeWriter::note_write(std::uint32_t node, std::string_view cell) {
  if (keeps_writes(node)) line("out = note_write(c, out, {});", cell);
}

void CodeWriter::forget_write(std::uint32_t node) {
  if (keeps_writes(node)) line("out = forget_write(out);");
}

bool CodeWriter::keeps_writes(std::uint32_t node) const {
  return context_.purpose == Purpose::moves && shared_.any_output() && facts_.waits_ahead[node];
}

namespace {

// The arguments that a deferred walk keeps. Passed tags have a place of their own, earlier visits belong to other walks
// (no labeling is found twice), and the other arguments are numbered.
class Waiting {
 public:
  void keep(const Parameter& parameter, const std::string& given) {
    if (parameter.role == Parameter::Role::count || parameter.role == Parameter::Role::value) {
      numbers_.emplace(parameter.name, numbers_.size());
      values_ += ", " + given;
    }
  }
  [[nodiscard]] const std::string& values() const { return values_; }
  // Of the call that is made in the end; `x`: the value of a parameter that is not kept.
  [[nodiscard]] std::string arguments(const Parameters& parameters, const std::string& x) const {
    return print_arguments(parameters, [&](const Parameter& parameter) -> std::string {
      using enum Parameter::Role;
      if (parameter.role == moved) return "w.moved";
      if (parameter.role == epoch) return kNextEpoch;
      if (parameter.role != count && parameter.role != value) return parameter.name;
      const auto number = numbers_.find(parameter.name);
      return number == numbers_.end() ? x : fmt::format("w.values[{}]", number->second);
    });
  }

 private:
  std::map<std::string, std::size_t> numbers_;  // by the name of the parameter
  std::string values_;
};

}  // namespace

// What follows is written once, as a function of all that it needs. The list calls it, and so does a walk that waits.
void CodeWriter::write_values(const ValueSet& values, const std::function<std::uint32_t()>& body,
                              const std::function<AddedWord(const Behind&)>& draw) {
  using enum Parameter::Role;
  const std::string& x = values.x;
  const std::vector<LocalValue> env = scope_.env;
  const std::string moved_before = scope_.moved;
  const TagCount count_before = scope_.count;
  const std::string epoch_before = scope_.epoch;
  Parameters parameters;           // of the function, besides state, cache and output
  std::vector<std::string> given;  // the value of each here
  for (const Parameter& parameter : shared_.node_parameters(context_, values.choice.to)) {
    switch (parameter.role) {
      case moved:
        given.push_back(moved_before);
        scope_.moved = parameter.name;
        break;
      case count:
        if (count_before.known) continue;
        given.push_back(count_before.text);
        scope_.count = parameter.name;
        break;
      case epoch:
        given.push_back(epoch_before.empty() ? kNextEpoch : epoch_before);
        scope_.epoch = parameter.name;
        break;
      case value: {
        const LocalValue& known = env[parameter.variable.value];
        // The choice replaces an earlier value of its variable.
        if (known.empty() || known.constant || parameter.variable == values.choice.variable) continue;
        given.push_back(known.text);
        scope_.env[parameter.variable.value] = parameter.name;
        break;
      }
      default:
        continue;
    }
    parameters.push_back(parameter);
  }

  Text before = std::exchange(scope_.text, Text(scope_.text.indent() + 2));
  std::set<std::uint32_t> cached = std::exchange(scope_.cached, {});
  const std::uint32_t most = body();
  std::swap(scope_.text, before);
  std::swap(scope_.cached, cached);
  scope_.env = env;
  scope_.moved = moved_before;
  scope_.count = count_before;
  scope_.epoch = epoch_before;

  Behind behind{fresh("behind"), {{state, "s"}, {cache, "c"}, {out, "out"}}};
  behind.parameters.insert(behind.parameters.end(), parameters.begin(), parameters.end());
  behind.parameters.emplace_back(value, x);
  const std::string ways = fresh("mask");
  open("{");
  open("static constexpr auto {} = []({}) {{", behind.name, print_parameters(behind.parameters, "auto"));
  for (const std::uint32_t v : cached) line("const unsigned {0} = s.{0};", model_.identifiers[v]);
  scope_.text.add(before);
  line("return out;");
  close("};");
  AddedWord add;
  if (draw) {
    add = draw(behind);
  } else if (most > 0) {
    shared_.some_wait = true;
    Waiting waiting;
    for (std::size_t i = 0; i < parameters.size(); ++i) waiting.keep(parameters[i], given[i]);
    add = [&, waiting](const std::string& word, const std::string& first) {
      return fmt::format(
          "out = add_waiting_set(s, c, out, [](State& s, Cache& c, Output out, const Waiting& w, unsigned x) "
          "{{ return {}({}); }}, {}, {}, {}, {}{});",
          behind.name, waiting.arguments(behind.parameters, "x"), moved_before, word, first, most, waiting.values());
    };
  }
  given.insert(given.begin(), {"s", "c", "out"});
  for_each_word(values.words, [&](const std::string& word) {
    const std::string first = values.words == 1 ? "0" : "64 * " + word;
    line("std::uint64_t {} = {};", ways, values.mask.at(word));
    const auto each = [&] {
      line("for (; {0} != 0; {0} &= {0} - 1) out = {1}({2}, {3}lowest_bit({0}));", ways, behind.name,
           fmt::join(given, ", "), values.words == 1 ? "" : first + " + ");
    };
    if (add)
      write_sampled([&] { line(add(ways, first)); }, each);
    else
      each();
  });
  close();
}

// Where moves are drawn, what follows is left to be asked of the one that is drawn.
void SearchWriter::write_waiting(std::uint32_t node) {
  shared_.some_wait = true;
  const Code now = call(node);
  Waiting waiting;
  const Parameters parameters = shared_.node_parameters(context_, node);
  for (const Parameter& parameter : parameters)
    waiting.keep(parameter, parameter.role == Parameter::Role::count   ? scope_.count.text
                            : parameter.role == Parameter::Role::value ? expressions_.variable(parameter.variable)
                                                                       : "");
  const auto wait = [&] {
    line("out = add_waiting(s, c, out, [](State& s, Cache& c, Output out, const Waiting& w, unsigned) { return " +
         shared_.functions.call(function_of(node), context_.at(node).reaches_test) + "(" +
         waiting.arguments(parameters, "") + "); }, " + scope_.moved + waiting.values() + ");");
  };
  write_sampled(wait, [&] { line("out = " + now + ";"); });
}

}  // namespace rgtrans::cpp
