// What a reasoner declares of its game: symbols, players, the structs of a state and of the working memory, and the
// functions that begin, check and describe a state.
#pragma once

#include <map>
#include <string>

#include "backends/cpp/shared.hpp"

namespace rgtrans::cpp {

class StateCode {
 public:
  StateCode(const NumberedGame& model, const GameFacts& facts, Shared& shared)
      : model_(model), facts_(facts), shared_(shared) {}
  void write_symbols(Text& text, std::uint32_t universe);
  void write_players(Text& text, std::uint32_t players, std::uint32_t scores);
  void write_cache(Text& text);
  void write_struct(Text& text);
  void write_initial_state(Text& text);
  void write_accessors(Text& text);
  // The function that writes a byte of the state, wherever it is.
  void write_byte_writer(Text& text);
  // Besides the ranges, what the analysis of values relies on: cells and live variables hold what they can hold.
  void write_validity(Text& text);
  // Variables that nothing reads before it is assigned get their initial values, which are valid, so that states with
  // the same future are equal. Callers ask who moves.
  void write_clearing(Text& text);
  void write_description(Text& text);

 private:
  std::string initial_assignment(VarId v);
  [[nodiscard]] bool has_planes() const {
    return std::ranges::any_of(facts_.state, [&](std::size_t v) { return bool(shared_.planes[v]); });
  }
  void write_visibility(Text& text);
  void write_scalar_validity(Text& text, std::size_t v, std::uint32_t size);
  std::string symbol_names(std::uint32_t universe);

  const NumberedGame& model_;
  const GameFacts& facts_;
  Shared& shared_;
  std::map<std::uint32_t, std::string> names_of_;
};

}  // namespace rgtrans::cpp
