// How the cost of translating grows with the game. Reversi, hex and gomoku on boards of 8, 16, 32 and 64 squares a
// side, in HRG (where the tables grow) and RBG, come from their texts in games/ with other sizes. A chain of turns is a
// game whose automaton grows. The counters give the size, which is the edges of the automaton plus the cells of the
// tables and the state, and the nanoseconds per unit of size. Near-linear growth keeps this number constant.
//
//   build/tests/bench/bench_scaling
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>

#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans {
namespace {

std::string text_of(const std::string& game) {
  return read_file(std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / game);
}

// Replaces every occurrence; each must be there.
std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& replacements) {
  for (const auto& [old_text, new_text] : replacements) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(old_text, at)) != std::string::npos; at += new_text.size(), ++found)
      text.replace(at, old_text.size(), new_text);
    if (found == 0) throw Error(fmt::format("the game has no {}", old_text));
  }
  return text;
}

std::string repeated(std::size_t count, const std::string& part, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : separator) + part;
  return text;
}

std::string reversi_hrg(std::size_t n) {
  const auto number = [](std::size_t x) { return std::to_string(x); };
  return with(text_of("hrg/reversi.hrg"), {{"128", "TWICE"},
                                           {"64", "ALL"},
                                           {"S(5, 5)", "S(a, a)"},
                                           {"S(4, 5)", "S(b, a)"},
                                           {"S(5, 4)", "S(a, b)"},
                                           {"S(4, 4)", "S(b, b)"},
                                           {"in 1..8", "in 1.." + number(n)},
                                           {"S(a, a)", fmt::format("S({0}, {0})", n / 2 + 1)},
                                           {"S(b, a)", fmt::format("S({}, {})", n / 2, n / 2 + 1)},
                                           {"S(a, b)", fmt::format("S({}, {})", n / 2 + 1, n / 2)},
                                           {"S(b, b)", fmt::format("S({0}, {0})", n / 2)},
                                           {"TWICE", number(2 * n * n)},
                                           {"ALL", number(n * n)}});
}
std::string hex_hrg(std::size_t n) {
  return with(text_of("hrg/hex.hrg"), {{"1..11", fmt::format("1..{}", n)}, {"== 11", fmt::format("== {}", n)}});
}
std::string gomoku_hrg(std::size_t n) { return with(text_of("hrg/gomoku.hrg"), {{"1..15", fmt::format("1..{}", n)}}); }
std::string reversi_rbg(std::size_t n) {
  const std::string side = repeated(n / 2 - 1, "e", ", ");
  const std::string rows = repeated(n / 2 - 1, "row", " ");
  return with(text_of("rbg/reversi.rbg"), {{"[e, e, e, e, e, e, e, e]", "[" + repeated(n, "e", ", ") + "]"},
                                           {"[e,e,e,w,b,e,e,e]", fmt::format("[{0}, w, b, {0}]", side)},
                                           {"[e,e,e,b,w,e,e,e]", fmt::format("[{0}, b, w, {0}]", side)},
                                           {"row row row", rows}});
}
std::string hex_rbg(std::size_t n) {
  std::string text = text_of("rbg/hex.rbg");
  const std::size_t first = text.find("    [e]\n");
  const std::size_t last = text.find("    [e])", first);
  std::string rows;
  for (std::size_t i = 1; i < 2 * n; ++i)
    rows += "    [" + repeated(i <= n ? i : 2 * n - i, "e", ", ") + (i + 1 < 2 * n ? "]\n" : "]");
  return text.replace(first, last + 7 - first, rows);
}
std::string gomoku_rbg(std::size_t n) {
  std::string text = text_of("rbg/gomoku.rbg");
  const std::size_t rows = text.find("    row row");
  text.replace(rows, text.find(")", rows) - rows, "    " + repeated(n, "row", " "));
  const std::size_t row = text.find("[e, e,");
  return text.replace(row, text.find("]", row) - row, "[" + repeated(n, "e", ", "));
}

// n turns in a row, each with a choice, a check, a walk over the board and assignments.
std::string chain_rg(std::size_t n) {
  std::string text =
      "type Player = { p, q };\ntype Score = { 0, 1 };\ntype T = { a, b, c, d, e, f, g, h };\n"
      "const next: T -> T = { a: b, b: c, c: d, d: e, e: f, f: g, g: h, :a };\n"
      "var board: T -> Bool = { :0 };\nvar x: T = a;\nvar y: T = a;\nvar z: T = a;\nbegin, n0: player = p;\n";
  for (std::size_t i = 0; i < n; ++i) {
    text += fmt::format(
        "n{0}, a{0}: x = T(*); a{0}, b{0}: board[x] == 0; b{0}, c{0}: $$ x; c{0}, d{0}: y = next[x];\n"
        "d{0}, e{0}: ? s{0} -> t{0}; d{0}, g{0}: ! s{0} -> t{0}; e{0}, f{0}: board[next[y]] = 1; f{0}, h{0}: z = "
        "next[z];\n"
        "g{0}, h{0}: board[x] = 1; h{0}, n{1}: player = {2};\n"
        "s{0}, u{0}: y = T(*); u{0}, v{0}: board[next[y]] == 1; v{0}, t{0}: z != next[y]; u{0}, s{0}: board[y] == 0;\n",
        i, i + 1, i % 2 == 0 ? "q" : "p");
  }
  return text + fmt::format("n{}, end: player = keeper;\n", n);
}

void translate(benchmark::State& state, const char* language, std::string (*text_for)(std::size_t)) {
  const std::string text = text_for(static_cast<std::size_t>(state.range(0)));
  std::uint64_t size = 0;
  std::uint64_t edges = 0;
  double loading = 0;
  std::uint64_t runs = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const double start = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    ir::Game game = load_text("game", text, *find_frontend(language), diagnostics);
    loading += static_cast<double>(std::clock()) / CLOCKS_PER_SEC - start;
    ++runs;
    edges = game.graph.edge_count();
    size = edges;
    for (const ir::Constant& c : game.constants()) size += game.cell_count(c.type);
    for (const ir::Variable& v : game.variables()) size += game.cell_count(v.type);
    passes::optimize(game);
    benchmark::DoNotOptimize(rg::print(game));
  }
  state.counters["edges"] = static_cast<double>(edges);
  state.counters["size"] = static_cast<double>(size);
  state.counters["loading_ms"] = 1e3 * loading / static_cast<double>(runs);
  state.counters["per_unit"] =
      benchmark::Counter(static_cast<double>(size * runs), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

#define SIZES Arg(8)->Arg(16)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond)
BENCHMARK_CAPTURE(translate, reversi_hrg, "hrg", reversi_hrg)->SIZES;
BENCHMARK_CAPTURE(translate, hex_hrg, "hrg", hex_hrg)->SIZES;
BENCHMARK_CAPTURE(translate, gomoku_hrg, "hrg", gomoku_hrg)->SIZES;
// Its table that compares numbers of pieces is quadratic in the squares, and exceeds the limits of the front end at 64
// a side.
BENCHMARK_CAPTURE(translate, reversi_rbg, "rbg", reversi_rbg)->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, hex_rbg, "rbg", hex_rbg)->SIZES;
BENCHMARK_CAPTURE(translate, gomoku_rbg, "rbg", gomoku_rbg)->SIZES;
BENCHMARK_CAPTURE(translate, chain_rg, "rg", chain_rg)
    ->Arg(100)
    ->Arg(400)
    ->Arg(1600)
    ->Arg(6400)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rgtrans

BENCHMARK_MAIN();
