// Compares a lowered description with its ground program.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/network/machine.hpp"

namespace rgtrans::gdl {

// Plays the lowered game in the interpreter and the network in parallel.
class LockStep {
 public:
  LockStep(const GroundProgram& plain, const GroundProgram& lowered, const LoweredNames& names, const ir::Game& game)
      : plain_(plain),
        lowered_(lowered),
        names_(names),
        networks_{Network(plain), Network(lowered)},
        machine_(plain, networks_[0]),
        small_(lowered, networks_[1]),
        reasoner_(make_interpreter(game)) {
    for (std::uint32_t m = 0; m < plain.moves.size(); ++m) by_text_[key(plain, m)] = m;
  }

  // Plays one playout of at most `steps` steps, at random or along a recording. Returns the first difference, or "".
  std::string play(std::uint64_t seed, unsigned steps, const nlohmann::json* trace = nullptr) {
    trace_ = trace;
    step_ = 0;
    machine_.set_state(machine_.initial());
    small_.set_state(small_.initial());
    reasoner_->reset();
    for (unsigned step = 0; step < steps; ++step) {
      if (recorded_all()) return ended();
      if (std::string d = keeper(); !d.empty()) return d;
      // In steps without decisions, only keeper moves. A play may continue with such steps forever.
      for (int alone = 0; !machine_.terminal() && nobody_decides() && !recorded_all(); ++alone) {
        if (alone == kMostAlone) return "stuck";
        if (std::string d = all_decide(seed); !d.empty()) return fmt::format("step {}: {}", step, d);
      }
      if (recorded_all()) return ended();
      if (machine_.terminal() != small_.terminal()) return "terminal differs between the ground programs";
      if (reasoner_->terminal() != machine_.terminal()) return fmt::format("step {}: terminal differs", step);
      if (machine_.terminal()) return goals();
      if (std::string d = all_decide(seed); !d.empty()) return fmt::format("step {}: {}", step, d);
    }
    return "";
  }
  // Perft of the automaton for games with the same number of decisions in every step, up to `most` leaves.
  std::string perft(const std::map<unsigned, std::uint64_t>& expected, std::uint64_t most) {
    std::size_t decisions = 0;
    for (const auto& phase : names_.turns.phases) {
      const auto count = static_cast<std::size_t>(std::ranges::count(phase.forced, TurnStructure::kDecides));
      if (count == 0 || (decisions != 0 && count != decisions)) return "";
      decisions = count;
    }
    reasoner_->reset();
    for (const auto& [depth, leaves] : expected) {
      if (leaves > most) break;
      const std::uint64_t ours = reasoner_->perft(static_cast<unsigned>(depth * decisions));
      if (ours != leaves) return fmt::format("perft {} of the automaton: {} for {}", depth, ours, leaves);
    }
    return "";
  }

 private:
  [[nodiscard]] bool recorded_all() const {
    return trace_ != nullptr && (step_ >= (*trace_)["steps"].size() || !(*trace_)["steps"][step_].contains("move"));
  }
  // Compares the state after the last step of a recorded playout.
  std::string ended() {
    if ((*trace_)["end"] != "terminal") return "";
    if (std::string d = keeper(); !d.empty()) return d;
    if (!machine_.terminal() || !reasoner_->terminal()) return "the last state is not terminal";
    return goals();
  }
  static std::string key(const GroundProgram& p, std::uint32_t m) {
    return std::to_string(p.moves[m].role) + p.text(p.moves[m].term);
  }
  static constexpr int kMostAlone = 10'000;  // consecutive moves without a decision

  std::string keeper() {
    for (int alone = 0; !reasoner_->terminal() && reasoner_->mover() == reasoner_->info().keeper(); ++alone) {
      if (alone == kMostAlone) return "stuck";
      if (reasoner_->move_count() != 1) return fmt::format("keeper has {} moves", reasoner_->move_count());
      reasoner_->apply(0);
    }
    return "";
  }
  std::uint32_t forced(std::uint32_t role) const {
    const TurnStructure& turns = names_.turns;
    if (turns.group == kNone) return turns.phases[0].forced[role];
    const FactGroup& group = names_.groups[turns.group];
    for (std::uint32_t i = 0; i < group.facts.size(); ++i) {
      if (!small_.fact(group.facts[i])) continue;
      for (const auto& phase : turns.phases)
        if (std::ranges::find(phase.values, i) != phase.values.end()) return phase.forced[role];
    }
    return TurnStructure::kDecides;
  }
  bool nobody_decides() const {
    for (std::uint32_t r = 0; r < plain_.roles.size(); ++r)
      if (forced(r) == TurnStructure::kDecides) return false;
    return true;
  }
  std::string all_decide(std::uint64_t& seed) {
    std::vector<std::uint32_t> joint(plain_.roles.size()), small_joint(plain_.roles.size());
    for (std::uint32_t r = 0; r < plain_.roles.size(); ++r) {
      if (std::string d = decide(r, seed, joint[r], small_joint[r]); !d.empty()) return d;
    }
    machine_.step(joint);
    small_.step(small_joint);
    ++step_;
    return "";
  }
  std::string decide(std::uint32_t role, std::uint64_t& seed, std::uint32_t& move, std::uint32_t& small_move) {
    std::vector<std::uint32_t> legal, small_legal;
    machine_.legal(role, legal);
    small_.legal(role, small_legal);
    std::vector<std::string> texts, small_texts;
    for (const std::uint32_t m : legal) texts.push_back(key(plain_, m));
    for (const std::uint32_t m : small_legal) small_texts.push_back(key(lowered_, m));
    std::vector<std::string> sorted = texts, small_sorted = small_texts;
    std::ranges::sort(sorted);
    std::ranges::sort(small_sorted);
    if (sorted != small_sorted) return "legal moves differ between the ground programs";
    if (legal.empty()) return "stuck";
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    std::size_t choice = (seed >> 33) % legal.size();
    if (trace_ != nullptr) {
      const auto& recorded = (*trace_)["steps"][step_];
      if (legal.size() != recorded["n"][role].get<std::size_t>()) return "another number of legal moves is recorded";
      const std::string wanted = std::to_string(role) + recorded["move"][role].get<std::string>();
      choice = static_cast<std::size_t>(std::ranges::find(small_texts, wanted) - small_texts.begin());
      if (choice == small_texts.size()) return fmt::format("{} is not legal", wanted);
    }
    small_move = small_legal[choice];
    move = by_text_.at(small_texts[choice]);
    if (forced(role) != TurnStructure::kDecides) return forced(role) == small_move ? "" : "the wrong move is forced";
    if (std::string d = keeper(); !d.empty()) return d;
    std::vector<std::string> tags, expected;
    std::size_t index = 0;
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) {
      tags.push_back(reasoner_->move_text(i));
      if (tags.back() == names_.moves[small_move]) index = i;
    }
    for (const std::uint32_t m : small_legal) expected.push_back(names_.moves[m]);
    std::ranges::sort(tags);
    std::ranges::sort(expected);
    if (tags != expected) return fmt::format("{} moves of {} for {}", tags.size(), names_.roles[role], expected.size());
    reasoner_->apply(index);
    return "";
  }
  std::string goals() {
    std::size_t player = 0;
    for (std::uint32_t r = 0; r < plain_.roles.size(); ++r) {
      if (r == plain_.random) continue;
      int best = 0;
      for (const TermId g : machine_.goals(r)) best = std::max(best, std::stoi(plain_.text(g)));
      if (reasoner_->goal(player) != std::to_string(best))
        return fmt::format("goal {} for {}", reasoner_->goal(player), best);
      ++player;
    }
    return "";
  }

  const GroundProgram& plain_;
  const GroundProgram& lowered_;
  const LoweredNames& names_;
  Network networks_[2];
  NetworkMachine machine_, small_;
  std::unique_ptr<Reasoner> reasoner_;
  std::map<std::string, std::uint32_t> by_text_;
  const nlohmann::json* trace_ = nullptr;
  std::size_t step_ = 0;
};

}  // namespace rgtrans::gdl
