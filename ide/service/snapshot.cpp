#include "ide/service/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/progress.hpp"
#include "core/support/text.hpp"

namespace rgtrans::ide {

namespace {

// By the client's name of the language, else by the file's name and the text.
const Frontend* choose(const std::string& language_id, const std::string& path, const std::string& text) {
  if (const Frontend* named = find_frontend(language_id)) return named;
  try {
    return &choose_frontend(path, text);
  } catch (const Error&) {
    return nullptr;
  }
}

// A place of the front end's sources in the one file that the client knows.
outline::Span span_of(Range where, const Sources::File& file) {
  const auto size = static_cast<std::uint32_t>(file.text.size());
  if (where.begin < file.base || where.begin > file.base + size) return {};
  const std::uint32_t begin = where.begin - file.base;
  return {begin, std::clamp(where.end - file.base, begin, size)};
}

Finding finding_of(const Diagnostic& diagnostic, const Sources::File& file) {
  Finding finding;
  finding.grade = diagnostic.severity == Severity::error ? Finding::Grade::error : Finding::Grade::warning;
  finding.where = span_of(diagnostic.where, file);
  finding.message = diagnostic.message;
  finding.hint = diagnostic.hint;
  finding.unused = diagnostic.message.ends_with("is never used");
  for (const Note& note : diagnostic.notes) finding.related.push_back({span_of(note.where, file), note.message});
  return finding;
}

// The findings of `work` about a text, in either of the two ways in which it reports them.
template <class Work>
std::vector<Finding> collect(const Sources::File& file, Diagnostics& diagnostics, Work work) {
  std::vector<Finding> findings;
  try {
    work();
    for (const Diagnostic& found : diagnostics.all()) findings.push_back(finding_of(found, file));
  } catch (const Error& error) {
    for (const Diagnostic& found : error.diagnostics()) findings.push_back(finding_of(found, file));
  } catch (const std::exception& error) {
    Finding& finding = findings.emplace_back();
    finding.message = fmt::format("rgtrans cannot read this: {}", error.what());
  }
  return findings;
}

}  // namespace

Snapshot::Snapshot(std::string uri_, std::string language_id_, std::int64_t version_, std::string text_,
                   std::shared_ptr<const ir::Game> earlier)
    : uri(std::move(uri_)),
      language_id(std::move(language_id_)),
      path(path_of(uri)),
      version(version_),
      text(std::move(text_)),
      lines(text),
      language(choose(language_id, path, text)),
      earlier_(std::move(earlier)) {}

std::shared_ptr<const ir::Game> Snapshot::game() const {
  const auto known = loaded();
  return known && known->game ? known->game : earlier_;
}

const outline::Outline& Snapshot::outline() const {
  std::call_once(outlined_, [this] {
    if (language != nullptr && language->editing != nullptr) outline_ = language->editing->outline(text);
  });
  return outline_;
}

bool Snapshot::checked_in_part() const {
  return language != nullptr && language->editing != nullptr && language->editing->check != nullptr;
}

std::vector<Finding> Snapshot::check() const {
  if (!checked_in_part()) return load([] {})->findings;
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(path.empty() ? uri : path, text);
  return collect(file, diagnostics, [&] { language->editing->check(file, diagnostics); });
}

std::shared_ptr<const Loaded> Snapshot::loaded() const {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

std::shared_ptr<const Loaded> Snapshot::load(const std::function<void()>& check_wanted) const {
  const std::lock_guard only_one(loading_);
  if (auto known = loaded()) return known;
  auto result = std::make_shared<Loaded>();
  if (language != nullptr) {
    const WhileWanted asking(check_wanted);
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add(path.empty() ? uri : path, text);
    result->findings = collect(file, diagnostics, [&] {
      auto game = std::make_shared<ir::Game>(language->load(file, diagnostics, {}));
      if (!diagnostics.has_errors()) ir::verify(*game, diagnostics, {.warnings = language->is_rg});
      if (!diagnostics.has_errors()) result->game = std::move(game);
    });
    if (result->game) result->opened = std::make_shared<OpenedGame>(uri, result->game);
  }
  const std::lock_guard lock(mutex_);
  loaded_ = result;
  return result;
}

std::string path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  return percent_decoded(uri.substr(kScheme.size()));
}

std::string uri_of(std::string_view path) { return "file://" + percent_encoded(path, "/-_.~"); }

}  // namespace rgtrans::ide
