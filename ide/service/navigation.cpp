// From one place of a text to related places.
#include <algorithm>
#include <filesystem>

#include "ide/service/features.hpp"
#include "ide/service/naming.hpp"

namespace rgtrans::ide {

using outline::LexemeKind;
using outline::Occurrence;
using outline::Use;

namespace {

Json location(const Service& service, const Snapshot& snapshot, outline::Span span) {
  return {{"uri", snapshot.uri}, {"range", service.range(snapshot, span)}};
}

const LanguageWord* word_at(const Snapshot& snapshot, outline::Span at) {
  if (snapshot.language == nullptr || snapshot.language->editing == nullptr) return nullptr;
  const auto words = snapshot.language->editing->words;
  const auto found = std::ranges::find(words, at.of(snapshot.text), &LanguageWord::text);
  return found == words.end() ? nullptr : &*found;
}

Json hover_of(const Service& service, const Snapshot& snapshot, const std::string& text, outline::Span span) {
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", service.range(snapshot, span)}};
}

}  // namespace

Json definition(Service& service, const PlaceParams& params) {
  const Named named = name_at(service, params);
  if (!named || named.declaration().built_in()) return nullptr;
  return location(service, *named.snapshot, named.declaration().at);
}

Json references(Service& service, const ReferenceParams& params) {
  Json list = Json::array();
  const Named named = name_at(service, params);
  if (!named) return list;
  for (const Occurrence& occurrence : occurrences_of(named.outline(), named.occurrence->name)) {
    if (occurrence.use == Use::declares && !params.context.with_declaration) continue;
    list.push_back(location(service, *named.snapshot, occurrence.at));
  }
  return list;
}

Json highlights(Service& service, const PlaceParams& params) {
  Json list = Json::array();
  const Named named = name_at(service, params);
  if (!named) return list;
  for (const Occurrence& occurrence : occurrences_of(named.outline(), named.occurrence->name)) {
    const bool writes = occurrence.use == Use::writes || occurrence.use == Use::declares;
    list.push_back({{"range", service.range(*named.snapshot, occurrence.at)}, {"kind", writes ? 3 : 2}});
  }
  return list;
}

Json hover(Service& service, const PlaceParams& params) {
  const Named named = name_at(service, params);
  const Snapshot& snapshot = *named.snapshot;
  if (named) {
    const LanguageWord* word = named.declaration().built_in() ? word_at(snapshot, named.occurrence->at) : nullptr;
    return hover_of(service, snapshot,
                    word != nullptr ? described(snapshot, *word) : described(snapshot, named.declaration()),
                    named.occurrence->at);
  }
  const std::uint32_t at = service.offset(snapshot, params.position);
  for (const outline::Span keyword : snapshot.outline().keywords) {
    if (!keyword.touches(at)) continue;
    if (const LanguageWord* word = word_at(snapshot, keyword))
      return hover_of(service, snapshot, described(snapshot, *word), keyword);
  }
  return nullptr;
}

// Addresses of pages in comments, and names of files that are there.
Json document_links(Service& service, const DocumentParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  Json list = Json::array();
  const auto folder = std::filesystem::path(snapshot->path).parent_path();
  for (const outline::Lexeme& lexeme : snapshot->outline().lexemes) {
    if (lexeme.kind != LexemeKind::comment && lexeme.kind != LexemeKind::string) continue;
    const std::string_view text = lexeme.at.of(snapshot->text);
    for (std::size_t at = 0; at < text.size();) {
      at = std::min(text.find_first_not_of(" \t\"()<>,;", at), text.size());
      const std::size_t end = std::min(text.find_first_of(" \t\"()<>,;", at), text.size());
      std::string_view word = text.substr(at, end - at);
      const outline::Span span{lexeme.at.begin + static_cast<std::uint32_t>(at),
                               lexeme.at.begin + static_cast<std::uint32_t>(end)};
      at = end;
      if (word.starts_with("http://") || word.starts_with("https://")) {
        list.push_back({{"range", service.range(*snapshot, span)}, {"target", word}});
        continue;
      }
      if (word.find('.') == std::string_view::npos || word.size() > 200 || snapshot->path.empty()) continue;
      const bool game = std::ranges::any_of(frontends(), [&](const Frontend* language) {
        return std::ranges::any_of(language->extensions, [&](std::string_view e) { return word.ends_with(e); });
      });
      // In the folder of the text, or relative to a folder above.
      for (auto base = folder; game; base = base.parent_path()) {
        std::error_code problem;
        if (std::filesystem::is_regular_file(base / word, problem)) {
          list.push_back({{"range", service.range(*snapshot, span)},
                          {"target", uri_of((base / word).lexically_normal().string())}});
          break;
        }
        if (base == base.parent_path()) break;
      }
    }
  }
  return list;
}

}  // namespace rgtrans::ide
