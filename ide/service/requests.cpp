// The tables of requests, and the capabilities that the client receives.
#include <algorithm>
#include <array>
#include <set>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

namespace {

template <auto kFunction>
struct RowOf;
template <class Params, class Answer, Answer (*kFunction)(Service&, const Params&)>
struct RowOf<kFunction> {
  static Answer call(Service& service, const Json& params) {
    return kFunction(service, from_json_message<Params>(params));
  }
};
template <auto kFunction>
constexpr Request request(std::string_view method) {
  return {method, RowOf<kFunction>::call};
}
template <auto kFunction>
constexpr SlowRequest slow_request(std::string_view method, Pace pace) {
  return {method, pace, RowOf<kFunction>::call};
}

}  // namespace

std::span<const Request> requests() {
  static constexpr std::array kTable = {
      request<definition>("textDocument/definition"),
      request<references>("textDocument/references"),
      request<highlights>("textDocument/documentHighlight"),
      request<hover>("textDocument/hover"),
      request<document_links>("textDocument/documentLink"),
      request<document_symbols>("textDocument/documentSymbol"),
      request<prepare_calls>("textDocument/prepareCallHierarchy"),
      request<incoming_calls>("callHierarchy/incomingCalls"),
      request<outgoing_calls>("callHierarchy/outgoingCalls"),
      request<prepare_rename>("textDocument/prepareRename"),
      request<completion>("textDocument/completion"),
      request<resolve_completion>("completionItem/resolve"),
      request<signature_help>("textDocument/signatureHelp"),
      request<semantic_tokens>("textDocument/semanticTokens/full"),
      request<semantic_tokens_delta>("textDocument/semanticTokens/full/delta"),
      request<semantic_tokens_range>("textDocument/semanticTokens/range"),
      request<folding_ranges>("textDocument/foldingRange"),
      request<selection_ranges>("textDocument/selectionRange"),
      request<inlay_hints>("textDocument/inlayHint"),
      request<format_document>("textDocument/formatting"),
      request<format_range>("textDocument/rangeFormatting"),
      request<format_on_type>("textDocument/onTypeFormatting"),
      request<code_actions>("textDocument/codeAction"),
      request<code_lenses>("textDocument/codeLens"),
  };
  return kTable;
}

std::span<const SlowRequest> slow_requests() {
  static constexpr std::array kTable = {
      slow_request<pull_diagnostics>("textDocument/diagnostic", Pace::check),
      slow_request<rename>("textDocument/rename", Pace::check),
      slow_request<workspace_symbols>("workspace/symbol", Pace::command),
      slow_request<resolve_lens>("codeLens/resolve", Pace::command),
      slow_request<execute_command>("workspace/executeCommand", Pace::command),
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
  client.prepares_rename = truth(text, {"rename", "prepareSupport"});
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

namespace {

// Of all languages: a client may ask in any of them after each character.
std::vector<std::string> triggers() {
  std::set<std::string> characters;
  for (const Frontend* language : frontends()) {
    if (language->editing == nullptr) continue;
    for (char c : language->editing->triggers) characters.emplace(1, c);
  }
  return {characters.begin(), characters.end()};
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
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"hoverProvider", true},
      {"documentLinkProvider", {{"resolveProvider", false}}},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"callHierarchyProvider", true},
      {"renameProvider", service.client.prepares_rename ? Json{{"prepareProvider", true}} : Json(true)},
      {"completionProvider", {{"triggerCharacters", triggers()}, {"resolveProvider", true}}},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ",", ";", " "}}}},
      {"semanticTokensProvider", {{"legend", token_legend()}, {"full", {{"delta", true}}}, {"range", true}}},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"inlayHintProvider", true},
      {"documentFormattingProvider", true},
      {"documentRangeFormattingProvider", true},
      {"documentOnTypeFormattingProvider", {{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", {";", "\n"}}}},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix", "refactor.rewrite"}}}},
      {"codeLensProvider", {{"resolveProvider", true}}},
      {"executeCommandProvider", {{"commands", command_names()}, {"workDoneProgress", true}}},
  };
  if (service.client.pulls_diagnostics) {
    provided["diagnosticProvider"] = {
        {"identifier", "rgtrans"}, {"interFileDependencies", false}, {"workspaceDiagnostics", false}};
  }
  return {{"capabilities", std::move(provided)}, {"serverInfo", {{"name", "rgtrans"}}}};
}

}  // namespace rgtrans::ide
