// The shape of a text: its foldable parts, the parts around a place, and hints between its words.
#include <fmt/format.h>

#include <algorithm>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::LexemeKind;
using outline::Outline;
using outline::Span;

Json folding_ranges(Service& service, const DocumentParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  const Outline& outline = snapshot->outline();
  Json list = Json::array();
  std::uint32_t last = UINT32_MAX;
  for (const Span fold : outline.folds) {
    const std::size_t lexeme = outline.lexemes_before(fold.begin + 1);
    const bool comment = lexeme > 0 && outline.lexemes[lexeme - 1].kind == LexemeKind::comment;
    const std::uint32_t first = snapshot->lines.line_of(fold.begin);
    std::uint32_t end = snapshot->lines.line_of(fold.end == 0 ? 0 : fold.end - 1);
    // A line that begins with a closing bracket stays visible.
    const std::size_t begin = snapshot->text.find_first_not_of(" \t", snapshot->lines.start(end));
    if (!comment && end > first && begin < fold.end &&
        std::string_view(")]}").find(snapshot->text[begin]) != std::string_view::npos)
      --end;
    if (end <= first || first == last) continue;
    last = first;
    Json range{{"startLine", first}, {"endLine", end}};
    if (comment) range["kind"] = "comment";
    list.push_back(std::move(range));
  }
  return list;
}

namespace {

// All brackets, declarations and words around a place, the smallest first.
std::vector<Span> around(const Snapshot& snapshot, std::uint32_t at) {
  const Outline& outline = snapshot.outline();
  std::vector<Span> spans;
  std::vector<std::uint32_t> open;
  for (const outline::Lexeme& lexeme : outline.lexemes) {
    const std::string_view text = lexeme.at.of(snapshot.text);
    if (lexeme.at.touches(at) && lexeme.kind != LexemeKind::mark) spans.push_back(lexeme.at);
    if (lexeme.kind != LexemeKind::mark) continue;
    if (text == "(" || text == "[" || text == "{") open.push_back(lexeme.at.begin);
    if ((text == ")" || text == "]" || text == "}") && !open.empty()) {
      const Span outer{open.back(), lexeme.at.end}, inner{outer.begin + 1, outer.end - 1};
      open.pop_back();
      if (inner.touches(at) && !inner.empty()) spans.push_back(inner);
      if (outer.touches(at)) spans.push_back(outer);
    }
  }
  const std::uint32_t line = snapshot.lines.line_of(at);
  spans.push_back({snapshot.lines.start(line), snapshot.lines.end(line, snapshot.text)});
  for (const Declaration& declaration : outline.declarations) {
    if (!declaration.built_in() && declaration.whole.touches(at)) spans.push_back(declaration.whole);
  }
  spans.push_back({0, static_cast<std::uint32_t>(snapshot.text.size())});
  std::ranges::stable_sort(spans, {}, [](Span span) { return span.end - span.begin; });
  return spans;
}

}  // namespace

Json selection_ranges(Service& service, const PlacesParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  Json list = Json::array();
  for (const EditorPlace& position : params.positions) {
    const std::vector<Span> spans = around(*snapshot, service.offset(*snapshot, position));
    // Each one has to lie within the next one.
    std::vector<Span> chain;
    for (const Span span : spans) {
      const bool wider =
          chain.empty() || (span.begin <= chain.back().begin && span.end >= chain.back().end && span != chain.back());
      if (wider) chain.push_back(span);
    }
    Json range;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      Json inner{{"range", service.range(*snapshot, *it)}};
      if (!range.is_null()) inner["parent"] = std::move(range);
      range = std::move(inner);
    }
    list.push_back(std::move(range));
  }
  return list;
}

Json inlay_hints(Service& service, const RangeParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  const Span part = service.span(*snapshot, params.range);
  constexpr int kType = 1;
  Json list = Json::array();
  for (const outline::InlineHint& hint : snapshot->outline().hints) {
    if (!part.touches(hint.at)) continue;
    list.push_back({{"position", service.position(*snapshot, hint.at)}, {"label", hint.text}, {"kind", kType}});
  }
  const auto game = snapshot->game();
  if (!game) return list;
  for (const Declaration& declaration : snapshot->outline().declarations) {
    if (declaration.kind != outline::DeclaredKind::type || declaration.built_in() || !part.touches(declaration.at.end))
      continue;
    const SymbolId symbol = game->symbols.find(declaration.name);
    const ir::TypeDef* type = symbol.valid() ? game->find_type(symbol) : nullptr;
    if (type == nullptr || !game->is_set(type->type)) continue;
    const std::size_t count = game->members(type->type).size();
    list.push_back({{"position", service.position(*snapshot, declaration.at.end)},
                    {"label", fmt::format(" {} value{}", count, count == 1 ? "" : "s")}});
  }
  return list;
}

}  // namespace rgtrans::ide
