// Questions about the names of an outline that several requests ask.
#pragma once

#include <string>
#include <vector>

#include "ide/service/service.hpp"

namespace rgtrans::ide {

// A name at a place of an open document.
struct Named {
  SnapshotPointer snapshot;
  const outline::Occurrence* occurrence = nullptr;  // null where no name is

  [[nodiscard]] const outline::Outline& outline() const { return snapshot->outline(); }
  [[nodiscard]] const outline::Declaration& declaration() const { return outline().declarations[occurrence->name]; }
  explicit operator bool() const { return occurrence != nullptr; }
};
Named name_at(const Service& service, const PlaceParams& params);

std::vector<outline::Occurrence> occurrences_of(const outline::Outline& outline, outline::NameId name);

// "domain", "graph", … for people.
std::string_view kind_name(outline::DeclaredKind kind);
// Of the protocol.
int symbol_kind(outline::DeclaredKind kind);
int completion_kind(outline::DeclaredKind kind);

// The beginning of the word before the cursor, and its place.
struct Prefix {
  std::uint32_t begin = 0;
  std::string_view text;
};
Prefix prefix_at(const Snapshot& snapshot, std::uint32_t at);

// In Markdown: the declaration, its comment, and its type and value in the latest game of the text.
std::string described(const Snapshot& snapshot, const outline::Declaration& declaration);
std::string described(const Snapshot& snapshot, const LanguageWord& word);

}  // namespace rgtrans::ide
