// Quick fixes. Front ends say in their messages what is missing and in their hints what was meant; this turns the forms
// in which they do into edits. A message in another form has no fix, and that is all.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/support/letters.hpp"
#include "ide/service/features.hpp"
#include "ide/service/naming.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::Outline;
using outline::Span;

namespace {

struct Fix {
  std::string title;
  Span where;
  std::string text;
  bool preferred = false;
};

// The lexeme in front of a place; null at the start of the text.
const outline::Lexeme* lexeme_in_front(const Snapshot& snapshot, std::uint32_t at) {
  const Outline& outline = snapshot.outline();
  std::size_t before = outline.lexemes_before(at);
  while (before > 0 && outline.lexemes[before - 1].kind == outline::LexemeKind::comment) --before;
  return before == 0 ? nullptr : &outline.lexemes[before - 1];
}

bool is_one_word(const Snapshot& snapshot, Span where) {
  const Outline& outline = snapshot.outline();
  const std::size_t behind = outline.lexemes_before(where.begin + 1);
  if (behind == 0) return false;
  const outline::Lexeme& lexeme = outline.lexemes[behind - 1];
  const bool in_quotes = lexeme.kind == outline::LexemeKind::string && where.begin == lexeme.at.begin + 1 &&
                         where.end + 1 == lexeme.at.end;
  return in_quotes || (lexeme.at == where && lexeme.kind != outline::LexemeKind::mark);
}

// The text between two marks; nothing if they are missing.
std::optional<std::string_view> between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(close, begin + open.size());
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin + open.size(), end - begin - open.size());
}

// The word that a message is about: its whole place, or the word in it that looks like what was meant.
std::optional<Span> word_meant(const Snapshot& snapshot, const Finding& finding, std::string_view meant) {
  const bool quoted = finding.where.of(snapshot.text).starts_with('"') && finding.where.of(snapshot.text).size() > 1;
  if (is_one_word(snapshot, finding.where))
    return quoted ? Span{finding.where.begin + 1, finding.where.end - 1} : finding.where;
  for (const outline::Lexeme& lexeme : snapshot.outline().lexemes) {
    if (lexeme.kind == outline::LexemeKind::comment || lexeme.at.begin < finding.where.begin ||
        lexeme.at.end > finding.where.end)
      continue;
    if (!did_you_mean(lexeme.at.of(snapshot.text), std::span(&meant, 1)).empty()) return lexeme.at;
  }
  return std::nullopt;
}

// "did you mean x?" in the hint, or a name of the text that looks alike where a name is not known.
std::optional<Fix> other_name(const Snapshot& snapshot, const Finding& finding) {
  constexpr std::string_view kOpen = "did you mean ";
  const auto fix = [&](std::string_view name) -> std::optional<Fix> {
    const auto word = word_meant(snapshot, finding, name);
    if (!word) return std::nullopt;
    return Fix{fmt::format("Change to {}", name), *word, std::string(name), true};
  };
  if (const auto name = between(finding.hint, kOpen, "?")) return fix(*name);
  const bool unknown = finding.message.starts_with("unknown") || finding.message.starts_with("there is no");
  if (!unknown || !is_one_word(snapshot, finding.where)) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Declaration& declaration : snapshot.outline().declarations) {
    const bool section =
        declaration.kind == outline::DeclaredKind::game || declaration.kind == outline::DeclaredKind::key;
    if (!section && declaration.scope.touches(finding.where.begin)) names.push_back(declaration.name);
  }
  const std::string near = did_you_mean(finding.where.of(snapshot.text), names);
  if (const auto name = between(near, kOpen, "?")) return fix(*name);
  return std::nullopt;
}

// The marks of "missing ';'" and of "expected ',' or ')' here".
std::vector<std::string_view> marks_in(std::string_view message) {
  std::vector<std::string_view> marks;
  for (std::string_view rest = message.substr(message.find(' ') + 1); rest.starts_with("'");) {
    const auto mark = between(rest, "'", "'");
    if (!mark || mark->empty() || mark->size() > 6) break;
    marks.push_back(*mark);
    rest.remove_prefix(mark->size() + 2);
    constexpr std::string_view kOr = " or ";
    if (!rest.starts_with(kOr)) break;
    rest.remove_prefix(kOr.size());
  }
  return marks;
}

// "missing ';'" gives the place; "expected ')', found …" means after the word before the place.
std::vector<Fix> missing_marks(const Snapshot& snapshot, const Finding& finding) {
  const bool missing = finding.message.starts_with("missing '");
  if (!missing && !finding.message.starts_with("expected '")) return {};
  std::uint32_t at = finding.where.begin;
  if (!missing) {
    const outline::Lexeme* before = lexeme_in_front(snapshot, at);
    if (before == nullptr) return {};
    at = before->at.end;
  }
  std::vector<std::string_view> marks = marks_in(finding.message);
  // A line that ends here is more likely to be closed than to continue.
  if (snapshot.lines.line_of(at) < snapshot.lines.line_of(finding.where.begin))
    std::stable_partition(marks.begin(), marks.end(),
                          [](std::string_view mark) { return mark == ")" || mark == "]" || mark == "}"; });
  std::vector<Fix> fixes;
  for (const std::string_view mark : marks) {
    const bool word = is_lower(mark.front()) || mark == "=" || mark == "{";
    fixes.push_back({fmt::format("Insert '{}'", mark), {at, at}, (word ? " " : "") + std::string(mark), fixes.empty()});
  }
  return fixes;
}

// "add one, such as :x", for a map literal.
std::optional<Fix> missing_default(const Snapshot& snapshot, const Finding& finding) {
  constexpr std::string_view kHint = "add one, such as ";
  if (!finding.hint.starts_with(kHint) || finding.where.end == 0 || snapshot.text[finding.where.end - 1] != '}')
    return std::nullopt;
  const outline::Lexeme* last = lexeme_in_front(snapshot, finding.where.end - 1);
  if (last == nullptr) return std::nullopt;
  const std::string entry = finding.hint.substr(kHint.size());
  const bool empty = last->at.of(snapshot.text) == "{";
  return Fix{
      fmt::format("Add the default entry {}", entry), {last->at.end, last->at.end}, (empty ? "" : ", ") + entry, true};
}

// Brackets that a language of lists does not close.
std::optional<Fix> missing_end(const Snapshot& snapshot, const Finding& finding) {
  const bool open = finding.message.ends_with("is never closed") || finding.message.ends_with("is not closed");
  if (!open) return std::nullopt;
  auto at = static_cast<std::uint32_t>(snapshot.text.size());
  // The hint may know the line in front of which it is missing.
  if (const auto line = between(finding.hint, "at line ", ",")) {
    const auto number = static_cast<std::uint32_t>(std::strtoul(std::string(*line).c_str(), nullptr, 10));
    if (number > 0 && number <= snapshot.lines.count()) at = snapshot.lines.start(number - 1);
  }
  const outline::Lexeme* last = lexeme_in_front(snapshot, at);
  if (last == nullptr) return std::nullopt;
  return Fix{"Insert ')'", {last->at.end, last->at.end}, ")", true};
}

// The whole declaration, with the line it is on.
std::optional<Fix> unused(const Snapshot& snapshot, const Finding& finding) {
  if (!finding.unused) return std::nullopt;
  const auto& declarations = snapshot.outline().declarations;
  const auto found = std::ranges::find(declarations, finding.where, &Declaration::at);
  if (found == declarations.end() || !found->listed || found->kind == outline::DeclaredKind::parameter)
    return std::nullopt;
  Span whole = found->whole;
  const auto blank = [&](std::uint32_t at) { return snapshot.text[at] == ' ' || snapshot.text[at] == '\t'; };
  while (whole.end < snapshot.text.size() && blank(whole.end)) ++whole.end;
  if (whole.end < snapshot.text.size() && snapshot.text[whole.end] == '\r') ++whole.end;
  if (whole.end < snapshot.text.size() && snapshot.text[whole.end] == '\n') ++whole.end;
  return Fix{fmt::format("Remove {}", found->name), whole, ""};
}

std::vector<Fix> fixes_for(const Snapshot& snapshot, const Finding& finding) {
  std::vector<Fix> fixes = missing_marks(snapshot, finding);
  for (const auto make : {other_name, missing_default, missing_end, unused}) {
    if (auto fix = make(snapshot, finding)) fixes.push_back(std::move(*fix));
  }
  return fixes;
}

Json edit_of(const Service& service, const Snapshot& snapshot, Span where, const std::string& text) {
  const Json edit{{"range", service.range(snapshot, where)}, {"newText", text}};
  return {{"changes", {{snapshot.uri, Json::array({edit})}}}};
}

// An edge `a, b: label;` becomes two, and the label stays on the part that the cursor is not on.
std::optional<Json> split_edge(const Service& service, const Snapshot& snapshot, Span place) {
  if (snapshot.language != find_frontend("rg")) return std::nullopt;
  const Outline& outline = snapshot.outline();
  const std::uint32_t number = snapshot.lines.line_of(place.begin);
  const Span line{snapshot.lines.start(number), snapshot.lines.end(number, snapshot.text)};
  std::vector<std::string_view> words;
  std::uint32_t last = line.begin;
  for (std::size_t i = outline.lexemes_before(line.begin);
       i < outline.lexemes.size() && outline.lexemes[i].at.begin < line.end; ++i) {
    if (outline.lexemes[i].kind == outline::LexemeKind::comment) continue;
    words.push_back(outline.lexemes[i].at.of(snapshot.text));
    last = outline.lexemes[i].at.end;
  }
  if (words.size() < 5 || words[1] != "," || words[3] != ":" || words.back() != ";") return std::nullopt;
  std::string node;
  for (unsigned i = 1;
       node.empty() || std::ranges::any_of(outline.declarations, [&](const Declaration& d) { return d.name == node; });
       ++i)
    node = fmt::format("{}_{}", words[0], i);
  const std::size_t colon = snapshot.text.find(':', line.begin) + 1;
  const std::string label = snapshot.text.substr(colon, last - colon);
  const bool second = place.begin > colon;
  const std::string text = second ? fmt::format("{}, {}: ;\n{}, {}:{}", words[0], node, node, words[2], label)
                                  : fmt::format("{}, {}:{}\n{}, {}: ;", words[0], node, label, node, words[2]);
  const std::size_t begin = snapshot.text.find_first_not_of(" \t", line.begin);
  return Json{{"title", "Split the edge"},
              {"kind", "refactor.rewrite"},
              {"edit", edit_of(service, snapshot, {static_cast<std::uint32_t>(begin), last}, text)}};
}

}  // namespace

Json code_actions(Service& service, const ActionParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  const Span place = service.span(*snapshot, params.range);
  const auto& only = params.context.only;
  const auto wanted = [&](std::string_view kind) {
    return !only ||
           std::ranges::any_of(*only, [&](const std::string& k) { return kind == k || kind.starts_with(k + "."); });
  };
  Json list = Json::array();
  std::vector<Finding> found;
  if (wanted("quickfix")) found = Service::findings(*snapshot);
  for (const Finding& finding : found) {
    if (finding.where.end < place.begin || finding.where.begin > place.end) continue;
    for (const Fix& fix : fixes_for(*snapshot, finding)) {
      list.push_back({{"title", fix.title},
                      {"kind", "quickfix"},
                      {"isPreferred", fix.preferred},
                      {"diagnostics", service.diagnostics(*snapshot, {finding})},
                      {"edit", edit_of(service, *snapshot, fix.where, fix.text)}});
    }
  }
  if (wanted("refactor.rewrite")) {
    if (auto split = split_edge(service, *snapshot, place)) list.push_back(std::move(*split));
  }
  return list;
}

}  // namespace rgtrans::ide
