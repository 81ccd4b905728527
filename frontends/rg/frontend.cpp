// The rows of RG in the table of front ends.
#include <fmt/format.h>

#include "frontends/rg/editing.hpp"
#include "frontends/rg/limits.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

namespace {

constexpr std::string_view kExtensions[] = {".rg"};
constexpr std::string_view kJsonExtensions[] = {".json"};

ir::Game load_with(ast::Program (*parse_text)(const Sources::File&, Diagnostics&), const Sources::File& file,
                   Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const ast::Program program = parse_text(file, diagnostics);
  // After syntax errors, skip lowering: its errors would only be consequences.
  if (diagnostics.error_count() != errors) return ir::Game(diagnostics.sources());
  return lower(program, diagnostics);
}

ast::Program parse_text(const Sources::File& file, Diagnostics& diagnostics) { return parse(file, diagnostics); }

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions&) {
  return load_with(parse_text, file, diagnostics);
}

ir::Game load_json(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions&) {
  return load_with(parse_json, file, diagnostics);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

int looks_like(std::string_view text) {
  text = text.substr(0, 1U << 16U);
  const bool edges = contains(text, "begin,") || contains(text, "begin ,") || contains(text, ", end:");
  const bool definitions = contains(text, "type ") && contains(text, "Player") && contains(text, ";");
  return (edges ? 50 : 0) + (definitions ? 40 : 0);
}

int json_looks_like(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == std::string_view::npos || text[start] != '{') return 0;
  return contains(text, "\"GameDeclaration\"") && contains(text, "\"edges\"") ? 100 : 0;
}

ir::Game parse_or_throw(ast::Program (*parse_text)(const Sources::File&, Diagnostics&), std::string_view text,
                        std::string name) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(std::move(name), std::string(text));
  ir::Game game = load_with(parse_text, file, diagnostics);
  diagnostics.throw_if_errors();
  return game;
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kFrontend{.name = "rg",
                                      .title = "Regular Games, low-level text form",
                                      .extensions = kExtensions,
                                      .looks_like = looks_like,
                                      .load = load,
                                      .format = format,
                                      .is_rg = true,
                                      .limits = limits::all,
                                      .editing = &kEditing};
  return kFrontend;
}

const Frontend& json_frontend() {
  static constexpr Frontend kFrontend{.name = "json",
                                      .title = "Regular Games, JSON form",
                                      .extensions = kJsonExtensions,
                                      .looks_like = json_looks_like,
                                      .load = load_json,
                                      .is_rg = true};
  return kFrontend;
}

ir::Game parse_game(std::string_view text, std::string name) {
  return parse_or_throw(parse_text, text, std::move(name));
}

ir::Game parse_json_game(std::string_view text, std::string name) {
  return parse_or_throw(parse_json, text, std::move(name));
}

}  // namespace rgtrans::rg
