#include "frontends/registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "core/support/pieces.hpp"
#include "frontends/library/library.hpp"

namespace rgtrans {

const Frontend* find_frontend(std::string_view name) {
  const auto table = frontends();
  const auto it = std::ranges::find(table, name, [](const Frontend* f) { return f->name; });
  return it == table.end() ? nullptr : *it;
}

namespace {

std::string language_list() {
  std::string names;
  for (const Frontend* frontend : frontends()) {
    if (!names.empty()) names += ", ";
    names += frontend->name;
  }
  return names;
}

}  // namespace

const Frontend& choose_frontend(const std::filesystem::path& path, std::string_view text) {
  const std::string extension = path.extension().string();
  const Frontend* best = nullptr;
  int best_score = 0;
  for (const Frontend* frontend : frontends()) {
    const auto known = frontend->extensions;
    const bool by_extension = std::ranges::find(known, extension) != known.end();
    // Two languages may share an extension (.json). The text then decides.
    const int score = frontend->looks_like(text) + (by_extension ? 1000 : 0);
    if (score > best_score) {
      best = frontend;
      best_score = score;
    }
  }
  if (best != nullptr) return *best;
  if (extension == ".py") {
    throw Error(
        fmt::format("{}: a Python program, not a game", path.string()),
        fmt::format("if it defines line games, `python3 -m rgtrans {}` writes them as files to read", path.string()));
  }
  throw Error(fmt::format("{}: the language is clear neither from the name nor from the text", path.string()),
              fmt::format("name it with --from; there are {}", language_list()));
}

const Frontend& frontend_for(std::string_view language, const std::filesystem::path& path, std::string_view text) {
  if (language.empty()) return choose_frontend(path, text);
  if (const Frontend* frontend = find_frontend(language)) return *frontend;
  throw Error(fmt::format("unknown language {}", language), "there are " + language_list());
}

namespace {

// The names of the languages with an option of this name; "" for none.
std::string languages_with(std::string_view option) {
  std::string names;
  for (const Frontend* frontend : frontends()) {
    if (std::ranges::find(frontend->options, option, &LanguageOption::name) == frontend->options.end()) continue;
    names += (names.empty() ? "" : ", ") + std::string(frontend->name);
  }
  return names;
}

std::string option_list(std::span<const LanguageOption> options) {
  std::string names;
  for (const LanguageOption& option : options) names += (names.empty() ? "" : ", ") + std::string(option.name);
  return names;
}

Error unknown_option(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Frontend* frontend : frontends()) {
    if (frontend->options.empty()) continue;
    for (const LanguageOption& option : frontend->options) names.push_back(option.name);
    all += fmt::format("{}{} has {}", all.empty() ? "" : "; ", frontend->name, option_list(frontend->options));
  }
  const std::string near = did_you_mean(name, names);
  return Error(fmt::format("no language has an option {}", name), near.empty() ? all : near);
}

void check_value(const LanguageOption& option, std::string_view value) {
  if (option.value.empty()) {
    if (value.empty()) return;
    throw Error(fmt::format("the option {} takes no value, but it is given '{}'", option.name, value));
  }
  if (option.text) {
    if (!value.empty()) return;
    throw Error(fmt::format("the option {} needs a value", option.name),
                fmt::format("write {}={}", option.name, option.value));
  }
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (problem == std::errc{} && end == value.data() + value.size() && number >= 1 && number <= option.most) return;
  throw Error(fmt::format("the option {} cannot be '{}'", option.name, value),
              fmt::format("write {}=N with a whole number from 1 to {}", option.name, option.most));
}

}  // namespace

bool is_own_option(std::string_view name) { return !name.empty() && name.front() >= 'A' && name.front() <= 'Z'; }

void check_option(std::string_view name, std::string_view value) {
  if (is_own_option(name) && std::ranges::any_of(frontends(), &Frontend::own_options)) {
    if (!value.empty()) return;
    throw Error(fmt::format("the option {} needs a value", name), fmt::format("write \"{}=CHOICE\"", name));
  }
  for (const Frontend* frontend : frontends()) {
    const auto it = std::ranges::find(frontend->options, name, &LanguageOption::name);
    if (it != frontend->options.end()) return check_value(*it, value);
  }
  throw unknown_option(name);
}

void check_options(const Frontend& frontend, const FrontendOptions& options) {
  for (const auto& [name, value] : options.values) {
    check_option(name, value);
    if (is_own_option(name)) {
      if (frontend.own_options) continue;
      throw Error(fmt::format("{} has no option {}", frontend.name, name),
                  "names with a capital letter are options of descriptions, in languages that have such options");
    }
    if (std::ranges::find(frontend.options, name, &LanguageOption::name) == frontend.options.end())
      throw Error(fmt::format("{} has no option {}", frontend.name, name),
                  "it is an option of " + languages_with(name));
  }
}

FrontendOptions options_of(const Frontend& frontend, const FrontendOptions& options) {
  FrontendOptions result;
  result.claims = options.claims;
  result.verify_each = options.verify_each;
  for (const LanguageOption& option : frontend.options) {
    if (const auto it = options.values.find(option.name); it != options.values.end()) result.values.insert(*it);
  }
  for (const auto& [name, value] : options.values) {
    if (frontend.own_options && is_own_option(name)) result.values.emplace(name, value);
  }
  return result;
}

FoundForm find_form(std::string_view name) {
  for (const Frontend* frontend : frontends()) {
    const auto it = std::ranges::find(frontend->forms, name, &TextForm::name);
    if (it != frontend->forms.end()) return {frontend, &*it};
  }
  return {};
}

std::vector<Limit*> all_limits() {
  std::vector<Limit*> all(limits::shared().begin(), limits::shared().end());
  for (const Frontend* frontend : frontends()) {
    if (frontend->limits == nullptr) continue;
    const auto own = frontend->limits();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void set_limit(std::string_view assignment) {
  const std::size_t equals = std::min(assignment.find('='), assignment.size());
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view text = assignment.substr(std::min(equals + 1, assignment.size()));
  const std::vector<Limit*> all = all_limits();
  const auto it = std::ranges::find(all, name, [](const Limit* limit) { return limit->name(); });
  if (it == all.end()) {
    std::vector<std::string_view> names;
    for (const Limit* known : all) names.push_back(known->name());
    const std::string near = did_you_mean(name, names);
    throw Error(fmt::format("there is no limit {}", name), near.empty() ? "rgtrans limits lists them" : near);
  }
  Limit& limit = **it;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !limit.set(value)) {
    throw Error(fmt::format("the limit {} cannot be '{}'", name, text),
                fmt::format("a number from 1 to {}; by default it is {}", limit.most(), limit.standard()));
  }
}

GameText read_game(const std::filesystem::path& path) {
  if (path == "-") return {"<stdin>", read_description(path)};
  std::error_code unknown;
  if (std::filesystem::symlink_status(path, unknown).type() != std::filesystem::file_type::not_found)
    return {path.string(), read_description(path)};
  if (const LibraryGame* const game = find_game(path.string()))
    return {std::string(game->path), std::string(game->text)};
  try {
    return {path.string(), read_description(path)};
  } catch (const Error& error) {
    const std::vector<std::string> names = library_names();
    throw Error(error.diagnostics().front().message,
                did_you_mean(path.string(), std::vector<std::string_view>(names.begin(), names.end())));
  }
}

const Sources::File& add_source(Sources& sources, const std::filesystem::path& path) {
  auto [name, text] = read_game(path);
  return sources.add(std::move(name), std::move(text));
}

ir::Game load_text(std::string name, std::string text, const Frontend& frontend, Diagnostics& diagnostics,
                   const FrontendOptions& options, bool warnings) {
  check_options(frontend, options);
  const Sources::File& file = diagnostics.sources()->add(std::move(name), std::move(text));
  ir::Game game = frontend.load(file, diagnostics, options);
  diagnostics.throw_if_errors();
  game.claims.want(options.claims);
  ir::verify(game, diagnostics, {.warnings = warnings && frontend.is_rg});
  diagnostics.throw_if_errors();
  return game;
}

ir::Game load_game(const LoadRequest& request, Diagnostics& diagnostics, GameOrigin* origin) {
  auto [name, text] = read_game(request.path);
  const Frontend& frontend = frontend_for(request.language, name, text);
  if (origin != nullptr) *origin = {name, frontend.name};
  return load_text(std::move(name), std::move(text), frontend, diagnostics, request.options, request.warnings);
}

RuleReader rule_reader(const Frontend& frontend, const Sources::File& file, const FrontendOptions& options) {
  if (frontend.play_rules == nullptr) return nullptr;
  return [&frontend, &file, options](const std::vector<ir::Claim>& claims) {
    const std::shared_ptr<const RulePlay> first = frontend.play_rules(file, options, claims);
    return [first] {
      const std::shared_ptr<RulePlay> play = first->clone();
      return [play](std::uint64_t& random) { return play->step(random); };
    };
  };
}

}  // namespace rgtrans
