// libFuzzer: any text is read as RG (or, when it begins with '{', as JSON). What is read without a mistake must print
// and read back to an equal game, survive JSON, and be formatted to something that formatting leaves alone.
#include <cstdio>
#include <cstdlib>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "frontends/rg/rg.hpp"

namespace {

using namespace rgtrans;

void require(bool condition, const char* what, const std::string& detail) {
  if (condition) return;
  std::fprintf(stderr, "%s\n%s\n", what, detail.c_str());
  std::abort();
}

void check_formatter(const Sources::File& file) {
  Diagnostics diagnostics;
  const std::string once = rg::format(file, diagnostics);
  if (diagnostics.has_errors()) return;
  const Sources::File& again = diagnostics.sources()->add("once.rg", once);
  require(rg::format(again, diagnostics) == once, "formatting is not idempotent", once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  Diagnostics diagnostics;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Sources::File& file = diagnostics.sources()->add("fuzz", text);
  const bool is_json = text.starts_with("{");
  const ir::Game game = (is_json ? rg::json_frontend() : rg::frontend()).load(file, diagnostics, {});
  for (const Diagnostic& d : diagnostics.all()) {
    require(d.where.known() && d.where.begin <= d.where.end, "a message without a place", d.message);
  }
  render(diagnostics.all(), *diagnostics.sources());
  if (!is_json) check_formatter(file);
  if (diagnostics.has_errors() || rg::written_symbols(game) > 100'000) return 0;
  std::string difference;
  const std::string printed = rg::print(game);
  require(rg::equal(game, rg::parse_game(printed), &difference), "printing changes the game", difference);
  require(rg::equal(game, rg::parse_json_game(json::print(game)), &difference), "JSON changes the game", difference);
  dot::print(game);
  stats::json(stats::collect(game));
  return 0;
}
