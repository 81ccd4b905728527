#include "tests/support/signature.hpp"

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::test {

std::uint64_t text_hash(std::string_view text, std::uint64_t seed) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return seed;
}

std::uint64_t Signature::number(const std::string& name) const {
  std::uint64_t sum = text_hash(language + " " + name);
  sum = combine_hash(sum, text);
  sum = combine_hash(sum, code);
  sum = combine_hash(sum, tables);
  return error.empty() ? sum : combine_hash(sum, 1);
}

// The head names the version of the program.
static std::string_view without_head(std::string_view text) { return text.substr(text.find('\n') + 1); }

Signature signature_of(const std::filesystem::path& path) {
  Signature result;
  try {
    const std::string input = read_file(path);
    const Frontend& frontend = choose_frontend(path, input);
    result.language = frontend.name;
    Diagnostics diagnostics;
    ir::Game game = load_text(path.stem().string(), input, frontend, diagnostics);
    passes::optimize(game);
    result.text = text_hash(rg::print(game));
    result.tables = text_hash(write_tables(game).text);
    cpp::GenerateOptions options;
    options.title = path.stem().string();
    for (const cpp::GeneratedFile& file : cpp::generate(game, options)) {
      // The other files are equal for all games.
      if (file.name.starts_with("reasoner") || file.name == "state.hpp" || file.name == "internal.hpp")
        result.code = text_hash(without_head(file.text), combine_hash(result.code, text_hash(file.name)));
    }
  } catch (const Error& error) {
    result.error = error.what();
  }
  return result;
}

}  // namespace rgtrans::test
