#include "core/support/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/support/letters.hpp"
#include "core/support/text.hpp"

namespace rgtrans {

Diagnostic& Diagnostics::add(Severity severity, Range where, std::string message, std::string hint) {
  if (severity == Severity::error) ++errors_;
  Diagnostic diagnostic{severity, where, std::move(message), std::move(hint), {}};
  // Expansion and copying can repeat a mistake. Report it once per place in the text.
  const bool told = where.known() && std::ranges::any_of(items_, [&](const Diagnostic& other) {
                      return other.severity == severity && other.where == where && other.message == diagnostic.message;
                    });
  if (told || items_.size() >= 4 * kMaxErrors || (severity == Severity::error && errors_ > kMaxErrors)) {
    overflow_ = std::move(diagnostic);
    return overflow_;
  }
  items_.push_back(std::move(diagnostic));
  return items_.back();
}

Diagnostic& Diagnostics::error(Range where, std::string message, std::string hint) {
  return add(Severity::error, where, std::move(message), std::move(hint));
}

Diagnostic& Diagnostics::warning(Range where, std::string message, std::string hint) {
  return add(Severity::warning, where, std::move(message), std::move(hint));
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw Error(items_, sources_);
}

Error::Error(const std::string& message, std::string hint)
    : std::runtime_error(message), sources_(std::make_shared<Sources>()) {
  diagnostics_.push_back({Severity::error, {}, message, std::move(hint), {}});
}

Error::Error(std::vector<Diagnostic> diagnostics, std::shared_ptr<Sources> sources)
    : std::runtime_error(render(diagnostics, *sources)),
      diagnostics_(std::move(diagnostics)),
      sources_(std::move(sources)) {}

namespace {

constexpr std::size_t kMaxLineWidth = 160;

struct Palette {
  const char* bold = "";
  const char* error = "";
  const char* warning = "";
  const char* note = "";
  const char* reset = "";
};

Palette palette(Colour colour) {
  if (colour == Colour::no) return {};
  return {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[0m"};
}

// The source line with a caret below it. A very long line is cut to the part around the place.
std::string excerpt(Range where, const Sources& sources, const Palette& colours) {
  const Sources::File* file = sources.file_of(where.begin);
  if (file == nullptr) return {};
  std::string_view line = sources.line_of(where.begin);
  const std::size_t line_offset = static_cast<std::size_t>(line.data() - file->text.data());
  const std::size_t at = std::min<std::size_t>(where.begin - file->base, file->text.size());
  std::size_t before = std::min(at > line_offset ? at - line_offset : 0, line.size());
  const char* left = "";
  const char* right = "";
  if (before > kMaxLineWidth / 2) {
    const std::size_t cut = before - kMaxLineWidth / 2;
    line.remove_prefix(cut);
    before -= cut;
    left = "…";
  }
  if (line.size() > kMaxLineWidth) {
    line = line.substr(0, kMaxLineWidth);
    right = "…";
  }
  const std::size_t available = line.size() - std::min(before, line.size());
  const std::size_t length = where.end > where.begin ? where.end - where.begin : 1;
  const std::string marked(line.substr(before, std::min(length, available)));
  const std::size_t width = std::max<std::size_t>(1, count_characters(printable(marked)));
  const std::string shown = printable(line);
  const std::size_t indent = count_characters(printable(line.substr(0, before))) + (*left != 0 ? 1 : 0);
  return fmt::format("  {}{}{}\n  {:{}}{}^{}{}\n", left, shown, right, "", indent, colours.error,
                     std::string(width - 1, '~'), colours.reset);
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour) {
  const Palette colours = palette(colour);
  const bool is_error = diagnostic.severity == Severity::error;
  std::string out;
  const std::string place = sources.describe(diagnostic.where);
  if (!place.empty()) out += fmt::format("{}{}:{} ", colours.bold, printable(place), colours.reset);
  out += fmt::format("{}{}:{} {}\n", is_error ? colours.error : colours.warning, is_error ? "error" : "warning",
                     colours.reset, printable(diagnostic.message));
  out += excerpt(diagnostic.where, sources, colours);
  for (const Note& note : diagnostic.notes) {
    const std::string at = sources.describe(note.where);
    out += fmt::format("  {}note:{} {}{}{}\n", colours.note, colours.reset, printable(note.message),
                       at.empty() ? "" : ", at ", printable(at));
  }
  if (!diagnostic.hint.empty()) {
    out += fmt::format("  {}hint:{} {}\n", colours.note, colours.reset, printable(diagnostic.hint));
  }
  return out;
}

std::string render(std::span<const Diagnostic> diagnostics, const Sources& sources, Colour colour) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, sources, colour);
  return out;
}

std::string render_json(std::span<const Diagnostic> diagnostics, const Sources& sources) {
  auto place = [&](Range where, nlohmann::json& object) {
    const Sources::File* file = sources.file_of(where.begin);
    if (file == nullptr) return;
    const LineColumn begin = sources.position(where.begin);
    const LineColumn end = sources.position(where.end);
    object["file"] = file->name;
    object["line"] = begin.line;
    object["column"] = begin.column;
    object["end_line"] = end.line;
    object["end_column"] = end.column;
  };
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    nlohmann::json object;
    object["severity"] = diagnostic.severity == Severity::error ? "error" : "warning";
    object["message"] = diagnostic.message;
    place(diagnostic.where, object);
    if (!diagnostic.hint.empty()) object["hint"] = diagnostic.hint;
    if (!diagnostic.missing.empty()) object["missing"] = diagnostic.missing;
    for (const Note& note : diagnostic.notes) {
      nlohmann::json item{{"message", note.message}};
      place(note.where, item);
      object["notes"].push_back(std::move(item));
    }
    list.push_back(std::move(object));
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

// A comment that follows other text on its line documents that text, not the declaration below.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = row[0];
    row[0] = j;
    std::size_t best = row[0];
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[i];
      row[i] = std::min({row[i] + 1, row[i - 1] + 1, replaced});
      best = std::min(best, row[i]);
    }
    if (best > limit) return limit + 1;
  }
  return row[a.size()];
}

}  // namespace

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > 100) return {};
  const std::size_t limit = name.size() <= 2 ? 1 : 1 + name.size() / 4;
  std::size_t best = limit + 1;
  std::string_view choice;
  for (std::string_view candidate : candidates) {
    if (candidate.empty() || candidate == name) continue;
    const std::size_t d = distance(name, candidate, std::min(limit, best));
    if (d < best && d < candidate.size()) {
      best = d;
      choice = candidate;
    }
  }
  return choice.empty() ? std::string() : fmt::format("did you mean {}?", choice);
}

}  // namespace rgtrans
