#include "tests/differential/driver/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>

#include "backends/cpp/cpp.hpp"
#include "frontends/editing.hpp"
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

struct Construct {
  std::string_view name;
  const char* pattern;
};
// Of prefix GDL, beyond its keywords.
constexpr std::array kDescription = {
    Construct{"a variable twice in a fact", R"(\(true \(\S+[^()]* (\?\w+)( [^()]*)? \1[ )])"},
    Construct{"a variable twice in a derived atom", R"(\(d\d (?:[^()]* )?(\?\w+)( [^()]*)? \1[ )])"},
    Construct{"a constant in a fact", R"(\(true \(\S+ (?:[^()]* )?\w+[ )])"},
    Construct{"a constant in a move", R"(\(does \S+ \(\S+ (?:[^()]* )?\w+[ )])"},
    Construct{"a constant in a derived head", R"(\(<= \(d\d (?:[^()]* )?\w+[ )])"},
    Construct{"a constant in a legal move", R"(\(legal \S+ \(\S+ (?:[^()]* )?\w+[ )])"},
    Construct{"a constant in a next fact", R"(\(next \(\S+ (?:[^()]* )?\w+[ )])"},
    Construct{"nested terms in facts", R"(\(true \(\S+ (?:[^()]* )?\()"},
    Construct{"nested terms in moves", R"(\((?:does|legal) \S+ \(\S+ (?:[^()]* )?\()"},
    Construct{"facts without arguments", R"(\(true \w+\))"},
    Construct{"facts with one argument", R"(\(true \(\w+ \S+\)\))"},
    Construct{"facts with two arguments", R"(\(true \(\w+( [^\s()]+){2}\)\))"},
    Construct{"facts with three arguments", R"(\(true \(\w+( [^\s()]+){3}\)\))"},
    Construct{"facts with four arguments", R"(\(true \(\w+( [^\s()]+){4}\)\))"},
    Construct{"facts with five arguments", R"(\(true \(\w+( [^\s()]+){5}\)\))"},
    Construct{"a fact denied", R"(\(not \(true )"},
    Construct{"a move denied", R"(\(not \(does )"},
    Construct{"a static relation denied", R"(\(not \((s\d|succ|plus|num|thing|role)[ )])"},
    Construct{"a derived relation denied", R"(\(not \(?d\d)"},
    Construct{"negation in a disjunction", R"(\(or [^\n]*\(not )"},
    Construct{"recursion", R"(\(<= \((\w+)[^\n()]*\)[^\n]*\(\1[ )])"},
    Construct{"recursion through another relation", R"(\(<= \(before [^\n]*\(after )"},
    Construct{"a recursive relation twice", R"(\(<= \((\w+) [^\n()]*\) \(\1 [^\n()]*\) \(\1 )"},
    Construct{"roles as data", R"(\((true|init) \(\w+ [^\n()]*(\?r\d|\b(w|white|player|x|r1)\b)[ )])"},
    Construct{"a frame", R"(\(<= \(next (\([^()\n]*\))\)[^\n]*\(true \1\))"},
    Construct{"a frame for what one role does", R"(\(<= \(next (\([^()\n]*\))\) \(true \1\)[^\n]*\(does \w+ )"},
    Construct{"a frame for what any role does", R"(\(<= \(next (\([^()\n]*\))\) \(true \1\)[^\n]*\(does \?\w+ )"},
    Construct{"a frame for all but one role",
              R"(\(<= \(next (\([^()\n]*\))\) \(true \1\)[^\n]*\(does (\?\w+) [^\n]*\(distinct \?\w+ \2\))"},
    Construct{"nature", R"(\(role random\))"},
    Construct{"any move", R"(\(does \?\w+ \?\w+\))"},
    Construct{"any fact", R"(\(true \?\w+\))"},
    Construct{"legality in a body", R"(\(<= [^\n]* \(legal )"},
    Construct{"goals in a body", R"(\(<= [^\n]* \((?:not \()?goal )"},
    Construct{"a board with lines", R"(\(line )"},
    Construct{"neighbours", R"(\(near )"},
    Construct{"keywords in capitals", R"(\((ROLE|INIT|TRUE) )"},
};

std::string program(const ir::Game& game, const cpp::Techniques& techniques) {
  cpp::GenerateOptions options;
  options.techniques = techniques;
  std::string text;
  for (const cpp::GeneratedFile& file : cpp::generate(game, options)) text += file.text;
  return text;
}

}  // namespace

void Coverage::text(const Sample& sample) {
  const Frontend& language = choose_frontend(sample.name, sample.text);
  const std::string stage(language.name);
  const auto add = [&](std::string_view what, bool met) { counts_[stage + ": " + std::string(what)] += met ? 1 : 0; };
  if (language.editing != nullptr) {
    for (const LanguageWord& word : language.editing->words)
      if (word.keyword) add(word.text, sample.text.find(word.text) != std::string::npos);
  }
  if (!sample.name.ends_with(".kif")) return;
  static const std::vector<std::regex> patterns = [] {
    std::vector<std::regex> result;
    for (const Construct& construct : kDescription) result.emplace_back(construct.pattern, std::regex::optimize);
    return result;
  }();
  add("infix", sample.text.find(":-") != std::string::npos);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    add(kDescription[i].name, std::regex_search(sample.text, patterns[i]));
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
  if (std::ranges::any_of(all, [](const auto& entry) { return entry.first.starts_with("lifted: "); }))
    for (const std::string_view name : kLifted) all["lifted: " + std::string(name)];
  if (std::ranges::any_of(all, [](const auto& entry) { return entry.first.starts_with("rbg pass: "); }))
    for (const rbg::FlowPass& pass : rbg::passes()) all["rbg pass: " + std::string(pass.name)];
  for (const auto& [name, count] : all) fmt::print("reached\t{}\t{}\n", count, name);
}

}  // namespace rgtrans::differential
