// Formatting: the language lays out the whole text, and the client gets the lines that differ.
#include <algorithm>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

namespace {

// Nothing when the language has no formatter, or the text has mistakes.
std::optional<std::string> formatted(const Snapshot& snapshot) {
  if (snapshot.language == nullptr || snapshot.language->format == nullptr) return std::nullopt;
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(snapshot.uri, snapshot.text);
  try {
    std::string result = snapshot.language->format(file, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return result;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

using LineSpan = std::span<const std::string_view>;

struct LineEdit {
  std::size_t first = 0, last = 0;  // lines of the old text
  std::string text;
};

std::size_t letters_of(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return c > ' ' || c < 0; }));
}

// Changed lines, in the smallest parts that have the same letters: formatting some of these lines must not change their
// neighbours.
void add_edits(std::vector<LineEdit>& edits, LineSpan before, LineSpan after, std::size_t first) {
  std::size_t a = 0, b = 0, begin_a = 0, begin_b = 0, letters_a = 0, letters_b = 0;
  const auto add = [&] {
    LineEdit edit{first + begin_a, first + a, {}};
    for (; begin_b < b; ++begin_b) edit.text += after[begin_b];
    begin_a = a;
    edits.push_back(std::move(edit));
  };
  while (a < before.size() || b < after.size()) {
    const bool next_a = a < before.size() && (letters_a <= letters_b || b == after.size());
    (next_a ? letters_a : letters_b) += letters_of(next_a ? before[a++] : after[b++]);
    if (letters_a == letters_b && a > begin_a && b > begin_b) add();
  }
  if (begin_a < a || begin_b < b) add();
}

// Keeps lines that are equal in both texts if a look a few lines ahead finds them.
std::vector<LineEdit> line_edits(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after) {
  constexpr std::size_t kAhead = 40;
  std::vector<LineEdit> edits;
  std::size_t a = 0, b = 0;
  while (a < before.size() || b < after.size()) {
    if (a < before.size() && b < after.size() && before[a] == after[b]) {
      ++a, ++b;
      continue;
    }
    std::size_t next_a = before.size(), next_b = after.size();
    for (std::size_t sum = 1; sum < kAhead && next_a == before.size() && next_b == after.size(); ++sum) {
      for (std::size_t i = 0; i <= sum; ++i) {
        const std::size_t j = sum - i;
        if (a + i >= before.size() || b + j >= after.size() || before[a + i] != after[b + j]) continue;
        // An empty line is equal to any other, which means little.
        if (before[a + i].size() < 3) continue;
        next_a = a + i, next_b = b + j;
        break;
      }
    }
    add_edits(edits, LineSpan(before).subspan(a, next_a - a), LineSpan(after).subspan(b, next_b - b), a);
    a = next_a, b = next_b;
  }
  return edits;
}

Json edits_between(const Service& service, const Snapshot& snapshot, const std::string& result, outline::Span part) {
  Json list = Json::array();
  const std::vector<std::string_view> before = lines_of(snapshot.text), after = lines_of(result);
  const auto start = [&](std::size_t line) {
    return static_cast<std::uint32_t>(line < before.size() ? before[line].data() - snapshot.text.data()
                                                           : static_cast<std::ptrdiff_t>(snapshot.text.size()));
  };
  for (const LineEdit& edit : line_edits(before, after)) {
    const outline::Span span{start(edit.first), start(edit.last)};
    const bool before = span.end <= part.begin && span.begin < part.begin;
    if (span.begin > part.end || before || (part != outline::kEverywhere && span.end > part.end + 1)) continue;
    list.push_back({{"range", service.range(snapshot, span)}, {"newText", edit.text}});
  }
  return list;
}

}  // namespace

namespace {

Json format_part(Service& service, const DocumentParams& params,
                 const std::function<outline::Span(const Snapshot&)>& part) {
  const SnapshotPointer snapshot = service.document(params.document);
  const auto result = formatted(*snapshot);
  if (!result) return nullptr;
  return edits_between(service, *snapshot, *result, part(*snapshot));
}

}  // namespace

Json format_document(Service& service, const DocumentParams& params) {
  return format_part(service, params, [](const Snapshot&) { return outline::kEverywhere; });
}

// Lays out the whole text and takes the changes of these lines. A part of a line counts as the whole line.
Json format_range(Service& service, const RangeParams& params) {
  return format_part(service, params, [&](const Snapshot& snapshot) {
    const outline::Span part = service.span(snapshot, params.range);
    const std::uint32_t first = snapshot.lines.line_of(part.begin);
    std::uint32_t last = snapshot.lines.line_of(part.end);
    // Whole lines are marked up to the start of the next one.
    if (last > first && part.end == snapshot.lines.start(last)) --last;
    return outline::Span{snapshot.lines.start(first), snapshot.lines.end(last, snapshot.text)};
  });
}

// Behind a line or a block that is complete.
Json format_on_type(Service& service, const TypingParams& params) {
  return format_part(service, params, [&](const Snapshot& snapshot) {
    const std::uint32_t at = service.offset(snapshot, params.position);
    const std::uint32_t line = snapshot.lines.line_of(at);
    // The line on which one is now is not to be touched.
    if (params.letter != "\n") return outline::Span{snapshot.lines.start(line), at};
    const std::uint32_t above = line == 0 ? 0 : line - 1;
    return outline::Span{snapshot.lines.start(above), snapshot.lines.end(above, snapshot.text)};
  });
}

}  // namespace rgtrans::ide
