#include "tests/fuzz/fuzz.hpp"

#include <cstdio>
#include <cstdlib>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"

namespace rgtrans::fuzz {

namespace {
// Larger games take too long to print for a fuzzer.
constexpr std::uint64_t kMostSymbols = 100'000;
}  // namespace

std::map<std::string, Target, std::less<>>& targets() {
  static std::map<std::string, Target, std::less<>> all;
  return all;
}

std::map<std::string, std::vector<Generator>, std::less<>>& generators() {
  static std::map<std::string, std::vector<Generator>, std::less<>> all;
  return all;
}

void check_messages(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all()) {
    require(!d.message.empty(), "a message without text", d.hint);
    require(d.where.begin <= d.where.end, "a message with a bad range", d.message);
  }
  render(diagnostics.all(), *diagnostics.sources());
  render_json(diagnostics.all(), *diagnostics.sources());
}

void round_trips(const ir::Game& game) {
  if (rg::written_symbols(game) > kMostSymbols) return;
  std::string difference;
  const std::string printed = rg::print(game);
  require(test::equal(game, rg::parse_game(printed), &difference), "printing changes the game", difference);
  require(test::equal(game, rg::parse_json_game(json::print(game)), &difference), "JSON changes the game", difference);
  dot::print(game);
  stats::json(stats::collect(game));
}

std::optional<std::string> lay_out(const Frontend& frontend, std::string_view text) {
  Diagnostics layout;
  std::string once = frontend.format(layout.sources()->add("input", std::string(text)), layout);
  check_messages(layout);
  if (layout.has_errors()) return std::nullopt;
  const std::string twice = frontend.format(layout.sources()->add("once", once), layout);
  require(!layout.has_errors() && once == twice, "formatting is not idempotent", once + "\n---\n" + twice);
  return once;
}

void load_and_format(const Frontend& frontend, std::string_view text, const LoadOptions& options) {
  Diagnostics diagnostics;
  ir::Game game = frontend.load(diagnostics.sources()->add("input", std::string(text)), diagnostics, options.options);
  check_messages(diagnostics);
  if (frontend.format != nullptr) {
    if (const auto once = lay_out(frontend, text)) {
      Diagnostics again;
      const ir::Game formatted = frontend.load(again.sources()->add("once", *once), again, options.options);
      require(diagnostics.has_errors() == again.has_errors(), "formatting makes or mends a mistake", *once);
      if (!again.has_errors() && rg::written_symbols(game) <= kMostSymbols) {
        require(rg::print(game) == rg::print(formatted), "formatting changes the game", *once);
      }
    }
  }
  if (diagnostics.has_errors()) return;
  ir::verify(game, diagnostics, {.warnings = true});
  check_messages(diagnostics);
  if (options.well_typed) {
    require(!diagnostics.has_errors(), "the verifier rejects what the front end accepted",
            render(diagnostics.all(), *diagnostics.sources()));
  }
  if (!diagnostics.has_errors()) round_trips(game);
}

}  // namespace rgtrans::fuzz

#ifdef RGTRANS_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t most);

// Bytes are changed as libFuzzer does it, now and then where there are generators, too.
extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t most, unsigned seed) {
  static const std::vector<rgtrans::fuzz::Generator>& inputs = rgtrans::fuzz::generators().begin()->second;
  rgtrans::test::Choices choices(seed);
  constexpr std::size_t kBytesOneOf = 4;
  if (inputs.empty() || choices.chance(kBytesOneOf)) return LLVMFuzzerMutate(data, size, most);
  const std::string text =
      rgtrans::fuzz::mutate_or_generate({reinterpret_cast<const char*>(data), size}, inputs, choices);
  return text.copy(reinterpret_cast<char*>(data), most);
}

// Each fuzzer has one target.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const rgtrans::fuzz::Target target = rgtrans::fuzz::targets().begin()->second;
  try {
    target(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const rgtrans::fuzz::Finding& finding) {
    std::fprintf(stderr, "FINDING: %s\n", finding.what());
    std::abort();
  }
  return 0;
}
#endif
