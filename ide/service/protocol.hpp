// The requests of the Language Server Protocol: of each one the fields that the service reads. It ignores the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

struct DocumentName {
  static constexpr std::string_view kName = "DocumentName";
  std::string uri;
  std::optional<std::int64_t> version;
  static void fields(auto& visit) {
    visit("uri", &DocumentName::uri);
    visit("version", &DocumentName::version);
  }
};
struct DocumentParams {
  static constexpr std::string_view kName = "DocumentParams";
  DocumentName document;
  static void fields(auto& visit) { visit("textDocument", &DocumentParams::document); }
};

// It may be beyond all texts, but it has to be two whole numbers.
struct EditorPlace {
  static constexpr std::string_view kName = "EditorPlace";
  std::int64_t line = 0, character = 0;
  static void fields(auto& visit) {
    visit("line", &EditorPlace::line);
    visit("character", &EditorPlace::character);
  }
};
struct EditorRange {
  static constexpr std::string_view kName = "EditorRange";
  EditorPlace start, end;
  static void fields(auto& visit) {
    visit("start", &EditorRange::start);
    visit("end", &EditorRange::end);
  }
};

struct PlaceParams : DocumentParams {
  static constexpr std::string_view kName = "PlaceParams";
  EditorPlace position;
  static void fields(auto& visit) {
    DocumentParams::fields(visit);
    visit("position", &PlaceParams::position);
  }
};
struct PlacesParams : DocumentParams {
  static constexpr std::string_view kName = "PlacesParams";
  std::vector<EditorPlace> positions;
  static void fields(auto& visit) {
    DocumentParams::fields(visit);
    visit("positions", &PlacesParams::positions);
  }
};
struct RangeParams : DocumentParams {
  static constexpr std::string_view kName = "RangeParams";
  EditorRange range;
  static void fields(auto& visit) {
    DocumentParams::fields(visit);
    visit("range", &RangeParams::range);
  }
};
struct TypingParams : PlaceParams {
  static constexpr std::string_view kName = "TypingParams";
  std::string letter;
  static void fields(auto& visit) {
    PlaceParams::fields(visit);
    visit("ch", &TypingParams::letter);
  }
};

struct ReferenceContext {
  static constexpr std::string_view kName = "ReferenceContext";
  bool with_declaration = true;
  static void fields(auto& visit) { visit.maybe("includeDeclaration", &ReferenceContext::with_declaration); }
};
struct ReferenceParams : PlaceParams {
  static constexpr std::string_view kName = "ReferenceParams";
  ReferenceContext context;
  static void fields(auto& visit) {
    PlaceParams::fields(visit);
    visit.maybe("context", &ReferenceParams::context);
  }
};
struct RenameParams : PlaceParams {
  static constexpr std::string_view kName = "RenameParams";
  std::string name;
  static void fields(auto& visit) {
    PlaceParams::fields(visit);
    visit("newName", &RenameParams::name);
  }
};

struct ActionContext {
  static constexpr std::string_view kName = "ActionContext";
  std::optional<std::vector<std::string>> only;
  static void fields(auto& visit) { visit("only", &ActionContext::only); }
};
struct ActionParams : RangeParams {
  static constexpr std::string_view kName = "ActionParams";
  ActionContext context;
  static void fields(auto& visit) {
    RangeParams::fields(visit);
    visit.maybe("context", &ActionParams::context);
  }
};

// The answer that the client has already.
struct AgainParams : DocumentParams {
  static constexpr std::string_view kName = "AgainParams";
  std::string previous;
  static void fields(auto& visit) {
    DocumentParams::fields(visit);
    visit.maybe("previousResultId", &AgainParams::previous);
  }
};

struct QueryParams {
  static constexpr std::string_view kName = "QueryParams";
  std::string query;
  static void fields(auto& visit) { visit("query", &QueryParams::query); }
};
struct CalledItem {
  static constexpr std::string_view kName = "CalledItem";
  std::string uri, name;
  std::uint32_t data = 0;
  static void fields(auto& visit) {
    visit("uri", &CalledItem::uri);
    visit("name", &CalledItem::name);
    visit("data", &CalledItem::data);
  }
};
struct CallParams {
  static constexpr std::string_view kName = "CallParams";
  CalledItem item;
  static void fields(auto& visit) { visit("item", &CallParams::item); }
};
// A proposal that is to be described; the rest of it goes back as it came.
struct ProposedItem {
  static constexpr std::string_view kName = "ProposedItem";
  struct Data {
    static constexpr std::string_view kName = "ProposedItemData";
    std::string uri;
    std::optional<std::size_t> word, name;
    static void fields(auto& visit) {
      visit("uri", &Data::uri);
      visit("word", &Data::word);
      visit("name", &Data::name);
    }
  };
  std::string label;
  Data data;
  static void fields(auto& visit) {
    visit("label", &ProposedItem::label);
    visit("data", &ProposedItem::data);
  }
};

struct CommandParams {
  static constexpr std::string_view kName = "CommandParams";
  std::string command;
  std::vector<Json> arguments;
  Json progress;  // the token under which the client wants to hear of it; null: it does not
  static void fields(auto& visit) {
    visit("command", &CommandParams::command);
    visit.maybe("arguments", &CommandParams::arguments);
    visit.maybe("workDoneToken", &CommandParams::progress);
  }
};
// The fields of a command besides those of its verb; and the data of a lens.
struct CommandTarget {
  static constexpr std::string_view kName = "CommandTarget";
  std::string uri;
  bool show = false;
  static void fields(auto& visit) {
    visit("uri", &CommandTarget::uri);
    visit.maybe("show", &CommandTarget::show);
  }
};
struct LensParams {
  static constexpr std::string_view kName = "LensParams";
  CommandTarget data;
  Json range;
  static void fields(auto& visit) {
    visit("data", &LensParams::data);
    visit.maybe("range", &LensParams::range);
  }
};

// --- Notifications. ---

struct OpenedText : DocumentName {
  static constexpr std::string_view kName = "OpenedText";
  std::string language, text;
  static void fields(auto& visit) {
    DocumentName::fields(visit);
    visit.maybe("languageId", &OpenedText::language);
    visit("text", &OpenedText::text);
  }
};
struct OpenParams {
  static constexpr std::string_view kName = "OpenParams";
  OpenedText document;
  static void fields(auto& visit) { visit("textDocument", &OpenParams::document); }
};
struct TextChange {
  static constexpr std::string_view kName = "TextChange";
  std::optional<EditorRange> range;  // without one it is the whole text
  std::string text;
  static void fields(auto& visit) {
    visit("range", &TextChange::range);
    visit("text", &TextChange::text);
  }
};
struct ChangeParams : DocumentParams {
  static constexpr std::string_view kName = "ChangeParams";
  std::vector<TextChange> changes;
  static void fields(auto& visit) {
    DocumentParams::fields(visit);
    visit("contentChanges", &ChangeParams::changes);
  }
};

}  // namespace rgtrans::ide
