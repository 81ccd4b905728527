// Names below the output folder. They depend on the set of inputs alone, never on the order in which work is done, so
// that shards and repeated runs agree.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cli/batch/inputs.hpp"

namespace rgtrans::batch {

namespace {

// A valid UTF-8 sequence at text[at]: its length, or 0.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xf0 && first < 0xf5 ? 4
                             : first >= 0xe0                 ? 3
                             : first >= 0xc2                 ? 2
                                                             : 0;
  if (length == 0 || first >= 0xf5 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// One component without what terminals, file systems and JSON cannot hold.
std::string clean(std::string_view component) {
  std::string result;
  for (std::size_t at = 0; at < component.size();) {
    const std::size_t length = sequence_length(component, at);
    const auto first = static_cast<unsigned char>(component[at]);
    if (length == 0 || first < 0x20 || first == 0x7f || first == '\\') {
      result += '_';
      at += 1;
    } else {
      result += component.substr(at, length);
      at += length;
    }
  }
  return result;
}

std::string replace_extension(const std::string& relative, const std::string& extension) {
  const std::size_t slash = relative.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = relative.rfind('.');
  const bool has = dot != std::string::npos && dot > start;
  return (has ? relative.substr(0, dot) : relative) + extension;
}

// Every folder that contains an output.
std::unordered_set<std::string> folders_of(const std::vector<Planned>& plan) {
  std::unordered_set<std::string> folders;
  for (const Planned& p : plan) {
    for (std::size_t slash = p.output.find('/'); slash != std::string::npos; slash = p.output.find('/', slash + 1))
      folders.insert(p.output.substr(0, slash));
  }
  return folders;
}

}  // namespace

std::string safe_relative(std::string_view path, bool* climbs) {
  std::vector<std::string> parts;
  bool out = !path.empty() && path.front() == '/';
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t end = path.find('/', at);
    if (end == std::string_view::npos) end = path.size();
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) {
        out = true;
      } else {
        parts.pop_back();
      }
      continue;
    }
    parts.push_back(clean(part));
  }
  if (climbs != nullptr) *climbs = out;
  return fmt::format("{}", fmt::join(parts, "/"));
}

std::vector<Planned> plan_names(std::vector<Input> inputs, const std::string& form) {
  const std::string extension = form == "cpp" ? "" : "." + form;
  std::vector<Planned> plan;
  for (Input& input : inputs) {
    std::string output = replace_extension(input.relative, extension);
    plan.push_back({std::move(input), std::move(output)});
  }
  const auto counts = [&] {
    std::unordered_map<std::string, std::size_t> result;
    for (const Planned& p : plan) ++result[p.output];
    return result;
  };
  const auto in_the_way = [](const auto& names, const auto& folders, const std::string& output) {
    return names.at(output) > 1 || folders.contains(output);
  };
  {
    const auto names = counts();
    const auto folders = folders_of(plan);
    for (Planned& p : plan) {
      if (in_the_way(names, folders, p.output)) p.output = p.input.relative + (extension.empty() ? ".cpp" : extension);
    }
  }
  // Numbers go in front of the extension; a number that is taken is skipped.
  const auto folders = folders_of(plan);
  std::unordered_set<std::string> taken;
  for (Planned& p : plan) {
    std::string name = p.output;
    for (std::size_t n = 2; folders.contains(name) || !taken.insert(name).second; ++n)
      name = replace_extension(p.output, fmt::format("~{}", n)) + (extension.empty() ? ".cpp" : extension);
    p.output = std::move(name);
  }
  std::ranges::sort(plan, {}, &Planned::output);
  return plan;
}

}  // namespace rgtrans::batch
