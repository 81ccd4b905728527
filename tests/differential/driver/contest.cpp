#include "tests/differential/driver/contest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/play_path.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/differential/driver/players.hpp"
#include "tests/support/equal.hpp"
#include "tests/support/gdl_in_turn.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/naive_reasoner.hpp"

namespace rgtrans::differential {

namespace {

// Passes may change what is improper, such as a play without an end; to this depth all must be proper.
constexpr std::size_t kProperDepth = 4;
constexpr std::size_t kProperSteps = 200'000;  // edges that this may look at

// Messages without what differs from game to game.
std::string kind_of(const std::string& message) {
  const std::string line = message.substr(0, message.find('\n'));
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`' || line[i] == '"') {
      const std::size_t end = line.find(line[i], i + 1);
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
  for (const char* part : {"is recursive", "endless", "without end", "2^27 steps", "a move has more than"})
    if (message.find(part) != std::string::npos) return true;
  return false;
}

// Compiled code makes one of the moves of keeper, of whom a proper game has one.
bool lists_keeper(const EngineName& engine) {
  return engine.player != Player::cpp && engine.player != Player::tables && engine.player != Player::twin;
}

bool plays_end(const ir::Game& game) {
  try {
    return naive::all_plays_end(game, kProperDepth, kProperSteps);
  } catch (const naive::TooHard&) {
    return false;
  }
}

}  // namespace

Contest::Contest(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, test::Batch& batch,
                 Tally& tally)
    : sample_(sample), rules_(bounds.rules) {
  if (tally.coverage != nullptr) tally.coverage->text(sample);
  for (const EngineName& engine : engines) {
    if (sample.seed % engine.each != 0) continue;
    enter(engine, batch, tally);
    if (ended_ || !outcome_.difference.empty()) break;
  }
}

test::GdlGame Contest::load() const {
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

const test::GdlGame& Contest::form(Form form, int level, Coverage* coverage) {
  const auto known = forms_.find({form, level});
  if (known != forms_.end()) return known->second;
  test::GdlGame result;
  if (level > 0) {
    result = this->form(form, 0, coverage);
    if (result.game != nullptr) {
      result.game = std::make_shared<ir::Game>(*result.game);
      passes::OptimizeOptions options;
      options.level = level;
      const passes::OptimizeReport report = passes::optimize(*result.game, options);
      if (coverage != nullptr) coverage->passes(report);
    }
  } else if (form == Form::ground) {
    result = test::ground_form(sample_.text, rules_);
  } else if (form == Form::lifted) {
    result = test::lifted_form(sample_.text, rules_);
  } else {
    result = load();
  }
  return forms_[{form, level}] = std::move(result);
}

void Contest::seat(Seat& seat, test::Batch& batch) {
  InterpreterOptions plain;
  plain.state_cache_bytes = 0;
  switch (seat.engine.player) {
    case Player::interpreter:
      seat.reasoner = make_interpreter(*seat.game, plain);
      break;
    case Player::naive:
      seat.reasoner = std::make_unique<naive::NaiveReasoner>(*seat.game);
      break;
    case Player::cpp:
    case Player::tables:
      seat.compiled = batch.size();
      batch.add(*seat.game, seat.engine.player == Player::tables);
      break;
    case Player::twin: {
      cpp::BuildOptions options;
      options.generate.device = true;
      options.extra_flags = {"-O0"};
      options.use_cache = false;
      seat.reasoner = cpp::make_cpp_reasoner(*seat.game, options);
      break;
    }
    case Player::env:
      seat.reasoner = make_env_player(*form(seat.engine.form, 0, nullptr).game, *seat.game);
      break;
    case Player::page:
      seat.reasoner = make_page_player(*seat.game);
      break;
    case Player::rules:
    case Player::claims:
    case Player::text:
      break;
  }
}

void Contest::assert_claims(const EngineName& engine, Tally& tally) {
  try {
    const FailedClaim failed = failed_claim(sample_, engine, rules_);
    if (!failed.message.empty())
      outcome_ = {false, fmt::format("{}: {}", engine.name, failed.message), engine.name, failed.kind};
    ++tally.played[engine.name];
    asserted_ = true;
  } catch (const Error& error) {
    ++tally.missing[engine.name + ": " + kind_of(error.what())];
  }
}

void Contest::enter(const EngineName& engine, test::Batch& batch, Tally& tally) {
  if (engine.player == Player::claims) return assert_claims(engine, tally);
  Seat entry;
  entry.engine = engine;
  std::string why;
  if (engine.player == Player::rules) {
    description_ = true;
    test::GdlRules rules =
        engine.form == Form::rules ? test::direct_rules(sample_.text) : test::network_rules(sample_.text, rules_);
    why = rules.why;
    if (rules.steps != nullptr) {
      imperfect_ = rules.steps->imperfect();
      entry.reasoner = std::make_unique<test::RulesInTurn>(std::move(rules.steps));
    }
  } else {
    const test::GdlGame& made = form(engine.form, engine.level, tally.coverage);
    why = made.why;
    if (made.wrong) {
      outcome_ = {false, fmt::format("{}: what it made is no game: {}", engine.name, why), engine.name, "wrong"};
      return;
    }
    entry.game = made.game;
    entry.words = made.words;
    if (engine.player == Player::text && made.game != nullptr) {
      if (const std::string lost = test::lost_in_text(*made.game); !lost.empty())
        outcome_ = {false, fmt::format("{}: {}", engine.name, lost), engine.name, "text"};
      ++tally.played[engine.name];
      return;
    }
    if (entry.game != nullptr) {
      try {
        seat(entry, batch);
        if (tally.coverage != nullptr && engine.player == Player::cpp) tally.coverage->techniques(*entry.game);
      } catch (const Error& error) {
        why = error.what();
        entry.compiled = kNone;
      }
    }
  }
  if (entry.reasoner == nullptr && entry.compiled == kNone) {
    ++tally.missing[engine.name + ": " + kind_of(why)];
    ended_ = seats_.empty() && description_;  // a description with mistakes
    return;
  }
  ++tally.played[engine.name];
  optimized_ |= engine.level > 0;
  seats_.push_back(std::move(entry));
}

lockstep::JointResult Contest::explore(const Bounds& bounds) {
  // They do not know what players see, or say it in another way.
  const auto blind = [](const Seat& seat) {
    return seat.engine.player == Player::naive || seat.engine.player == Player::env;
  };
  lockstep::JointOptions options;
  options.states = bounds.states;
  options.moves = bounds.moves;
  options.depth = bounds.depth;
  options.seconds = bounds.seconds;
  options.seed = sample_.seed;
  options.forced = description_;
  options.percepts = description_ && imperfect_;
  if (options.percepts) {
    std::erase_if(seats_, blind);
    if (seats_.size() < 2) throw naive::TooHard("nobody tells percepts");
  }
  // Only the first companion says whether a move has one result. The naive evaluator counts results; other engines
  // count walks, or do not count, and passes may leave out walks to the same result. A companion that lets a move have
  // several results differs from the first one in the state behind it.
  options.certain = !description_;
  // In RG random draws each move with the same probability, however many walks make it, so that equal lists of moves
  // have equal shares. GDL is held to more: its forms make each move of random by as many walks as any other.
  options.ways = description_;
  // Random RG is hardly ever proper.
  if (sample_.name.ends_with(".rg") && optimized_ && !description_) {
    if (plays_end(*form(Form::game, 0, nullptr).game)) {
      options.depth = std::min(options.depth, kProperDepth);
    } else {
      std::erase_if(seats_, [](const Seat& seat) { return seat.engine.level > 0; });
      if (seats_.size() < 2) throw naive::TooHard("some plays do not end");
    }
  }
  std::vector<lockstep::Companion> companions;
  for (const Seat& seat : seats_) {
    companions.push_back({seat.reasoner.get(), seat.engine.name, seat.words,
                          static_cast<std::uint32_t>(seat.engine.form) + (blind(seat) ? 100 : 0),
                          lists_keeper(seat.engine)});
  }
  return lockstep::explore_together(companions, options);
}

Outcome Contest::run(const test::Batch& batch, const Bounds& bounds, Tally& tally) {
  if (seats_.size() < 2 || !outcome_.difference.empty()) {
    tally.games += asserted_ ? 1 : 0;
    outcome_.refused = outcome_.difference.empty() && !asserted_;
    tally.refused += outcome_.refused ? 1 : 0;
    return outcome_;
  }
  for (Seat& seat : seats_) {
    if (seat.compiled == kNone) continue;
    const bool hidden = ir::hides_moves(*seat.game);
    seat.reasoner = cpp::make_cpp_reasoner(batch[seat.compiled], hidden);
  }
  ++tally.games;
  try {
    const lockstep::JointResult result = explore(bounds);
    tally.states += result.states;
    tally.moves += result.moves;
    tally.ends += result.ends;
    tally.stuck += result.stuck;
    tally.complete += result.complete ? 1 : 0;
    if (result.difference.empty()) return outcome_;
    outcome_.engine = seats_[result.companion].engine.name;
    outcome_.kind = result.kind;
    outcome_.difference = fmt::format("{} differs from {} after {}: {}", outcome_.engine, seats_[0].engine.name,
                                      path_of(result.path), result.difference);
  } catch (const naive::TooHard&) {
    ++tally.improper;
  } catch (const std::exception& error) {
    if (improper(error.what())) {
      ++tally.improper;
    } else {
      outcome_ = {false, error.what(), "error", kind_of(error.what())};
    }
  }
  return outcome_;
}

Outcome compare(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, Tally& tally) {
  test::Batch batch;
  Contest contest(sample, engines, bounds, batch, tally);
  if (batch.size() > 0) batch.build();
  return contest.run(batch, bounds, tally);
}

}  // namespace rgtrans::differential
