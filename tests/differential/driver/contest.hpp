// One game in several engines.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/lockstep/lockstep.hpp"
#include "tests/differential/batch.hpp"
#include "tests/differential/driver/coverage.hpp"
#include "tests/differential/driver/engines.hpp"
#include "tests/differential/driver/samples.hpp"
#include "tests/support/gdl_forms.hpp"

namespace rgtrans::differential {

// Counted over all games.
struct Tally {
  std::size_t games = 0, refused = 0;
  std::size_t states = 0, ends = 0, stuck = 0, complete = 0, improper = 0;
  std::uint64_t moves = 0;
  std::map<std::string, std::size_t> played;   // by engine
  std::map<std::string, std::size_t> missing;  // "engine: why it has no such game"
  Coverage* coverage = nullptr;                // null if it is not wanted
};

struct Bounds {
  std::size_t states = 40;
  std::uint64_t moves = 80;
  std::size_t depth = SIZE_MAX;
  double seconds = 5;            // of processor time
  std::uint64_t rules = 30'000;  // of the ground program of a description; 0 for the language's own limit
};

struct Outcome {
  bool refused = false;      // no game, or nothing to compare
  std::string difference;    // with the engine and the way to it; or ""
  std::string engine, kind;  // the engine that differs, and the kind of difference
};

class Contest {
 public:
  // Compiled engines add their games to the batch.
  Contest(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, test::Batch& batch,
          Tally& tally);

  // Compares the other engines with the first one that has the game. The batch has been built.
  Outcome run(const test::Batch& batch, const Bounds& bounds, Tally& tally);

  [[nodiscard]] const Sample& sample() const { return sample_; }

 private:
  struct Seat {
    EngineName engine;
    std::unique_ptr<Reasoner> reasoner;
    std::size_t compiled = kNone;  // in the batch
    std::shared_ptr<const ir::Game> game;
    std::function<std::string(const std::string&)> words;
  };

  void enter(const EngineName& engine, test::Batch& batch, Tally& tally);
  void assert_claims(const EngineName& engine, Tally& tally);
  const test::GdlGame& form(Form form, int level, Coverage* coverage);
  [[nodiscard]] test::GdlGame load() const;
  void seat(Seat& seat, test::Batch& batch);
  lockstep::JointResult explore(const Bounds& bounds);

  Sample sample_;
  std::uint64_t rules_;
  std::map<std::pair<Form, int>, test::GdlGame> forms_;
  std::vector<Seat> seats_;
  bool description_ = false, imperfect_ = false, optimized_ = false, ended_ = false, asserted_ = false;
  Outcome outcome_;
};

// A game alone.
Outcome compare(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, Tally& tally);

}  // namespace rgtrans::differential
