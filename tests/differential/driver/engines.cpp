#include "tests/differential/driver/engines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/text.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/gdl_forms.hpp"
#include "tests/support/gdl_in_turn.hpp"

namespace rgtrans::differential {

namespace {

struct Row {
  std::string_view name;
  Form form;
  Player player;
  int level;
  std::string_view help;
};
constexpr std::array kRows = {
    Row{"rules", Form::rules, Player::evaluator, 0, "the rules of a GDL description as they stand"},
    Row{"network", Form::network, Player::evaluator, 0, "its propositional network"},
    Row{"ground-O0", Form::ground, Player::interpreter, 0, "its ground form in the interpreter"},
    Row{"ground-O2", Form::ground, Player::interpreter, 2, "the same, optimized"},
    Row{"lifted-O0", Form::lifted, Player::interpreter, 0, "its lifted form in the interpreter"},
    Row{"lifted-O2", Form::lifted, Player::interpreter, 2, "the same, optimized"},
    Row{"game-O0", Form::game, Player::interpreter, 0, "what the front end makes of any text, in the interpreter"},
    Row{"game-O1", Form::game, Player::interpreter, 1, "the same, optimized a little"},
    Row{"game-O2", Form::game, Player::interpreter, 2, "the same, optimized"},
};

struct Group {
  std::string_view name;
  std::string_view engines;
};
constexpr std::array kGroups = {
    Group{"ground", "ground-O0,ground-O2"},
    Group{"lifted", "lifted-O0,lifted-O2"},
    Group{"game", "game-O0,game-O1,game-O2"},
};

// What has been made of one text, by form and level.
class Forms {
 public:
  explicit Forms(const Sample& sample) : sample_(sample) {}

  const test::GdlGame& of(Form form, int level) {
    const auto known = made_.find({form, level});
    if (known != made_.end()) return known->second;
    test::GdlGame result;
    if (level > 0) {
      result = of(form, 0);
      if (result.game != nullptr) {
        result.game = std::make_shared<ir::Game>(*result.game);
        passes::optimize(*result.game, {.level = level});
      }
    } else if (form == Form::ground) {
      result = test::ground_form(sample_.text);
    } else if (form == Form::lifted) {
      result = test::lifted_form(sample_.text);
    } else {
      result = load();
    }
    return made_[{form, level}] = std::move(result);
  }

 private:
  test::GdlGame load() const {
    test::GdlGame result;
    Diagnostics diagnostics;
    try {
      result.game = std::make_shared<ir::Game>(
          load_text(sample_.name, sample_.text, choose_frontend(sample_.name, sample_.text), diagnostics));
    } catch (const Error& error) {
      result.why = error.what();
    }
    return result;
  }

  const Sample& sample_;
  std::map<std::pair<Form, int>, test::GdlGame> made_;
};

// Messages without what differs from game to game.
std::string kind_of(const std::string& message) {
  std::string line = message.substr(0, message.find('\n'));
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`' || line[i] == '"') {
      const std::size_t end = line.find(line[i] == '`' ? '`' : '"', i + 1);
      out += "…";
      i = end == std::string::npos ? line.size() : end;
    } else if (line[i] >= '0' && line[i] <= '9') {
      if (!out.ends_with('#')) out += '#';
    } else {
      out += line[i];
    }
  }
  return out;
}

// Plays without an end, or checks that ask themselves, are mistakes of the game.
bool improper(const std::string& message) {
  for (const char* part : {"is recursive", "endless", "without end"})
    if (message.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

std::vector<EngineName> engines_named(const std::string& list) {
  std::vector<EngineName> result;
  for (const std::string& word : split_list(list)) {
    const std::size_t slash = word.find('/');
    const std::string name = word.substr(0, slash);
    const std::uint64_t each = slash == std::string::npos ? 1 : std::max(1ULL, std::stoull(word.substr(slash + 1)));
    const auto group = std::ranges::find(kGroups, name, &Group::name);
    for (const std::string& member : split_list(group == kGroups.end() ? name : group->engines)) {
      const auto row = std::ranges::find(kRows, member, &Row::name);
      if (row == kRows.end()) throw Error(fmt::format("there is no engine \"{}\"", member));
      result.push_back({member, row->form, row->player, row->level, each});
    }
  }
  return result;
}

std::string engine_help() {
  std::string out;
  for (const Row& row : kRows) out += fmt::format("  {:<12}{}\n", row.name, row.help);
  for (const Group& group : kGroups) out += fmt::format("  {:<12}{}\n", group.name, group.engines);
  return out;
}

Outcome compare(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, Tally& tally) {
  Outcome outcome;
  Forms forms(sample);
  std::vector<std::unique_ptr<Reasoner>> owned;
  std::vector<lockstep::Companion> companions;
  bool imperfect = false, description = false;
  InterpreterOptions plain;
  plain.state_cache_bytes = 0;
  for (const EngineName& engine : engines) {
    if (sample.seed % engine.each != 0) continue;
    std::unique_ptr<Reasoner> reasoner;
    lockstep::Companion companion{nullptr, engine.name, {}, static_cast<std::uint32_t>(engine.form)};
    std::string why;
    if (engine.form == Form::rules || engine.form == Form::network) {
      test::GdlRules rules =
          engine.form == Form::rules ? test::direct_rules(sample.text) : test::network_rules(sample.text);
      description = true;
      if (rules.steps != nullptr) {
        imperfect = rules.steps->imperfect();
        reasoner = std::make_unique<test::RulesInTurn>(std::move(rules.steps));
      }
      why = rules.why;
    } else {
      const test::GdlGame& form = forms.of(engine.form, engine.level);
      why = form.why;
      if (form.wrong && outcome.difference.empty()) {
        outcome.engine = engine.name;
        outcome.kind = "wrong";
        outcome.difference = fmt::format("{}: what it made is no game: {}", engine.name, why);
      }
      if (form.game != nullptr) reasoner = make_interpreter(*form.game, plain);
      companion.words = form.words;
    }
    if (reasoner == nullptr) {
      ++tally.missing[engine.name + ": " + kind_of(why)];
      if (companions.empty() && description) break;  // a description with mistakes
      continue;
    }
    ++tally.played[engine.name];
    companion.reasoner = reasoner.get();
    owned.push_back(std::move(reasoner));
    companions.push_back(std::move(companion));
  }
  if (companions.size() < 2 || !outcome.difference.empty()) {
    outcome.refused = outcome.difference.empty();
    tally.refused += outcome.refused ? 1 : 0;
    return outcome;
  }
  ++tally.games;
  lockstep::JointOptions options{.states = bounds.states,
                                 .moves = bounds.moves,
                                 .depth = bounds.depth,
                                 .seconds = bounds.seconds,
                                 .seed = sample.seed};
  options.forced = description;
  options.percepts = description && imperfect;
  options.certain = !description;
  try {
    const lockstep::JointResult result = lockstep::explore_together(companions, options);
    tally.states += result.states;
    tally.moves += result.moves;
    tally.ends += result.ends;
    tally.stuck += result.stuck;
    tally.complete += result.complete ? 1 : 0;
    if (result.difference.empty()) return outcome;
    outcome.engine = companions[result.companion].name;
    outcome.kind = result.kind;
    outcome.difference = fmt::format("{} differs from {} after /{}/: {}", outcome.engine, companions[0].name,
                                     fmt::join(result.path, "/"), result.difference);
  } catch (const std::exception& error) {
    if (improper(error.what())) {
      ++tally.improper;
      return outcome;
    }
    outcome.engine = "error";
    outcome.difference = error.what();
  }
  return outcome;
}

}  // namespace rgtrans::differential
