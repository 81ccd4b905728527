#include "tests/support/gdl_forms.hpp"

#include <map>
#include <sstream>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/syntax/closures.hpp"

namespace rgtrans::test {

namespace {

constexpr std::uint64_t kMostRules = 30'000, kMostSteps = 3'000'000;

gdl::GroundOptions bounded() {
  gdl::GroundOptions options;
  options.max_rules = kMostRules;
  options.max_steps = kMostSteps;
  return options;
}

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) return d.message;
  return {};
}

// Whether the verifier finds nothing.
void verify(GdlGame& form, Diagnostics& diagnostics) {
  ir::verify(*form.game, diagnostics, {.warnings = false});
  if (!diagnostics.has_errors()) return;
  form.wrong = true;
  form.why = first_error(diagnostics);
  form.game = nullptr;
}

std::string known(const std::map<std::string, std::string>& texts, const std::string& tag) {
  const auto found = texts.find(tag);
  return found == texts.end() ? tag : found->second;
}

}  // namespace

GdlGame ground_form(const std::string& text) {
  GdlGame form;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  gdl::GroundOptions options = bounded();
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
  auto texts = std::make_shared<std::map<std::string, std::string>>();
  for (const auto& [symbol, words] : form.game->words->texts)
    (*texts)[std::string(form.game->symbols.str(symbol))] = words;
  form.words = [texts](const std::string& tags) {
    std::istringstream in(tags);
    std::string out;
    for (std::string tag; in >> tag;) out += (out.empty() ? "" : " ") + known(*texts, tag);
    return out;
  };
  return form;
}

GdlGame lifted_form(const std::string& text) {
  GdlGame form;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  gdl::Program program = gdl::read_program(sources->add("game.kif", text), diagnostics, false);
  if (diagnostics.has_errors()) {
    form.why = first_error(diagnostics);
    return form;
  }
  gdl::follow_steps(program);
  auto names = std::make_shared<gdl::lifted::LiftedNames>();
  auto game = gdl::lifted::lift(program, sources, bounded(), {}, form.why, names.get());
  if (!game) return form;
  form.game = std::make_shared<ir::Game>(std::move(*game));
  verify(form, diagnostics);
  form.words = [names](const std::string& tags) {
    std::istringstream in(tags);
    std::string out;
    for (std::string tag; in >> tag;) {
      const std::size_t open = out.rfind('?');
      if (const auto functor = names->functors.find(tag);
          open == std::string::npos && functor != names->functors.end()) {
        out += (out.empty() ? "" : " ") + functor->second;
      } else {
        const std::string term = known(names->terms, tag);
        const std::size_t place = out.find('?');
        if (place == std::string::npos) {
          out += (out.empty() ? "" : " ") + term;
        } else {
          out.replace(place, 1, term);
        }
      }
    }
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

GdlRules network_rules(const std::string& text) {
  Diagnostics diagnostics;
  gdl::GroundProgram program = gdl::ground(diagnostics.sources()->add("game.kif", text), diagnostics, bounded());
  if (diagnostics.has_errors()) return {nullptr, first_error(diagnostics)};
  return {std::make_unique<gdl::NetworkSteps>(std::move(program)), ""};
}

}  // namespace rgtrans::test
