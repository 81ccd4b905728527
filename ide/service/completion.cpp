// Completion at a place, and the arguments of a call.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ide/service/features.hpp"
#include "ide/service/naming.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::NameId;
using outline::Outline;

namespace {

bool in_comment(const Outline& outline, std::uint32_t at) {
  const std::size_t before = outline.lexemes_before(at);
  return before > 0 && outline.lexemes[before - 1].kind == outline::LexemeKind::comment &&
         outline.lexemes[before - 1].at.end >= at;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '$' || c == '}' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string call_snippet(const Declaration& declaration, const Editing& editing) {
  std::string text = escaped(declaration.name) + (editing.lists ? "" : "(");
  for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
    if (editing.lists || i > 0) text += editing.lists ? " " : std::string(editing.separator) + " ";
    text += fmt::format("${{{}:{}}}", i + 1, escaped(declaration.parameters[i]));
  }
  return text + (editing.lists ? "" : ")");
}

// The items at one place.
class Proposals {
 public:
  Proposals(const Service& service, const Snapshot& snapshot, std::uint32_t at)
      : service_(service),
        snapshot_(snapshot),
        editing_(*snapshot.language->editing),
        at_(at),
        prefix_(prefix_at(snapshot, at)) {}

  Json run() {
    const Outline& outline = snapshot_.outline();
    const Wanted wanted = editing_.wanted(outline, snapshot_.text, prefix_.begin);
    // Inner names hide outer ones.
    for (std::size_t i = outline.declarations.size(); i-- > 0;) {
      const Declaration& declaration = outline.declarations[i];
      const bool fits =
          (wanted.kinds >> static_cast<unsigned>(declaration.kind) & 1U) != 0 && declaration.scope.touches(at_);
      // The name that is being typed is a declaration of itself where nothing else declares it.
      if (fits && !declaration.at.touches(at_)) add(declaration, static_cast<NameId>(i));
    }
    for (const LanguageWord& word : editing_.words) {
      if ((word.places & wanted.places) != 0) add(word, &word - editing_.words.data());
    }
    return {{"isIncomplete", incomplete_}, {"items", std::move(items_)}};
  }

 private:
  // A client filters by itself; sending it thousands of names takes longer than filtering.
  static constexpr std::size_t kMostItems = 400;

  bool room_for(std::string_view name, bool snippet) {
    if (!name.starts_with(prefix_.text.substr(0, 1)) && items_.size() >= kMostItems / 4) {
      incomplete_ = true;
      return false;
    }
    if (items_.size() >= kMostItems) {
      incomplete_ = true;
      return false;
    }
    return names_.insert(std::string(name) + (snippet ? "(" : "")).second;
  }

  Json item(std::string_view name, int kind, std::string text, bool snippet) const {
    const bool expands = snippet && service_.client.snippets;
    return {{"label", name},
            {"kind", kind},
            {"textEdit",
             {{"range", service_.range(snapshot_, {prefix_.begin, at_})},
              {"newText", expands ? std::move(text) : std::string(name)}}},
            {"insertTextFormat", expands ? 2 : 1}};
  }

  void add(const Declaration& declaration, NameId id) {
    if (!room_for(declaration.name, false)) return;
    const bool call = declaration.callable && !declaration.parameters.empty();
    Json entry = item(declaration.name, completion_kind(declaration.kind),
                      call ? call_snippet(declaration, editing_) : declaration.name, call);
    if (!declaration.signature.empty()) entry["detail"] = declaration.signature;
    entry["data"] = {{"uri", snapshot_.uri}, {"name", id}};
    items_.push_back(std::move(entry));
  }

  void add(const LanguageWord& word, std::ptrdiff_t row) {
    if (!room_for(word.text, !word.snippet.empty())) return;
    constexpr int kKeyword = 14, kSnippet = 15, kVariable = 6;
    const int kind = !word.keyword ? kVariable : word.snippet.empty() ? kKeyword : kSnippet;
    Json entry = item(word.text, kind, std::string(word.snippet), !word.snippet.empty());
    entry["data"] = {{"uri", snapshot_.uri}, {"word", row}};
    items_.push_back(std::move(entry));
  }

  const Service& service_;
  const Snapshot& snapshot_;
  const Editing& editing_;
  std::uint32_t at_;
  Prefix prefix_;
  Json items_ = Json::array();
  std::set<std::string> names_;
  bool incomplete_ = false;
};

}  // namespace

Json completion(Service& service, const PlaceParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  const std::uint32_t at = service.offset(*snapshot, params.position);
  if (snapshot->language == nullptr || snapshot->language->editing == nullptr || in_comment(snapshot->outline(), at))
    return nullptr;
  return Proposals(service, *snapshot, at).run();
}

Json resolve_completion(Service& service, const Json& params) {
  Json item = params;
  const auto proposed = from_json_message<ProposedItem>(params);
  const auto found = service.documents.find(proposed.data.uri);
  if (found == service.documents.end()) return item;
  const Snapshot& snapshot = *found->second;
  if (snapshot.language == nullptr || snapshot.language->editing == nullptr) return item;
  std::string text;
  const auto words = snapshot.language->editing->words;
  const auto& declarations = snapshot.outline().declarations;
  const auto [uri, word, name] = proposed.data;
  if (word && *word < words.size()) text = described(snapshot, words[*word]);
  if (name && *name < declarations.size() && declarations[*name].name == proposed.label)
    text = described(snapshot, declarations[*name]);
  if (!text.empty()) item["documentation"] = {{"kind", "markdown"}, {"value", text}};
  return item;
}

// --- The call around a place. ---

namespace {

struct CallAround {
  NameId name = kNone;
  const LanguageWord* word = nullptr;  // instead of a name
  std::size_t argument = 0;
};

// The callee: the lexeme in front of the arguments (in a list: after its bracket).
CallAround called_at(const Snapshot& snapshot, std::size_t lexeme) {
  const Outline& outline = snapshot.outline();
  if (lexeme >= outline.lexemes.size()) return {};
  if (const auto* occurrence = outline.occurrence_at(outline.lexemes[lexeme].at.begin)) return {occurrence->name};
  const auto words = snapshot.language->editing->words;
  const auto word = std::ranges::find(words, outline.lexemes[lexeme].at.of(snapshot.text), &LanguageWord::text);
  return {kNone, word == words.end() ? nullptr : &*word};
}

// Goes back to the bracket that is still open, and counts what separates arguments on the way.
CallAround call_around(const Snapshot& snapshot, std::uint32_t at) {
  const Outline& outline = snapshot.outline();
  const Editing& editing = *snapshot.language->editing;
  const auto text = [&](std::size_t i) { return outline.lexemes[i].at.of(snapshot.text); };
  int depth = 0;
  std::size_t argument = 0, words = 0;
  for (std::size_t i = outline.lexemes_before(at); i-- > 0;) {
    const std::string_view word = text(i);
    if (outline.lexemes[i].kind == outline::LexemeKind::comment) continue;
    if (word == ")" || word == "]" || word == "}") ++depth;
    if (word == "[" || word == "{") {
      if (depth-- == 0) return {};
    }
    if (word == "(" && depth-- == 0) {
      const std::size_t name = editing.lists ? i + 1 : i - 1;
      if (!editing.lists && i == 0) return {};
      CallAround call = called_at(snapshot, name);
      // In a list, the word at the cursor is being written.
      const std::uint32_t touched = outline.lexemes[outline.lexemes_before(at) - 1].at.end >= at ? 1 : 0;
      call.argument = editing.lists ? words - std::min<std::size_t>(words, 1 + touched) : argument;
      return call;
    }
    if (depth == 0) {
      if (word == editing.separator || word == ",") ++argument;
      ++words;
    }
  }
  return {};
}

struct Signature {
  std::string label, documentation;
  std::vector<std::string> parameters;
};

// The help of a word of the language contains its call: `(line 3 set)` or `rectangle(up, down)`.
Signature signature_of(const LanguageWord& word, bool lists) {
  const std::string start = lists ? fmt::format("`({} ", word.text) : fmt::format("`{}(", word.text);
  const std::size_t end = word.help.find(")`");
  if (!word.help.starts_with(start) || end == std::string_view::npos) return {};
  Signature signature{std::string(word.help.substr(1, end)), std::string(word.help), {""}};
  int depth = 0;
  for (const char c : word.help.substr(start.size(), end - start.size())) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool parts = depth == 0 && (c == ' ' || (!lists && (c == ',' || c == ';')));
    if (!parts) signature.parameters.back() += c;
    if (parts && !signature.parameters.back().empty()) signature.parameters.emplace_back();
  }
  return signature;
}

Signature signature_of(const Snapshot& snapshot, const CallAround& call) {
  if (call.word != nullptr) return signature_of(*call.word, snapshot.language->editing->lists);
  if (call.name == kNone) return {};
  const Declaration& declaration = snapshot.outline().declarations[call.name];
  return {declaration.signature, declaration.documentation, declaration.parameters};
}

}  // namespace

Json signature_help(Service& service, const PlaceParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  if (snapshot->language == nullptr || snapshot->language->editing == nullptr) return nullptr;
  const CallAround call = call_around(*snapshot, service.offset(*snapshot, params.position));
  const Signature found = signature_of(*snapshot, call);
  if (found.parameters.empty()) return nullptr;
  Json parameters = Json::array();
  for (const std::string& parameter : found.parameters) parameters.push_back({{"label", parameter}});
  Json signature{{"label", found.label}, {"parameters", std::move(parameters)}};
  if (!found.documentation.empty()) signature["documentation"] = {{"kind", "markdown"}, {"value", found.documentation}};
  return {{"signatures", Json::array({std::move(signature)})},
          {"activeSignature", 0},
          {"activeParameter", std::min(call.argument, found.parameters.size() - 1)}};
}

}  // namespace rgtrans::ide
