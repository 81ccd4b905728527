// The tables of requests, and what the client is told about them.
#include <algorithm>
#include <array>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

std::span<const Request> requests() {
  static constexpr std::array kTable = {
      Request{"textDocument/formatting", format_document},
  };
  return kTable;
}

std::span<const SlowRequest> slow_requests() {
  static constexpr std::array kTable = {
      SlowRequest{"textDocument/diagnostic", Pace::check, pull_diagnostics},
  };
  return kTable;
}

namespace {

Encoding choose_encoding(const Json& offered) {
  if (!offered.is_array()) return Encoding::utf16;
  // Bytes are what the service counts itself.
  if (std::ranges::find(offered, "utf-8") != offered.end()) return Encoding::utf8;
  if (std::ranges::find(offered, "utf-16") != offered.end()) return Encoding::utf16;
  return std::ranges::find(offered, "utf-32") != offered.end() ? Encoding::utf32 : Encoding::utf16;
}

bool truth(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* at = &object;
  for (std::string_view key : path) at = &member(*at, key);
  return at->is_boolean() && at->get<bool>();
}

Abilities abilities(const Json& params) {
  const Json& all = member(params, "capabilities");
  const Json& text = member(all, "textDocument");
  Abilities client;
  client.pulls_diagnostics = member(text, "diagnostic").is_object();
  client.refreshes_diagnostics = truth(all, {"workspace", "diagnostics", "refreshSupport"});
  client.refreshes_hints = truth(all, {"workspace", "inlayHint", "refreshSupport"});
  client.snippets = truth(text, {"completion", "completionItem", "snippetSupport"});
  client.nested_symbols = truth(text, {"documentSymbol", "hierarchicalDocumentSymbolSupport"});
  client.only_line_folds = truth(text, {"foldingRange", "lineFoldingOnly"});
  client.prepares_rename = truth(text, {"rename", "prepareSupport"});
  const Json& formats = member(member(text, "hover"), "contentFormat");
  client.markdown = formats.is_array() && std::ranges::find(formats, "markdown") != formats.end();
  return client;
}

std::vector<std::string> folders(const Json& params) {
  std::vector<std::string> paths;
  const auto add = [&](const Json& uri) {
    if (!uri.is_string()) return;
    if (const std::string path = path_of(uri.get_ref<const std::string&>()); !path.empty()) paths.push_back(path);
  };
  const Json& several = member(params, "workspaceFolders");
  if (several.is_array()) {
    for (const Json& folder : several) add(member(folder, "uri"));
  }
  if (paths.empty()) add(member(params, "rootUri"));
  return paths;
}

}  // namespace

Json initialize(Service& service, const Json& params) {
  service.encoding = choose_encoding(member(member(member(params, "capabilities"), "general"), "positionEncodings"));
  service.client = abilities(params);
  service.folders = folders(params);
  static constexpr std::array kEncodings = {"utf-8", "utf-16", "utf-32"};
  Json provided{
      {"positionEncoding", kEncodings[static_cast<std::size_t>(service.encoding)]},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
      {"documentFormattingProvider", true},
  };
  if (service.client.pulls_diagnostics) {
    provided["diagnosticProvider"] = {
        {"identifier", "rgtrans"}, {"interFileDependencies", false}, {"workspaceDiagnostics", false}};
  }
  return {{"capabilities", std::move(provided)}, {"serverInfo", {{"name", "rgtrans"}}}};
}

}  // namespace rgtrans::ide
