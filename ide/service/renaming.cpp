// A new name for everything that is meant by an old one, unless it is taken where the old one is used.
#include <fmt/format.h>

#include <algorithm>

#include "ide/service/features.hpp"
#include "ide/service/naming.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::DeclaredKind;
using outline::Occurrence;

namespace {

bool overlap(outline::Span a, outline::Span b) { return a.begin < b.end && b.begin < a.end; }

// A name in quotes keeps them, whether or not the new one comes with some.
bool in_quotes(std::string_view written) {
  return written.size() > 1 && written.starts_with('"') && written.ends_with('"');
}
std::string_view without_quotes(std::string_view name) {
  return in_quotes(name) ? name.substr(1, name.size() - 2) : name;
}
outline::Span without_quotes(const Snapshot& snapshot, outline::Span span) {
  return in_quotes(span.of(snapshot.text)) ? outline::Span{span.begin + 1, span.end - 1} : span;
}

void check_name(const Snapshot& snapshot, const std::string& name) {
  if (snapshot.language == nullptr || snapshot.language->editing == nullptr ||
      snapshot.language->editing->is_name(name))
    return;
  throw RequestError{kRequestFailed, fmt::format("'{}' is not a name in {}", name, snapshot.language->name)};
}

// Nodes have names of their own.
bool same_space(DeclaredKind a, DeclaredKind b) { return (a == DeclaredKind::node) == (b == DeclaredKind::node); }

void check_collision(const Service& service, const Named& named, const std::string& name) {
  const Declaration& renamed = named.declaration();
  const auto& declarations = named.outline().declarations;
  const auto taken = std::ranges::find_if(declarations, [&](const Declaration& other) {
    return other.name == name && &other != &renamed && same_space(other.kind, renamed.kind) &&
           overlap(other.scope, renamed.scope);
  });
  if (taken == declarations.end()) return;
  const auto line =
      taken->built_in()
          ? std::string("of the language")
          : fmt::format("declared in line {}",
                        named.snapshot->lines.place(taken->at.begin, named.snapshot->text, service.encoding).line + 1);
  throw RequestError{kRequestFailed,
                     fmt::format("{} is already the name of a {}, {}", name, kind_name(taken->kind), line)};
}

std::size_t count_errors(const Snapshot& snapshot) {
  const std::vector<Finding> found = snapshot.check();
  return static_cast<std::size_t>(std::ranges::count(found, Finding::Grade::error, &Finding::grade));
}

// A name can be meant where it is not written, as by `a~b` in RBG. Then the new text has mistakes that the old one did
// not have.
void check_meaning(const Snapshot& snapshot, const std::vector<Occurrence>& occurrences, const std::string& name) {
  std::string text = snapshot.text;
  for (auto it = occurrences.rbegin(); it != occurrences.rend(); ++it)
    text.replace(it->at.begin, it->at.end - it->at.begin, name);
  const Snapshot renamed(snapshot.uri, snapshot.language_id, snapshot.version, std::move(text));
  if (count_errors(renamed) <= count_errors(snapshot)) return;
  const std::vector<Finding> found = renamed.check();
  const auto first = std::ranges::find(found, Finding::Grade::error, &Finding::grade);
  throw RequestError{kRequestFailed, fmt::format("with {} the text would have a mistake: {}", name, first->message)};
}

}  // namespace

Json prepare_rename(Service& service, const PlaceParams& params) {
  const Named named = name_at(service, params);
  if (!named || named.declaration().built_in()) return nullptr;
  return {{"range", service.range(*named.snapshot, without_quotes(*named.snapshot, named.occurrence->at))},
          {"placeholder", without_quotes(named.declaration().name)}};
}

Rest rename(Service& service, const RenameParams& params) {
  const Named named = name_at(service, params);
  std::string name = params.name;
  if (!named) throw RequestError{kRequestFailed, "there is no name here"};
  const std::string& old_name = named.declaration().name;
  if (named.declaration().built_in())
    throw RequestError{kRequestFailed, fmt::format("{} belongs to the language", old_name)};
  if (in_quotes(named.occurrence->at.of(named.snapshot->text))) name = without_quotes(name);
  const std::string full = in_quotes(old_name) ? '"' + name + '"' : name;
  check_name(*named.snapshot, full);
  check_collision(service, named, full);
  return [&service, named, name](const Stop&) -> Json {
    Json edits = Json::array();
    std::vector<Occurrence> occurrences = occurrences_of(named.outline(), named.occurrence->name);
    for (Occurrence& occurrence : occurrences) occurrence.at = without_quotes(*named.snapshot, occurrence.at);
    check_meaning(*named.snapshot, occurrences, name);
    for (const Occurrence& occurrence : occurrences)
      edits.push_back({{"range", service.range(*named.snapshot, occurrence.at)}, {"newText", name}});
    return {{"changes", {{named.snapshot->uri, std::move(edits)}}}};
  };
}

}  // namespace rgtrans::ide
