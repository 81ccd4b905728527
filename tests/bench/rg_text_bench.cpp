// How long it takes to read, verify and print RG text of 10 thousand, 100 thousand and a million edges. The time must
// grow linearly; a million edges take less than 3 s and 1 GiB altogether (BM_All is run first, so that its peak is its
// own).
//
//   build/tests/bench/bench_rg_text --benchmark_filter=All
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <iterator>
#include <map>

#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

// A valid game: a chain of nodes with every kind of label, short cuts, and small automata for its checks.
std::string game_text(std::size_t edges) {
  std::string members;
  std::string entries;
  for (int i = 0; i < 64; ++i) {
    members += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    entries += fmt::format("c{}: c{}, ", i, (i + 1) % 64);
  }
  std::string text = fmt::format(
      "type Player = {{ white, black }};\ntype Score = {{ 0, 50, 100 }};\ntype Coord = {{ {} }};\n"
      "type Piece = {{ e, w, b }};\nconst next: Coord -> Coord = {{ {}:c0 }};\n"
      "var board: Coord -> Piece = {{ :e }};\nvar pos: Coord = c0;\nvar me: Player = white;\n"
      "begin, n0: player = PlayerOrSystem(me);\n",
      members, entries);
  auto line = [&]<typename... Parts>(fmt::format_string<Parts&...> form, Parts... parts) {
    fmt::format_to(std::back_inserter(text), form, parts...);
  };
  std::size_t written = 2;
  std::size_t i = 0;
  for (; written < edges; ++i) {
    switch (i % 10) {
      case 0:
        line("n{}, n{}: pos = next[pos];\n", i, i + 1);
        break;
      case 1:
        line("n{}, n{}: board[pos] == Piece(e);\n", i, i + 1);
        break;
      case 2:
        line("n{}, n{}: board[next[next[pos]]] != w;\nn{}, n{}: ;\n", i, i + 1, i, i + 2);
        ++written;
        break;
      case 3:
        line("n{}, n{}: $ t{};\n", i, i + 1, i % 1000);
        break;
      case 4:
        line("n{}, n{}: pos = Coord(*);\n", i, i + 1);
        break;
      case 5:
        line("n{}, n{}: $$ pos;\n", i, i + 1);
        break;
      case 6:
        line("n{}, n{}: ? from{} -> to{};\nfrom{}, to{}: board[next[pos]] == e;\n", i, i + 1, i, i, i, i);
        ++written;
        break;
      case 7:
        line("n{}, n{}: board[Coord(c{})] = Piece(b);\n", i, i + 1, i % 64);
        break;
      case 8:
        line("n{}, n{}: ;\n", i, i + 1);
        break;
      default:
        line("n{}, n{}: player = PlayerOrSystem(me);\n", i, i + 1);
        break;
    }
    ++written;
  }
  line("n{}, end: player = keeper;\n", i);
  return text;
}

const std::string& text_of(std::int64_t edges) {
  static std::map<std::int64_t, std::string> texts;
  std::string& text = texts[edges];
  if (text.empty()) text = game_text(static_cast<std::size_t>(edges));
  return text;
}

void finish(benchmark::State& state, std::size_t bytes) {
  state.SetComplexityN(state.range(0));
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void verify_or_throw(ir::Game& game) {
  Diagnostics diagnostics(game.sources());
  ir::verify(game, diagnostics);
  diagnostics.throw_if_errors();
}

void BM_All(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  for (auto _ : state) {
    ir::Game game = rg::parse_game(text);
    verify_or_throw(game);
    benchmark::DoNotOptimize(rg::print(game));
  }
  finish(state, text.size());
}

void BM_Parse(benchmark::State& state) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("game.rg", text_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(rg::parse(file, diagnostics));
  finish(state, file.text.size());
}

void BM_Lower(benchmark::State& state) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("game.rg", text_of(state.range(0)));
  const rg::ast::Program program = rg::parse(file, diagnostics);
  for (auto _ : state) benchmark::DoNotOptimize(rg::lower(program, diagnostics));
  finish(state, file.text.size());
}

void BM_Verify(benchmark::State& state) {
  ir::Game game = rg::parse_game(text_of(state.range(0)));
  for (auto _ : state) verify_or_throw(game);
  finish(state, text_of(state.range(0)).size());
}

void BM_Print(benchmark::State& state) {
  const ir::Game game = rg::parse_game(text_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(rg::print(game));
  finish(state, text_of(state.range(0)).size());
}

void BM_Format(benchmark::State& state) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("game.rg", text_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(rg::format(file, diagnostics));
  finish(state, file.text.size());
}

void BM_PrintJson(benchmark::State& state) {
  const ir::Game game = rg::parse_game(text_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(json::print(game));
  finish(state, text_of(state.range(0)).size());
}

void BM_ReadJson(benchmark::State& state) {
  const std::string text = json::print(rg::parse_game(text_of(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(rg::parse_json_game(text));
  finish(state, text.size());
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Complexity(benchmark::oN);
}

BENCHMARK(BM_All)->Apply(sizes);
BENCHMARK(BM_Parse)->Apply(sizes);
BENCHMARK(BM_Lower)->Apply(sizes);
BENCHMARK(BM_Verify)->Apply(sizes);
BENCHMARK(BM_Print)->Apply(sizes);
BENCHMARK(BM_Format)->Apply(sizes);
BENCHMARK(BM_PrintJson)->Apply(sizes);
BENCHMARK(BM_ReadJson)->Apply(sizes);

}  // namespace
}  // namespace rgtrans

BENCHMARK_MAIN();
