#include "core/support/outline.hpp"

#include <algorithm>

#include "core/support/letters.hpp"

namespace rgtrans::outline {

namespace {

// Splits the text into lexemes. Every byte that is not white space belongs to one.
class LexemeReader {
 public:
  LexemeReader(std::string_view text, const Lexicon& lexicon) : text_(text), lexicon_(lexicon) {
    for (unsigned c = 0; c < 256; ++c) {
      const auto letter = static_cast<char>(c);
      name_[c] = is_word(letter) || c >= 0x80 || lexicon.name_characters.find(letter) != std::string_view::npos;
    }
  }

  std::vector<Lexeme> run() {
    std::vector<Lexeme> lexemes;
    std::size_t at = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;
    while (true) {
      while (at < text_.size() && static_cast<unsigned char>(text_[at]) <= ' ') ++at;
      if (at == text_.size()) return lexemes;
      const auto [end, kind] = next(at);
      lexemes.push_back({{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}, kind});
      at = end;
    }
  }

 private:
  [[nodiscard]] std::size_t end_of_line(std::size_t at) const {
    return std::min(text_.find_first_of("\r\n", at), text_.size());
  }
  [[nodiscard]] bool comment_at(std::size_t at) const {
    const auto begins = [&](std::string_view mark) { return !mark.empty() && text_.substr(at).starts_with(mark); };
    return begins(lexicon_.line_comment) || begins(lexicon_.other_line_comment);
  }
  [[nodiscard]] std::size_t end_of_string(std::size_t at) const {
    const std::size_t stop = end_of_line(at);
    for (std::size_t i = at + 1; i < stop; ++i) {
      if (text_[i] == '"') return i + 1;
      if (text_[i] == '\\') ++i;
    }
    return stop;
  }

  [[nodiscard]] std::pair<std::size_t, LexemeKind> next(std::size_t at) const {
    if (comment_at(at)) return {end_of_line(at), LexemeKind::comment};
    if (lexicon_.strings && text_[at] == '"') return {end_of_string(at), LexemeKind::string};
    std::size_t end = at;
    bool number = true;
    // A comment may begin in the middle of characters that names can contain.
    while (end < text_.size() && name_[static_cast<unsigned char>(text_[end])] && !(end > at && comment_at(end))) {
      number = number && is_digit(text_[end]);
      ++end;
    }
    if (end > at) return {end, number ? LexemeKind::number : LexemeKind::name};
    for (std::string_view mark : lexicon_.marks) {
      if (text_.substr(at).starts_with(mark)) return {at + mark.size(), LexemeKind::mark};
    }
    return {at + 1, LexemeKind::mark};
  }

  std::string_view text_;
  const Lexicon& lexicon_;
  bool name_[256] = {};
};

bool opens(std::string_view mark) { return mark == "(" || mark == "[" || mark == "{"; }
bool closes(std::string_view mark) { return mark == ")" || mark == "]" || mark == "}"; }

}  // namespace

std::vector<Lexeme> read_lexemes(std::string_view text, const Lexicon& lexicon) {
  return LexemeReader(text, lexicon).run();
}

const Occurrence* Outline::occurrence_at(std::size_t at) const {
  const auto after = std::ranges::upper_bound(occurrences, at, {}, [](const Occurrence& o) { return o.at.begin; });
  const Occurrence* found = nullptr;
  for (auto it = after; it != occurrences.begin() && !found;) {
    --it;
    if (it->at.touches(at)) found = &*it;
    if (it->at.end + 1 < at) break;
  }
  return found;
}

std::size_t Outline::lexemes_before(std::size_t at) const {
  return static_cast<std::size_t>(
      std::ranges::lower_bound(lexemes, at, {}, [](const Lexeme& l) { return l.at.begin; }) - lexemes.begin());
}

Outliner::Outliner(std::string_view text, const Lexicon& lexicon) : text_(text), comment_mark_(lexicon.line_comment) {
  outline_.lexemes = read_lexemes(text, lexicon);
  for (std::size_t i = 0; i < outline_.lexemes.size(); ++i) {
    if (outline_.lexemes[i].kind != LexemeKind::comment) words_.push_back(static_cast<std::uint32_t>(i));
  }
  partners_.assign(words_.size(), kNone);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    const std::string_view mark = this->text(i);
    if (opens(mark)) open.push_back(i);
    if (!closes(mark) || open.empty()) continue;
    partners_[open.back()] = i;
    open.pop_back();
  }
}

bool Outliner::first_in_line(std::size_t word) const {
  std::size_t at = this->at(word).begin;
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r';
}

bool Outliner::at_margin(std::size_t word) const {
  const std::size_t at = this->at(word).begin;
  return at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r';
}

Span Outliner::span(std::size_t first, std::size_t end) const {
  if (first >= size()) return {};
  return {at(first).begin, end > first ? at(std::min(end, size()) - 1).end : at(first).begin};
}

std::string Outliner::line(std::size_t first, std::size_t end) const {
  constexpr std::size_t kMost = 300;
  std::string result;
  for (std::size_t i = first; i < end && i < size(); ++i) {
    if (i > first && at(i - 1).end != at(i).begin) result += ' ';
    result += text(i);
    if (result.size() > kMost) return result + " …";
  }
  return result;
}

Declaration& Outliner::declare(DeclaredKind kind, std::size_t word, Span whole, NameId parent) {
  Declaration& declaration = outline_.declarations.emplace_back();
  declaration.name = text(word);
  declaration.kind = kind;
  declaration.at = at(word);
  declaration.whole = whole;
  declaration.parent = parent;
  use(word, last(), Use::declares);
  return declaration;
}

Declaration& Outliner::built_in(DeclaredKind kind, std::string_view name, std::string_view signature) {
  Declaration& declaration = outline_.declarations.emplace_back();
  declaration.name = name;
  declaration.kind = kind;
  declaration.signature = signature;
  declaration.listed = false;
  return declaration;
}

void Outliner::publish(NameId name, unsigned space) {
  published_[space].try_emplace(outline_.declarations[name].name, name);
}

NameId Outliner::find(std::string_view name, unsigned space) const {
  const auto found = published_[space].find(std::string(name));
  return found == published_[space].end() ? kNone : found->second;
}

NameId Outliner::find_local(std::string_view name) const {
  for (auto it = locals_.rbegin(); it != locals_.rend(); ++it) {
    if (it->first == name) return it->second;
  }
  return kNone;
}

// The comments directly above a declaration are its documentation.
void Outliner::add_documentation() {
  const auto& lexemes = outline_.lexemes;
  const auto lines_between = [&](Span a, Span b) {
    const std::string_view between = text_.substr(a.end, b.begin - a.end);
    const auto feeds = std::ranges::count(between, '\n');
    return feeds > 0 ? feeds : std::ranges::count(between, '\r');
  };
  for (Declaration& declaration : outline_.declarations) {
    if (declaration.built_in() || !declaration.listed) continue;
    std::size_t i = outline_.lexemes_before(declaration.whole.begin);
    std::string text;
    Span below = declaration.whole;
    while (i > 0 && lexemes[i - 1].kind == LexemeKind::comment && lines_between(lexemes[i - 1].at, below) == 1) {
      below = lexemes[--i].at;
      // A comment that follows other text on its line documents that text, not the declaration below.
      if (i > 0 && lines_between(lexemes[i - 1].at, below) == 0) break;
      std::string_view line = below.of(text_);
      line.remove_prefix(std::min(line.find_first_not_of(comment_mark_.substr(0, 1)), line.size()));
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      text = std::string(line) + (text.empty() ? "" : "\n") + text;
    }
    declaration.documentation = std::move(text);
  }
}

void Outliner::add_folds() {
  std::vector<std::uint32_t> open;
  const auto several_lines = [&](Span span) { return span.of(text_).find('\n') != std::string_view::npos; };
  for (std::size_t i = 0; i < outline_.lexemes.size(); ++i) {
    const Lexeme& lexeme = outline_.lexemes[i];
    const std::string_view text = lexeme.at.of(text_);
    if (lexeme.kind == LexemeKind::comment) {
      std::size_t last = i;
      while (last + 1 < outline_.lexemes.size() && outline_.lexemes[last + 1].kind == LexemeKind::comment) ++last;
      if (last > i) outline_.folds.push_back({lexeme.at.begin, outline_.lexemes[last].at.end});
      i = last;
    } else if (opens(text)) {
      open.push_back(lexeme.at.begin);
    } else if (closes(text) && !open.empty()) {
      const Span span{open.back(), lexeme.at.end};
      open.pop_back();
      if (several_lines(span)) outline_.folds.push_back(span);
    }
  }
  // Folds without brackets: whole declarations, and rules, which are the scopes of variables.
  for (const Declaration& declaration : outline_.declarations) {
    const Span span = declaration.kind == DeclaredKind::parameter ? declaration.scope : declaration.whole;
    if (span != kEverywhere && several_lines(span)) outline_.folds.push_back(span);
  }
  std::ranges::sort(outline_.folds, {}, [](Span span) { return std::pair(span.begin, ~span.end); });
  outline_.folds.erase(std::unique(outline_.folds.begin(), outline_.folds.end()), outline_.folds.end());
}

Outline Outliner::finish() {
  const auto place = [](const Occurrence& o) { return o.at.begin; };
  std::ranges::stable_sort(outline_.occurrences, {}, place);
  const auto same = [&](const Occurrence& a, const Occurrence& b) { return place(a) == place(b); };
  auto& all = outline_.occurrences;
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::ranges::sort(outline_.keywords, {}, [](Span span) { return span.begin; });
  std::ranges::sort(outline_.hints, {}, &InlineHint::at);
  add_documentation();
  add_folds();
  return std::move(outline_);
}

}  // namespace rgtrans::outline
