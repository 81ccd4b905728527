// The declarations of texts, as lists and trees, and the hierarchy of calls.
#include <algorithm>
#include <filesystem>

#include "core/support/letters.hpp"
#include "core/support/pieces.hpp"
#include "ide/service/features.hpp"
#include "ide/service/naming.hpp"

namespace rgtrans::ide {

using outline::Call;
using outline::Declaration;
using outline::NameId;
using outline::Outline;

namespace {

Json symbol_of(const Service& service, const Snapshot& snapshot, const Declaration& declaration) {
  // The range of a declaration must contain its name.
  const outline::Span whole{std::min(declaration.whole.begin, declaration.at.begin),
                            std::max(declaration.whole.end, declaration.at.end)};
  return {{"name", declaration.name},
          {"detail", std::string(kind_name(declaration.kind))},
          {"kind", symbol_kind(declaration.kind)},
          {"range", service.range(snapshot, whole)},
          {"selectionRange", service.range(snapshot, declaration.at)}};
}

Json tree(const Service& service, const Snapshot& snapshot) {
  const Outline& outline = snapshot.outline();
  std::vector<Json> symbols(outline.declarations.size());
  Json list = Json::array();
  // Parts follow the declaration that contains them.
  for (std::size_t i = outline.declarations.size(); i-- > 0;) {
    const Declaration& declaration = outline.declarations[i];
    if (!declaration.listed || declaration.built_in()) continue;
    Json symbol = symbol_of(service, snapshot, declaration);
    if (symbols[i].is_array()) {
      std::reverse(symbols[i].begin(), symbols[i].end());
      symbol["children"] = std::move(symbols[i]);
    }
    if (declaration.parent != kNone && outline.declarations[declaration.parent].listed) {
      symbols[declaration.parent].push_back(std::move(symbol));
    } else {
      list.push_back(std::move(symbol));
    }
  }
  std::reverse(list.begin(), list.end());
  return list;
}

Json information(const Service& service, const Snapshot& snapshot, const Declaration& declaration) {
  Json symbol{{"name", declaration.name},
              {"kind", symbol_kind(declaration.kind)},
              {"location", {{"uri", snapshot.uri}, {"range", service.range(snapshot, declaration.at)}}}};
  if (declaration.parent != kNone) symbol["containerName"] = snapshot.outline().declarations[declaration.parent].name;
  return symbol;
}

// Its letters occur in the name in this order.
bool matches(std::string_view query, std::string_view name) {
  std::size_t found = 0;
  for (char c : name) {
    if (found < query.size() && to_lower(query[found]) == to_lower(c)) ++found;
  }
  return found == query.size();
}

// Games in the folders of the workspace that are not open.
std::vector<SnapshotPointer> files_of(const std::vector<std::string>& folders, const Documents& open,
                                      const Stop& stop) {
  constexpr std::size_t kMostFiles = 2000, kMostEntries = 50'000;
  constexpr std::uintmax_t kMostBytes = 1U << 20U;
  std::vector<SnapshotPointer> files;
  std::size_t entries = 0;
  for (const std::string& folder : folders) {
    std::error_code problem;
    auto it = std::filesystem::recursive_directory_iterator(
        folder, std::filesystem::directory_options::skip_permission_denied, problem);
    for (; !problem && it != std::filesystem::recursive_directory_iterator(); it.increment(problem)) {
      if (files.size() >= kMostFiles || ++entries > kMostEntries) return files;
      const std::string extension = it->path().extension().string();
      const bool game = extension != ".json" && std::ranges::any_of(frontends(), [&](const Frontend* language) {
                          return std::ranges::find(language->extensions, extension) != language->extensions.end();
                        });
      std::error_code unreadable;
      if (!game || !it->is_regular_file(unreadable) || it->file_size(unreadable) > kMostBytes) continue;
      const std::string uri = uri_of(it->path().string());
      stop.check();
      if (open.contains(uri)) continue;
      try {
        files.push_back(std::make_shared<Snapshot>(uri, "", 0, read_regular_file(it->path())));
      } catch (const Error&) {
        // It went while we were looking.
      }
    }
  }
  return files;
}

}  // namespace

Json document_symbols(Service& service, const DocumentParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  if (service.client.nested_symbols) return tree(service, *snapshot);
  Json list = Json::array();
  for (const Declaration& declaration : snapshot->outline().declarations) {
    if (declaration.listed && !declaration.built_in()) list.push_back(information(service, *snapshot, declaration));
  }
  return list;
}

Rest workspace_symbols(Service& service, const QueryParams& params) {
  return [&service, query = params.query, open = service.documents, folders = service.folders](const Stop& stop) {
    constexpr std::size_t kMost = 500;
    std::vector<SnapshotPointer> all;
    for (const auto& [uri, snapshot] : open) all.push_back(snapshot);
    std::ranges::copy(files_of(folders, open, stop), std::back_inserter(all));
    Json list = Json::array();
    for (const SnapshotPointer& snapshot : all) {
      stop.check();
      for (const Declaration& declaration : snapshot->outline().declarations) {
        if (!declaration.listed || declaration.built_in() || !matches(query, declaration.name)) continue;
        list.push_back(information(service, *snapshot, declaration));
        if (list.size() == kMost) return list;
      }
    }
    return list;
  };
}

// --- Calls. ---

namespace {

Json call_item(const Service& service, const Snapshot& snapshot, NameId id) {
  Json item = symbol_of(service, snapshot, snapshot.outline().declarations[id]);
  item["uri"] = snapshot.uri;
  item["data"] = id;
  return item;
}

struct CallEnd {
  SnapshotPointer snapshot;
  NameId id = kNone;
};
CallEnd end_of(const Service& service, const CalledItem& item) {
  const auto found = service.documents.find(item.uri);
  if (found == service.documents.end()) return {};
  const Outline& outline = found->second->outline();
  const NameId id = item.data;
  // The text may have changed since.
  if (id < outline.declarations.size() && outline.declarations[id].name == item.name) return {found->second, id};
  for (NameId other = 0; other < outline.declarations.size(); ++other) {
    if (outline.declarations[other].name == item.name) return {found->second, other};
  }
  return {};
}

Json calls(const Service& service, const CalledItem& item, NameId Call::*fixed, NameId Call::*wanted, const char* key) {
  Json list = Json::array();
  const CallEnd end = end_of(service, item);
  if (!end.snapshot) return list;
  std::map<NameId, Json> places;
  for (const Call& call : end.snapshot->outline().calls) {
    if (call.*fixed == end.id && call.*wanted != kNone)
      places[call.*wanted].push_back(service.range(*end.snapshot, call.at));
  }
  for (auto& [id, ranges] : places)
    list.push_back({{key, call_item(service, *end.snapshot, id)}, {"fromRanges", std::move(ranges)}});
  return list;
}

}  // namespace

Json prepare_calls(Service& service, const PlaceParams& params) {
  const Named named = name_at(service, params);
  if (!named || named.declaration().built_in()) return nullptr;
  const NameId id = named.occurrence->name;
  const bool takes_part =
      named.declaration().callable ||
      std::ranges::any_of(named.outline().calls, [&](const Call& c) { return c.caller == id || c.callee == id; });
  if (!takes_part) return nullptr;
  return Json::array({call_item(service, *named.snapshot, id)});
}

Json incoming_calls(Service& service, const CallParams& params) {
  return calls(service, params.item, &Call::callee, &Call::caller, "from");
}
Json outgoing_calls(Service& service, const CallParams& params) {
  return calls(service, params.item, &Call::caller, &Call::callee, "to");
}

}  // namespace rgtrans::ide
