#include "ide/service/service.hpp"

#include <algorithm>

namespace rgtrans::ide {

void Service::send(const Json& message) {
  if (closed_) return;
  std::string text = dump(message);
  const std::lock_guard lock(sending_);
  send_(std::move(text));
}

void Service::notify(std::string_view method, Json params) { send(notification(method, std::move(params))); }

void Service::request(std::string_view method) {
  send({{"jsonrpc", "2.0"}, {"id", next_request_++}, {"method", method}, {"params", nullptr}});
}

// --- Places. ---

SnapshotPointer Service::document(const std::string& uri) const {
  const auto found = documents.find(uri);
  if (found == documents.end()) throw RequestError{kInvalidParameters, "the document is not open: " + uri};
  return found->second;
}

LinePlace Service::place(const EditorPlace& position) {
  const auto number = [](std::int64_t value) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, UINT32_MAX));
  };
  return {number(position.line), number(position.character)};
}

std::uint32_t Service::offset(const Snapshot& snapshot, const EditorPlace& position) const {
  return snapshot.lines.offset(place(position), snapshot.text, encoding);
}

outline::Span Service::span(const Snapshot& snapshot, const EditorRange& range) const {
  const std::uint32_t begin = offset(snapshot, range.start), end = offset(snapshot, range.end);
  return {std::min(begin, end), std::max(begin, end)};
}

Json Service::position(const Snapshot& snapshot, std::size_t offset) const {
  const LinePlace place = snapshot.lines.place(offset, snapshot.text, encoding);
  return {{"line", place.line}, {"character", place.character}};
}

Json Service::range(const Snapshot& snapshot, outline::Span span) const {
  return {{"start", position(snapshot, span.begin)}, {"end", position(snapshot, span.end)}};
}

// --- Documents. ---

void Service::change_document(SnapshotPointer snapshot) {
  {
    const std::lock_guard lock(newest_mutex_);
    newest_[snapshot->uri] = snapshot.get();
  }
  documents[snapshot->uri] = snapshot;
  check(std::move(snapshot));
}

void Service::close_document(const std::string& uri) {
  const auto found = documents.find(uri);
  if (found == documents.end()) return;
  {
    const std::lock_guard lock(newest_mutex_);
    newest_.erase(uri);
  }
  checks_.cancel("check:" + uri);
  loads_.cancel("load:" + uri);
  documents.erase(found);
  tokens.erase(uri);
  if (!client.pulls_diagnostics)
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

bool Service::newest(const Snapshot& snapshot) const {
  const std::lock_guard lock(newest_mutex_);
  const auto found = newest_.find(snapshot.uri);
  return found != newest_.end() && found->second == &snapshot;
}

void Service::cancel(const std::string& key) {
  checks_.cancel(key);
  commands_.cancel(key);
}

// --- Diagnostics. ---

namespace {

// Unused names, in a text without mistakes: a text with mistakes is not yet complete.
std::vector<Finding> unused_names(const Snapshot& snapshot) {
  const outline::Outline& outline = snapshot.outline();
  std::vector<bool> used(outline.declarations.size());
  for (const outline::Occurrence& occurrence : outline.occurrences) {
    if (occurrence.name != kNone && occurrence.use != outline::Use::declares) used[occurrence.name] = true;
  }
  std::vector<Finding> findings;
  for (outline::NameId id = 0; id < outline.declarations.size(); ++id) {
    const outline::Declaration& declaration = outline.declarations[id];
    if (used[id] || declaration.built_in() || declaration.needed) continue;
    Finding finding;
    finding.grade = Finding::Grade::hint;
    finding.where = declaration.at;
    finding.message = declaration.name + " is never used";
    finding.unused = true;
    findings.push_back(std::move(finding));
  }
  return findings;
}

bool has_errors(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& f) { return f.grade == Finding::Grade::error; });
}

std::vector<Finding> with_unused(const Snapshot& snapshot, std::vector<Finding> findings) {
  if (has_errors(findings)) return findings;
  for (Finding& unused : unused_names(snapshot)) {
    // The front end may have reported it in its own words.
    const bool told = std::ranges::any_of(findings, [&](const Finding& f) { return f.where == unused.where; });
    if (!told) findings.push_back(std::move(unused));
  }
  return findings;
}

}  // namespace

std::vector<Finding> Service::findings(const Snapshot& snapshot) {
  const auto loaded = snapshot.loaded();
  return with_unused(snapshot, loaded ? loaded->findings : snapshot.check());
}

Json Service::diagnostics(const Snapshot& snapshot, const std::vector<Finding>& findings) const {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    Json item{{"range", range(snapshot, finding.where)},
              {"severity", finding.grade == Finding::Grade::error     ? 1
                           : finding.grade == Finding::Grade::warning ? 2
                                                                      : 4},
              {"source", "rgtrans"},
              {"message", finding.hint.empty() ? finding.message : finding.message + "\n" + finding.hint}};
    if (finding.unused) item["tags"] = {1};
    for (const Finding::Related& related : finding.related) {
      item["relatedInformation"].push_back(
          {{"location", {{"uri", snapshot.uri}, {"range", range(snapshot, related.where)}}},
           {"message", related.message}});
    }
    list.push_back(std::move(item));
  }
  return list;
}

void Service::publish(const Snapshot& snapshot, const std::vector<Finding>& findings) {
  if (!newest(snapshot)) return;
  notify("textDocument/publishDiagnostics",
         {{"uri", snapshot.uri}, {"version", snapshot.version}, {"diagnostics", diagnostics(snapshot, findings)}});
}

// A client that asks for diagnostics itself does so after each change.
void Service::check(SnapshotPointer snapshot) {
  loads_.cancel("load:" + snapshot->uri);
  const std::string key = "check:" + snapshot->uri;
  checks_.post(key, [this, snapshot](const Stop& stop) {
    if (stop.requested()) return;
    if (!client.pulls_diagnostics) publish(*snapshot, with_unused(*snapshot, snapshot->check()));
    if (snapshot->checked_in_part() && newest(*snapshot)) load(snapshot);
  });
}

void Service::load(SnapshotPointer snapshot) {
  const std::string key = "load:" + snapshot->uri;
  loads_.post(key, [this, snapshot](const Stop& stop) {
    try {
      stop.check();
      const auto loaded = snapshot->load([&] { stop.check(); });
      stop.check();
      if (!client.pulls_diagnostics) {
        publish(*snapshot, with_unused(*snapshot, loaded->findings));
      } else if (client.refreshes_diagnostics && !loaded->findings.empty()) {
        request("workspace/diagnostic/refresh");
      }
      if (client.refreshes_hints && newest(*snapshot)) request("workspace/inlayHint/refresh");
    } catch (const Abandoned&) {
    }
  });
}

}  // namespace rgtrans::ide
