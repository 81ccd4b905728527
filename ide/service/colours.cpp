// Semantic tokens: the kind of each word, as numbers relative to the word before it.
#include <algorithm>
#include <array>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::DeclaredKind;
using outline::LexemeKind;
using outline::Outline;
using outline::Span;
using outline::Use;

namespace {

enum Colour : unsigned {
  keyword,
  comment,
  string,
  number,
  type,
  enum_member,
  variable,
  parameter,
  function,
  macro,
  property,
  method,
  label
};
constexpr std::array kTypes = {"keyword",   "comment",  "string", "number",   "type",   "enumMember", "variable",
                               "parameter", "function", "macro",  "property", "method", "label"};
enum Modifier : unsigned { declaration = 1, readonly = 2, modification = 4, default_library = 8 };
constexpr std::array kModifiers = {"declaration", "readonly", "modification", "defaultLibrary"};

Colour colour_of(DeclaredKind kind) {
  switch (kind) {
    case DeclaredKind::type:
      return type;
    case DeclaredKind::element:
      return enum_member;
    case DeclaredKind::constant:
    case DeclaredKind::variable:
      return variable;
    case DeclaredKind::parameter:
      return parameter;
    case DeclaredKind::function:
    case DeclaredKind::relation:
      return function;
    case DeclaredKind::graph:
      return method;
    case DeclaredKind::macro:
      return macro;
    case DeclaredKind::node:
    case DeclaredKind::label:
      return label;
    case DeclaredKind::key:
    case DeclaredKind::game:
      return property;
  }
  return variable;
}

struct Token {
  Span at;
  unsigned colour = 0, modifiers = 0;
};

unsigned modifiers_of(const Declaration& declared, Use use) {
  unsigned bits = 0;
  if (use == Use::declares) bits |= declaration;
  if (use == Use::writes) bits |= modification;
  if (declared.kind == DeclaredKind::constant || declared.kind == DeclaredKind::element) bits |= readonly;
  if (declared.built_in()) bits |= default_library;
  return bits;
}

std::vector<Token> tokens_of(const Outline& outline) {
  std::vector<Token> tokens;
  for (const outline::Occurrence& occurrence : outline.occurrences) {
    const Declaration& declared = outline.declarations[occurrence.name];
    tokens.push_back(
        {occurrence.at, static_cast<unsigned>(colour_of(declared.kind)), modifiers_of(declared, occurrence.use)});
  }
  for (const Span span : outline.keywords) tokens.push_back({span, keyword, 0});
  for (const outline::Lexeme& lexeme : outline.lexemes) {
    if (lexeme.kind == LexemeKind::comment) tokens.push_back({lexeme.at, comment, 0});
    if (lexeme.kind == LexemeKind::string) tokens.push_back({lexeme.at, string, 0});
    if (lexeme.kind == LexemeKind::number) tokens.push_back({lexeme.at, number, 0});
  }
  // The kind that a reader gives a word has priority over the kind of its characters.
  std::ranges::stable_sort(tokens, {}, [](const Token& t) { return t.at.begin; });
  const auto overlap = [](const Token& a, const Token& b) { return b.at.begin < a.at.end; };
  tokens.erase(std::unique(tokens.begin(), tokens.end(), overlap), tokens.end());
  return tokens;
}

std::vector<std::uint32_t> encode(const Service& service, const Snapshot& snapshot, Span part) {
  std::vector<std::uint32_t> data;
  LinePlace before;
  for (const Token& token : tokens_of(snapshot.outline())) {
    if (token.at.end < part.begin || token.at.begin > part.end) continue;
    const LinePlace place = snapshot.lines.place(token.at.begin, snapshot.text, service.encoding);
    const std::uint32_t line = place.line - before.line;
    data.insert(data.end(), {line, line == 0 ? place.character - before.character : place.character,
                             units(token.at.of(snapshot.text), service.encoding), token.colour, token.modifiers});
    before = place;
  }
  return data;
}

std::string next_result_id() {
  static std::atomic<std::uint64_t> count = 0;
  return std::to_string(++count);
}

Json remember(Service& service, const Snapshot& snapshot, std::vector<std::uint32_t> data) {
  Service::Tokens& last = service.tokens[snapshot.uri];
  last = {next_result_id(), std::move(data)};
  return {{"resultId", last.id}, {"data", last.data}};
}

}  // namespace

Json token_legend() { return {{"tokenTypes", kTypes}, {"tokenModifiers", kModifiers}}; }

Json semantic_tokens(Service& service, const DocumentParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  return remember(service, *snapshot, encode(service, *snapshot, outline::kEverywhere));
}

Json semantic_tokens_range(Service& service, const RangeParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  return {{"data", encode(service, *snapshot, service.span(*snapshot, params.range))}};
}

// One edit: the part that differs between the equal parts at both ends.
Json semantic_tokens_delta(Service& service, const AgainParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  std::vector<std::uint32_t> data = encode(service, *snapshot, outline::kEverywhere);
  const auto known = service.tokens.find(snapshot->uri);
  if (known == service.tokens.end() || known->second.id != params.previous)
    return remember(service, *snapshot, std::move(data));
  const std::vector<std::uint32_t> before = std::move(known->second.data);
  const std::size_t shorter = std::min(before.size(), data.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && before[front] == data[front]) ++front;
  while (back < shorter - front && before[before.size() - 1 - back] == data[data.size() - 1 - back]) ++back;
  Json edits = Json::array();
  if (front + back < before.size() || front + back < data.size()) {
    const std::vector<std::uint32_t> inserted(data.begin() + static_cast<std::ptrdiff_t>(front),
                                              data.end() - static_cast<std::ptrdiff_t>(back));
    edits.push_back({{"start", front}, {"deleteCount", before.size() - front - back}, {"data", inserted}});
  }
  known->second = {next_result_id(), std::move(data)};
  return {{"resultId", known->second.id}, {"edits", std::move(edits)}};
}

}  // namespace rgtrans::ide
