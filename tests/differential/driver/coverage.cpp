#include "tests/differential/driver/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backends/cpp/cpp.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::differential {

namespace {

// Rewrites of lifted rules, as they report themselves.
constexpr std::array<std::string_view, 29> kLifted = {"alike: a column apart",
                                                      "alike: roles",
                                                      "alike: rules",
                                                      "alike: told together",
                                                      "answers",
                                                      "cells: of two columns",
                                                      "cells: of three columns",
                                                      "chains",
                                                      "changes: anchored",
                                                      "changes: by causes",
                                                      "changes: by scalars",
                                                      "classes",
                                                      "denied: a column",
                                                      "denied: a move",
                                                      "fixed: lists",
                                                      "flatten",
                                                      "implied",
                                                      "joins",
                                                      "recursion: forwards",
                                                      "renewed",
                                                      "separate",
                                                      "solutions: followed",
                                                      "stored: Bools",
                                                      "stored: a map to values",
                                                      "stored: a scalar",
                                                      "turns: one moves",
                                                      "turns: several move",
                                                      "turns: the mover is told",
                                                      "unfold"};

std::string program(const ir::Game& game, const cpp::Techniques& techniques) {
  cpp::GenerateOptions options;
  options.techniques = techniques;
  std::string text;
  for (const cpp::GeneratedFile& file : cpp::generate(game, options)) text += file.text;
  return text;
}

}  // namespace

void Coverage::text(const Sample& sample) {
  const std::string_view language = choose_frontend(sample.name, sample.text).name;
  constructs_.try_emplace(std::string(language), language).first->second.add(sample.text);
}

void Coverage::passes(const passes::OptimizeReport& report) {
  for (const passes::PassTiming& pass : report.timings)
    counts_["pass: " + std::string(pass.name)] += pass.changes > 0 ? 1 : 0;
}

void Coverage::techniques(const ir::Game& game) {
  const std::string whole = program(game, {});
  for (const std::string_view name : cpp::kTechniques) {
    cpp::Techniques without;
    without.leave_out(name);
    counts_["technique: " + std::string(name)] += program(game, without) != whole ? 1 : 0;
  }
}

void Coverage::print() const {
  CoverageCounts all = counts_;
  for (const auto& [language, count] : constructs_) {
    const auto constructs = test::constructs_of(language);
    for (std::size_t i = 0; i < constructs.size(); ++i)
      all[language + ": " + std::string(constructs[i].name)] = count.counts()[i];
  }
  if (std::ranges::any_of(all, [](const auto& entry) { return entry.first.starts_with("lifted: "); }))
    for (const std::string_view name : kLifted) all["lifted: " + std::string(name)];
  if (std::ranges::any_of(all, [](const auto& entry) { return entry.first.starts_with("rbg pass: "); }))
    for (const rbg::FlowPass& pass : rbg::passes()) all["rbg pass: " + std::string(pass.name)];
  for (const auto& [name, count] : all) fmt::print("reached\t{}\t{}\n", count, name);
}

}  // namespace rgtrans::differential
