#include "tests/support/gdl_forms.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/syntax/closures.hpp"

namespace rgtrans::test {

namespace {

gdl::GroundOptions bounded(std::uint64_t rules) {
  constexpr std::uint64_t kStepsOfRule = 100;
  gdl::GroundOptions options;
  if (rules > 0) {
    options.max_rules = rules;
    options.max_steps = rules * kStepsOfRule;
  }
  return options;
}

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) return d.message;
  return {};
}

// Runs the verifier and records its errors.
void verify(GdlGame& form, Diagnostics& diagnostics) {
  ir::verify(*form.game, diagnostics, {.warnings = false});
  if (!diagnostics.has_errors()) return;
  form.wrong = true;
  form.why = first_error(diagnostics);
  form.game = nullptr;
}

using Texts = std::map<std::string, std::string, std::less<>>;

std::string_view known(const Texts& texts, std::string_view tag) {
  const auto found = texts.find(tag);
  return found == texts.end() ? tag : std::string_view(found->second);
}

// Calls `use` with each tag.
template <class Use>
void for_each_tag(std::string_view tags, const Use& use) {
  while (!tags.empty()) {
    const std::size_t end = std::min(tags.find(' '), tags.size());
    if (end > 0) use(tags.substr(0, end));
    tags.remove_prefix(std::min(end + 1, tags.size()));
  }
}

}  // namespace

GdlGame ground_form(const std::string& text, std::uint64_t rules) {
  GdlGame form;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  gdl::GroundOptions options = bounded(rules);
  options.cone = true;
  const gdl::GroundProgram program = gdl::ground(sources->add("game.kif", text), diagnostics, options);
  if (!diagnostics.has_errors()) form.game = std::make_shared<ir::Game>(gdl::lower(program, sources, {}, diagnostics));
  if (diagnostics.has_errors()) {
    form.game = nullptr;
    form.why = first_error(diagnostics);
    return form;
  }
  verify(form, diagnostics);
  if (form.game == nullptr) return form;
  auto texts = std::make_shared<Texts>();
  for (const auto& [symbol, words] : form.game->words->texts)
    (*texts)[std::string(form.game->symbols.str(symbol))] = words;
  form.words = [texts](const std::string& tags) {
    std::string out;
    for_each_tag(tags, [&](std::string_view tag) { (out += out.empty() ? "" : " ") += known(*texts, tag); });
    return out;
  };
  return form;
}

GdlGame lifted_form(const std::string& text, std::uint64_t rules) {
  GdlGame form;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  gdl::Program program = gdl::read_program(sources->add("game.kif", text), diagnostics, false);
  if (diagnostics.has_errors()) {
    form.why = first_error(diagnostics);
    return form;
  }
  gdl::follow_steps(program);
  gdl::lifted::LiftedNames names;
  auto game = gdl::lifted::lift(program, sources, bounded(rules), {}, form.why, &names);
  if (!game) return form;
  form.game = std::make_shared<ir::Game>(std::move(*game));
  verify(form, diagnostics);
  struct Shown {
    Texts functors, terms;
  };
  auto texts = std::make_shared<Shown>();
  texts->functors.insert(names.functors.begin(), names.functors.end());
  texts->terms.insert(names.terms.begin(), names.terms.end());
  // The first tag of a move has a placeholder for each of the others.
  form.words = [texts](const std::string& tags) {
    std::string out;
    for_each_tag(tags, [&](std::string_view tag) {
      if (const std::size_t place = out.find(gdl::lifted::kPlaceholder); place != std::string::npos) {
        out.replace(place, 1, known(texts->terms, tag));
      } else {
        const auto functor = texts->functors.find(tag);
        (out += out.empty() ? "" : " ") +=
            functor != texts->functors.end() ? functor->second : known(texts->terms, tag);
      }
    });
    return out;
  };
  return form;
}

GdlRules direct_rules(const std::string& text) {
  try {
    return {std::make_unique<gdl::Direct>(text), ""};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

GdlRules network_rules(const std::string& text, std::uint64_t rules) {
  Diagnostics diagnostics;
  gdl::GroundProgram program = gdl::ground(diagnostics.sources()->add("game.kif", text), diagnostics, bounded(rules));
  if (diagnostics.has_errors()) return {nullptr, first_error(diagnostics)};
  return {std::make_unique<gdl::NetworkSteps>(std::move(program)), ""};
}

}  // namespace rgtrans::test
